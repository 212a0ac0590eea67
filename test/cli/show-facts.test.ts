import { expect, test } from "vitest";
import { showFacts } from "../../src/cli/show-facts.ts";
import type { Facts, HostFacts } from "../../src/resolve/facts.ts";
import { FACTS } from "./show-view.ts";

test("every part that was asked for has its line, in at most 80 columns where words allow", () => {
  const facts: Facts = {
    ...FACTS,
    vpcIpv4Cidrs: ["10.0.0.0/16", "100.64.0.0/16"],
    ipv6Address: { value: "2600:1f14::5" },
    cluster: { value: { name: "my-cluster", endpoint: "https://example.com", certificateAuthority: "LS0t", ipFamily: "ipv4", serviceIpv4Cidr: "172.20.0.0/16" } },
    localHostname: { value: "ip-10-0-3-4.corp.example" },
    instanceType: { value: { enis: 3, ipv4PerEni: 10 } },
    resolves: { "602401143452.dkr.ecr-fips.us-west-2.amazonaws.com": false, "example.com": true },
    host: {
      ...(FACTS.host as HostFacts),
      swapOn: true,
      fips: true,
      nvidiaDevice: true,
      files: { "/etc/eks/eni-max-pods.txt": "m5.large 29\n" },
      present: ["/etc/eks/bootstrap-gpu.sh"],
      enabledUnits: ["nodeadm-run.service"],
    },
  };
  expect(textOf(facts)).toBe(`  instance      i-0123456789abcdef0, m5.large, us-west-2b, account 123456789012
  addresses     10.0.3.4, 2600:1f14::5
  VPC           10.0.0.0/16, 100.64.0.0/16
  private DNS   ip-10-0-3-4.us-west-2.compute.internal
  IMDS name     ip-10-0-3-4.corp.example
  cluster       my-cluster, https://example.com, ipv4, 172.20.0.0/16
  instance type 3 network interfaces, 10 IPv4 addresses each
  host names    602401143452.dkr.ecr-fips.us-west-2.amazonaws.com does not
                resolve, example.com resolves
  kubelet       1.33.5 (/etc/eks/kubelet-version.txt)
  containerd    not known: containerd is not installed
  host          x86_64, 2 CPUs, 7680 MiB, cgroup v2, swap on, FIPS, NVIDIA
                device
  programs      /etc/eks/image-credential-provider/ecr-credential-provider,
                /usr/bin/aws
  image files   /etc/eks/bootstrap-gpu.sh, /etc/eks/eni-max-pods.txt
  other agents  nodeadm-run.service is enabled`);
});

test("what could not be found out says why", () => {
  const facts: Facts = {
    ipv6Address: { failure: "the interface has none" },
    cluster: { failure: "no answer within 5 s" },
    instanceType: { failure: "access denied" },
  };
  expect(textOf(facts)).toBe(`  addresses     no IPv6 address: the interface has none
  cluster       not known: no answer within 5 s
  instance type not known: access denied`);
});

function textOf(facts: Facts): string {
  return showFacts(facts).map(({ text }) => text).join("\n");
}
