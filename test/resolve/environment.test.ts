import { describe, expect, it } from "vitest";
import type { NodeConfig } from "../../src/config/node-config.ts";
import { AgentError } from "../../src/errors.ts";
import { sourced } from "../../src/lib/sourced.ts";
import { resolveCluster } from "../../src/resolve/cluster.ts";
import { needsProxyExceptions, resolveEnvironment } from "../../src/resolve/environment.ts";
import type { Facts } from "../../src/resolve/facts.ts";
import { CLUSTER, facts, GIVEN, nodeConfig, noted, option } from "./fixture.ts";

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;
type Case = { readonly cluster?: NodeConfig["cluster"]; readonly known?: Facts };

function configOf(environment: Texts, cluster: NodeConfig["cluster"] = GIVEN): NodeConfig {
  const sources = Object.entries(environment).map(([service, variables]) => [service, Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, sourced(value, "user-data")]))] as const);
  return nodeConfig({ cluster, instance: { environment: Object.fromEntries(sources) } });
}

/** Of variables only the values. */
function resolved(environment: Texts, { cluster = { ...GIVEN, serviceCidrs: [option("10.96.0.0/16", "service-ipv4-cidr")] }, known = {} }: Case = {}): { readonly all: unknown; readonly services: Texts; readonly notes: readonly string[] } {
  const config = configOf(environment, cluster);
  const { result, notes } = noted((add) => resolveEnvironment(config, resolveCluster(config, facts(known), option("demo", "name"), () => undefined), facts(known), add));
  const values = (variables: (typeof result)["all"]): Readonly<Record<string, string>> => Object.fromEntries(Object.entries(variables).map(([name, { value }]) => [name, value]));
  return { all: values(result.all), services: Object.fromEntries(Object.entries(result.services).map(([name, variables]) => [name, values(variables)])), notes: notes.map(({ message }) => message) };
}

describe("the environment of services", () => {
  it("is sorted, so that the same variables make the same files", () => {
    const { all, services } = resolved({ kubelet: { B: "1", A: "2" }, docker: { C: "3" }, default: { Z: "4", Y: "5" } });
    expect(JSON.stringify({ all, services })).toBe('{"all":{"Y":"5","Z":"4"},"services":{"docker":{"C":"3"},"kubelet":{"A":"2","B":"1"}}}');
  });

  it("does not reach the variables that kubelet is started by", () => {
    expect(resolved({ kubelet: { KUBELET_EXTRA_ARGS: "--v=9", A: "1" }, containerd: { KUBELET_ARGS: "x" } })).toMatchObject({
      services: { kubelet: { A: "1" }, containerd: { KUBELET_ARGS: "x" } },
      notes: ["The variable KUBELET_EXTRA_ARGS of kubelet (user-data) has no effect: kubelet gets its arguments by it. Give spec.kubelet.flags instead."],
    });
  });

  it.each(["../../etc/cron.d/x", "a/b", "", ".", "a b", "a\nb"])("cannot be that of %j, which is no unit", (service) => {
    expect(() => resolved({ [service]: { A: "1" } })).toThrow(AgentError);
    expect(() => resolved({ [service]: { A: "1" } })).toThrow(`Cannot give the service ${JSON.stringify(service)} an environment`);
  });
});

describe("the hosts that kubelet and containerd reach without a proxy", () => {
  const NODE = "169.254.169.254,fd00:ec2::254,localhost,127.0.0.1,::1,192.168.0.0/16,10.96.0.0/16,given.example";

  it.each<[string, Texts, Texts]>([
    ["with a proxy of all services", { default: { HTTPS_PROXY: "http://p:3128" } }, { containerd: { NO_PROXY: NODE, no_proxy: NODE }, kubelet: { NO_PROXY: NODE, no_proxy: NODE } }],
    ["with one of kubelet alone", { kubelet: { http_proxy: "http://p:3128" } }, { kubelet: { http_proxy: "http://p:3128", NO_PROXY: NODE, no_proxy: NODE } }],
    ["after those that the operator names, each once", { default: { HTTPS_PROXY: "p", NO_PROXY: ".corp.example, localhost," }, kubelet: { HTTPS_PROXY: "" } }, { containerd: { NO_PROXY: `.corp.example,localhost,${NODE.replace("localhost,", "")}`, no_proxy: `.corp.example,localhost,${NODE.replace("localhost,", "")}` }, kubelet: { HTTPS_PROXY: "" } }],
    ["named for the service and for all", { default: { HTTPS_PROXY: "p", NO_PROXY: "a", no_proxy: "b" }, containerd: { NO_PROXY: "c" }, kubelet: { no_proxy: "d" } }, { containerd: { NO_PROXY: `c,b,${NODE}`, no_proxy: `c,b,${NODE}` }, kubelet: { NO_PROXY: `a,d,${NODE}`, no_proxy: `a,d,${NODE}` } }],
    ["none are written without a proxy", { default: { NO_PROXY: "a", HTTPS_PROXY: " " }, docker: { HTTPS_PROXY: "p" } }, { docker: { HTTPS_PROXY: "p" } }],
  ])("%s", (_, environment, services) => {
    expect(resolved(environment).services).toEqual(services);
  });

  it.each<[string, Case, string]>([
    ["the service block of DescribeCluster", { cluster: GIVEN, known: { cluster: { value: CLUSTER } } }, "192.168.0.0/16,10.96.0.0/16,given.example"],
    ["the block that the cluster's DNS address is guessed to be in", { cluster: GIVEN }, "192.168.0.0/16,10.100.0.0/16,given.example"],
    ["an API server by its IPv6 address", { cluster: { ...GIVEN, apiServerEndpoint: option("https://[2001:db8::1]:443", "x"), serviceCidrs: [option("fd30::/108", "x")] } }, "192.168.0.0/16,fd30::/108,2001:db8::1"],
    ["all blocks of the VPC", { known: { vpcIpv4Cidrs: ["10.0.0.0/16", "100.64.0.0/16"] } }, "10.0.0.0/16,100.64.0.0/16,10.96.0.0/16,given.example"],
  ])("have %s", (_, of, end) => {
    expect(resolved({ default: { HTTPS_PROXY: "p" } }, of).services["kubelet"]?.["NO_PROXY"]).toBe(`169.254.169.254,fd00:ec2::254,localhost,127.0.0.1,::1,${end}`);
  });

  it.each<[string, Texts, boolean]>([
    ["a proxy of all", { default: { https_proxy: "p" } }, true],
    ["one of containerd", { containerd: { HTTP_PROXY: "p" } }, true],
    ["one of another service", { docker: { HTTP_PROXY: "p" } }, false],
    ["no proxy", { default: { NO_PROXY: "a" } }, false],
  ])("need the VPC's blocks to be asked for: %s", (_, environment, needed) => {
    expect(needsProxyExceptions(configOf(environment))).toBe(needed);
  });
});
