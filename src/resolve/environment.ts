import type { NodeConfig } from "../config/node-config.ts";
import { AgentError } from "../errors.ts";
import type { Sourced } from "../lib/sourced.ts";
import type { Cluster } from "./cluster.ts";
import type { Facts } from "./facts.ts";
import { completedNoProxy, hostsWithoutProxy, usesProxy } from "./no-proxy.ts";
import type { AddNote } from "./notes.ts";

/** Variables by name, in the order in which they are written. */
export type Variables = Readonly<Record<string, Sourced<string>>>;

/** What programs find in their environment beside what systemd puts there. The values may be secrets. */
export type Environment = {
  /** Of all services. */
  readonly all: Variables;
  /** By the service's name without ".service", sorted; each has at least one. */
  readonly services: Readonly<Record<string, Variables>>;
};

/** The name under which spec.instance.environment has the variables of all services. */
const ALL = "default";

/** Services that must reach what is behind no proxy: IMDS, the node's own network, the API server. */
const NODE_SERVICES = ["containerd", "kubelet"];

/** @throws AgentError "config-invalid" for a name that can be no service's, which would lead to another path */
export function resolveEnvironment(config: NodeConfig, cluster: Cluster, facts: Facts, addNote: AddNote): Environment {
  const { environment } = config.instance;
  const all = sorted(environment[ALL] ?? {});
  const ofService = (name: string): Variables => {
    const own = withoutReserved(serviceName(name), environment[name] ?? {}, addNote);
    return sorted(NODE_SERVICES.includes(name) ? withNoProxy(own, all, hostsWithoutProxy(config, cluster, facts)) : own);
  };
  const names = [...new Set([...NODE_SERVICES, ...Object.keys(environment)])].filter((name) => name !== ALL).sort();
  const services = names.map((name) => [name, ofService(name)] as const).filter(([, variables]) => Object.keys(variables).length > 0);
  return { all, services: Object.fromEntries(services) };
}

/** Whether kubelet or containerd has a proxy, so that the VPC's blocks must be known. */
export function needsProxyExceptions({ instance: { environment } }: NodeConfig): boolean {
  return NODE_SERVICES.some((name) => usesProxy({ ...environment[ALL], ...environment[name] }));
}

/** Go programs look at the first name, others at the second. */
function withNoProxy(own: Variables, all: Variables, hosts: readonly string[]): Variables {
  const effective = { ...all, ...own };
  if (!usesProxy(effective)) return own;
  const noProxy = completedNoProxy(effective, hosts);
  return { ...own, NO_PROXY: noProxy, no_proxy: noProxy };
}

/** By these kubelet.service is given its arguments. */
const RESERVED: Readonly<Record<string, readonly string[]>> = { kubelet: ["KUBELET_ARGS", "KUBELET_CLOUD_PROVIDER", "KUBELET_EXTRA_ARGS"] };

function withoutReserved(service: string, variables: Variables, addNote: AddNote): Variables {
  const reserved = Object.entries(variables).filter(([name]) => RESERVED[service]?.includes(name) === true);
  for (const [name, { source }] of reserved) {
    addNote("environment-reserved", `The variable ${name} of ${service} (${source}) has no effect: ${service} gets its arguments by it. Give spec.kubelet.flags instead.`);
  }
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !reserved.some(([other]) => other === name)));
}

function serviceName(name: string): string {
  if (/^[A-Za-z0-9:_@\\-][A-Za-z0-9:_.@\\-]{0,199}$/.test(name)) return name;
  throw new AgentError("config-invalid", `Cannot give the service ${JSON.stringify(name)} an environment: no unit of systemd can have that name`, {
    remedy: 'Name it as systemd does, without ".service": "kubelet" or "containerd".',
  });
}

function sorted(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).sort(([one], [other]) => (one < other ? -1 : 1)));
}
