import { expect, it } from "vitest";
import { readEc2Answer } from "../../src/gather/ec2-answer.ts";
import { readInstanceTypeDetails } from "../../src/gather/ec2-instance-type.ts";

const NETWORK =
  "<networkInfo><networkCards><item><networkCardIndex>0</networkCardIndex><maximumNetworkInterfaces>4</maximumNetworkInterfaces></item></networkCards><ipv4AddressesPerInterface>15</ipv4AddressesPerInterface></networkInfo>";

it.each<[string, string, unknown]>([
  ["all of it", `<vCpuInfo><defaultVCpus>8</defaultVCpus></vCpuInfo><hypervisor>nitro</hypervisor>${NETWORK}`, { enis: 4, ipv4PerEni: 15, vcpus: 8, hypervisor: "nitro" }],
  ["bare metal", `<vCpuInfo><defaultVCpus>96</defaultVCpus></vCpuInfo>${NETWORK}`, { enis: 4, ipv4PerEni: 15, vcpus: 96, hypervisor: undefined }],
  ["no processors", NETWORK, "it has no processors"],
  ["no network", "<vCpuInfo><defaultVCpus>8</defaultVCpus></vCpuInfo>", "it has no interfaces on its default network card, 0"],
])("what EC2 says of a type: %s", async (_, item, expected) => {
  const body = Buffer.from(`<DescribeInstanceTypesResponse><instanceTypeSet><item><instanceType>z9.large</instanceType>${item}</item></instanceTypeSet></DescribeInstanceTypesResponse>`);
  const answer = await readEc2Answer({ status: 200, headers: {}, body });
  expect(answer.kind === "answer" && readInstanceTypeDetails(answer.root, "z9.large")).toEqual(expected);
});
