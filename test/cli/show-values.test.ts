import { describe, expect, test } from "vitest";
import { showValues } from "../../src/cli/show-values.ts";
import type { NamedValue } from "../../src/resolve/value-table.ts";

const VALUES: readonly NamedValue[] = [
  { name: "cluster name", value: "my-cluster", source: "the command line" },
  { name: "cluster DNS", value: ["172.20.0.10"], source: "option --service-ipv4-cidr (172.20.0.0/16)" },
  { name: "node name", value: "ip-10-0-3-4.us-west-2.compute.internal", source: "IMDS" },
  { name: "max pods", value: 29, source: "default" },
  { name: "kubelet config address", value: "0.0.0.0", source: "default" },
  { name: "kubelet config evictionHard", value: { "memory.available": "100Mi" }, source: "default" },
  { name: "kubelet config featureGates.RotateKubeletServerCertificate", value: true, source: "default" },
  { name: "kubelet config tlsCipherSuites", value: ["TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_RSA_WITH_AES_128_GCM_SHA256"], source: "default" },
  { name: "kubelet config reserved", value: [], source: "user data" },
  { name: "kubelet flag --v", value: "--v=2", source: "default" },
  { name: "kubelet flag --node-labels", value: "--node-labels=a=b,team=c", source: "user data" },
  { name: "kubelet flag --seccomp-default", value: "--seccomp-default", source: "option --kubelet-extra-args" },
];

describe("showValues()", () => {
  test("aligns names, values and sources, and goes on below where one is too long for its column", () => {
    expect(textOf(VALUES)).toBe(`  node
    cluster name  my-cluster                              the command line
    cluster DNS   172.20.0.10                             option
                                                          --service-ipv4-cidr
                                                          (172.20.0.0/16)
    node name     ip-10-0-3-4.us-west-2.compute.internal  IMDS
    max pods      29                                      default
  kubelet configuration
    address                            0.0.0.0               default
    evictionHard                       {"memory.available":"100Mi"}
                                                             default
    featureGates.RotateKubeletServerCertificate
                                       true                  default
    tlsCipherSuites                    TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
                                                             default
                                       TLS_RSA_WITH_AES_128_GCM_SHA256
    reserved                           []                    user data
  kubelet flags
    --v                2                     default
    --node-labels      a=b,team=c            user data
    --seccomp-default                        option --kubelet-extra-args`);
  });

  test("shows no secret", () => {
    expect(textOf([{ name: "proxy", value: "http://joe:hunter2@proxy:1", source: "http://joe:hunter2@source:1" }])).toBe(`  node
    proxy  http://joe:<redacted>@proxy:1  http://joe:<redacted>@source:1`);
  });

  test("of nothing is nothing", () => {
    expect(showValues([])).toEqual([]);
  });
});

function textOf(values: readonly NamedValue[]): string {
  return showValues(values).map(({ text }) => text).join("\n");
}
