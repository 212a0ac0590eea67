import type { NodeConfig } from "../config/node-config.ts";
import type { Facts, Question } from "./facts.ts";
import { factsNeeded } from "./facts-needed.ts";

/** The part of the facts that answers each kind of question. */
const ANSWERS: Readonly<Record<Question["kind"], keyof Facts>> = {
  instance: "instance",
  "life-cycle": "lifeCycle",
  "local-hostname": "localHostname",
  "vpc-ipv4-cidrs": "vpcIpv4Cidrs",
  "ipv6-address": "ipv6Address",
  cluster: "cluster",
  "private-dns-name": "privateDnsName",
  "instance-type": "instanceType",
  resolves: "resolves",
  addresses: "addresses",
  "kubelet-version": "kubeletVersion",
  "containerd-version": "containerdVersion",
  host: "host",
  "local-disks": "localDisks",
};

/** The parts that this config needs and these facts lack, as facts do that were gathered for another config. */
export function missingFacts(config: NodeConfig, facts: Facts): readonly (keyof Facts)[] {
  return factsNeeded(config, facts).map(({ kind }) => ANSWERS[kind]).filter((part) => facts[part] === undefined);
}
