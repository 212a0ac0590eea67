import { parseCidr } from "../lib/ip.ts";
import { isJsonObject } from "../lib/json.ts";
import type { JsonObject } from "../lib/json.ts";
import type { ClusterFacts } from "../resolve/facts.ts";

/** What DescribeCluster's cluster means to a node that wants to join it. */
export type ClusterState =
  | { readonly kind: "ready"; readonly facts: ClusterFacts }
  /** It may become ready; `why` says what it lacks. */
  | { readonly kind: "not-ready"; readonly why: string }
  | { readonly kind: "unusable"; readonly status: string }
  | { readonly kind: "nonsense"; readonly why: string };

const JOINABLE = ["ACTIVE", "UPDATING"];
const LOST = ["FAILED", "DELETING"];

/** Fields may be absent or null until the cluster has been ACTIVE for the first time. Unknown fields are ignored. */
export function readCluster(name: string, cluster: unknown): ClusterState {
  if (!isJsonObject(cluster)) return { kind: "nonsense", why: "there is no cluster in the answer" };
  const status = text(cluster, "status");
  if (status === undefined) return { kind: "not-ready", why: "it has no status yet" };
  if (LOST.includes(status)) return { kind: "unusable", status };
  if (!JOINABLE.includes(status)) return { kind: "not-ready", why: `it is ${status}` };
  return readJoinable(name, cluster, status);
}

function readJoinable(name: string, cluster: JsonObject, status: string): ClusterState {
  const lacks = (what: string): ClusterState => ({ kind: "not-ready", why: `it is ${status}, but has no ${what} yet` });
  const [endpoint, certificateAuthority] = [text(cluster, "endpoint"), text(part(cluster, "certificateAuthority"), "data")];
  const network = readNetwork(part(cluster, "kubernetesNetworkConfig"));
  if (endpoint === undefined) return lacks("endpoint");
  if (certificateAuthority === undefined) return lacks("certificate authority");
  if (network === undefined) return lacks("service CIDR");
  const facts: ClusterFacts = { name, endpoint, certificateAuthority, ...network, ...readOutpost(cluster) };
  const why = malformed(facts);
  return why === undefined ? { kind: "ready", facts } : { kind: "nonsense", why };
}

type Network = Pick<ClusterFacts, "ipFamily" | "serviceIpv4Cidr" | "serviceIpv6Cidr">;

/** Undefined when an IPv6 cluster lacks its block: there is no guess at it, as there is at the IPv4 one. */
function readNetwork(network: JsonObject): Network | undefined {
  const [serviceIpv4Cidr, serviceIpv6Cidr] = [text(network, "serviceIpv4Cidr"), text(network, "serviceIpv6Cidr")];
  if (text(network, "ipFamily") === "ipv6") return serviceIpv6Cidr === undefined ? undefined : { ipFamily: "ipv6", serviceIpv6Cidr };
  return { ipFamily: "ipv4", ...(serviceIpv4Cidr === undefined ? {} : { serviceIpv4Cidr }) };
}

function readOutpost(cluster: JsonObject): Pick<ClusterFacts, "id" | "outpostArn"> {
  const id = text(cluster, "id");
  const arns = part(cluster, "outpostConfig")["outpostArns"];
  const outpostArn: unknown = Array.isArray(arns) ? arns[0] : undefined;
  return { ...(id === undefined ? {} : { id }), ...(typeof outpostArn === "string" && outpostArn !== "" ? { outpostArn } : {}) };
}

function malformed(facts: ClusterFacts): string | undefined {
  if (!/^https?:\/\/[^\s/?#]+$/.test(facts.endpoint) || !URL.canParse(facts.endpoint)) return `its endpoint is "${facts.endpoint.slice(0, 100)}"`;
  if (!Buffer.from(facts.certificateAuthority, "base64").includes("-----BEGIN CERTIFICATE-----")) return "its certificate authority is not base64 of PEM";
  if (facts.serviceIpv4Cidr !== undefined && parseCidr(facts.serviceIpv4Cidr)?.family !== "ipv4") return `its service CIDR is "${facts.serviceIpv4Cidr.slice(0, 100)}"`;
  if (facts.serviceIpv6Cidr !== undefined && parseCidr(facts.serviceIpv6Cidr)?.family !== "ipv6") return `its service CIDR is "${facts.serviceIpv6Cidr.slice(0, 100)}"`;
  return undefined;
}

function part(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

/** A text that says something: null and "" are absent. */
function text(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
