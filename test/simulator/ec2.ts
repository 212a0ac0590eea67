import type { Answer } from "./answer.ts";
import type { World, WorldInstanceType } from "./world.ts";

/** The EC2 query API: XML in and out of a form. */
export function answerEc2(form: URLSearchParams, world: World): Answer {
  switch (form.get("Action") ?? "") {
    case "DescribeInstances":
      return answerDescribeInstances(form.get("InstanceId.1") ?? "", world);
    case "DescribeInstanceTypes":
      return answerDescribeInstanceTypes(form.get("InstanceType.1") ?? "", world);
    default:
      return ec2Error(400, "InvalidAction", `The action ${form.get("Action") ?? ""} is not valid for this web service.`);
  }
}

function answerDescribeInstances(instanceId: string, world: World): Answer {
  if (instanceId !== world.instanceId) return ec2Error(400, "InvalidInstanceID.NotFound", `The instance ID '${instanceId}' does not exist`);
  const item = `<instanceId>${instanceId}</instanceId><privateDnsName>${world.privateDnsName}</privateDnsName>`;
  return xml("DescribeInstancesResponse", `<reservationSet><item><reservationId>r-0123456789abcdef0</reservationId><instancesSet><item>${item}</item></instancesSet></item></reservationSet>`);
}

function answerDescribeInstanceTypes(name: string, world: World): Answer {
  const type = world.instanceTypes.find((candidate) => candidate.name === name);
  if (type === undefined) return ec2Error(400, "InvalidInstanceType", `The following supplied instance types do not exist: [${name}]`);
  return xml("DescribeInstanceTypesResponse", `<instanceTypeSet><item><instanceType>${name}</instanceType>${hypervisor(type)}${networkInfo(type)}</item></instanceTypeSet>`);
}

function hypervisor({ vcpus, hypervisor: name }: WorldInstanceType): string {
  return `<vCpuInfo><defaultVCpus>${vcpus}</defaultVCpus></vCpuInfo>${name === undefined ? "" : `<hypervisor>${name}</hypervisor>`}`;
}

function networkInfo(type: WorldInstanceType): string {
  const cards = type.cards.map(
    ({ index, enis }) => `<item><networkCardIndex>${index}</networkCardIndex><maximumNetworkInterfaces>${enis}</maximumNetworkInterfaces></item>`,
  );
  return [
    "<networkInfo>",
    `<maximumNetworkInterfaces>${type.cards.reduce((sum, { enis }) => sum + enis, 0)}</maximumNetworkInterfaces>`,
    `<maximumNetworkCards>${type.cards.length}</maximumNetworkCards>`,
    `<defaultNetworkCardIndex>${type.defaultCard}</defaultNetworkCardIndex>`,
    `<networkCards>${cards.join("")}</networkCards>`,
    `<ipv4AddressesPerInterface>${type.ipv4PerEni}</ipv4AddressesPerInterface>`,
    "</networkInfo>",
  ].join("");
}

function xml(element: string, content: string): Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<${element} xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>00000000-0000-0000-0000-000000000000</requestId>${content}</${element}>`;
  return { status: 200, body, headers: { "content-type": "text/xml;charset=UTF-8" } };
}

export function ec2Error(status: number, code: string, message: string): Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>00000000-0000-0000-0000-000000000000</RequestID></Response>`;
  return { status, body, headers: { "content-type": "text/xml;charset=UTF-8" } };
}
