import type { NodeConfig } from "../config/node-config.ts";
import { instanceTypeLimits, maxPodsOf } from "../data/instance-type-lookup.ts";
import { PATHS } from "../lib/paths.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { Facts, InstanceFacts, InstanceTypeFacts } from "./facts.ts";
import type { AddNote } from "./notes.ts";

/** Kubelet's own default, and what is left when nobody knows the type. */
export const KUBELET_DEFAULT_MAX_PODS = 110;

/** Whether the type's limits are in no table of ours, so that EC2 must be asked. The image's table has only the count of pods. */
export function needsInstanceType(config: NodeConfig, facts: Facts, instance: InstanceFacts): boolean {
  if (instanceTypeLimits(instance.type) !== undefined) return false;
  return maxPodsExpression(config) !== undefined || maxPodsOfImage(facts, instance.type) === undefined;
}

/** Network interfaces and addresses of the type, from the built-in table or EC2; undefined where neither knows it. */
export function resolveTypeLimits(facts: Facts, instance: InstanceFacts): InstanceTypeFacts | undefined {
  const answer = facts.instanceType;
  return instanceTypeLimits(instance.type) ?? (answer !== undefined && "value" in answer ? answer.value : undefined);
}

/** The expression that is asked for; an empty one asks for nothing. */
export function maxPodsExpression({ kubelet: { maxPodsExpression: expression } }: NodeConfig): Sourced<string> | undefined {
  return expression?.value.trim() === "" ? undefined : expression;
}

/**
 * Pods this instance can run with the VPC CNI, one secondary address each: ENIs of the default network card ×
 * (IPv4 addresses per ENI − 1) + 2. The image's table beats the built-in one, which beats EC2's answer.
 * Source: EC2 User Guide, "IP addresses per network interface per instance type".
 */
export function resolveTableMaxPods(facts: Facts, instance: InstanceFacts, addNote: AddNote): Sourced<number> {
  const ofImage = maxPodsOfImage(facts, instance.type);
  if (ofImage !== undefined) return sourced(ofImage, `${PATHS.eniMaxPods} (${instance.type})`);
  const limits = instanceTypeLimits(instance.type);
  if (limits !== undefined) return sourced(limits.maxPods, `built-in table (${instance.type})`);
  return maxPodsOfEc2(facts, instance, addNote);
}

function maxPodsOfEc2(facts: Facts, instance: InstanceFacts, addNote: AddNote): Sourced<number> {
  const answer = facts.instanceType;
  if (answer !== undefined && "value" in answer) {
    return sourced(maxPodsOf(answer.value.enis, answer.value.ipv4PerEni), "ec2:DescribeInstanceTypes");
  }
  const why = answer?.failure ?? "EC2 was not asked";
  addNote("max-pods-unknown", `The instance type ${instance.type} is in no table, and EC2 could not be asked for its limits (${why}), so ${KUBELET_DEFAULT_MAX_PODS} pods are assumed. Give --kubelet-extra-args '--max-pods=N' if that is wrong.`);
  return sourced(KUBELET_DEFAULT_MAX_PODS, "default, the type is unknown");
}

/** Lines of "m5.large 29"; # begins a comment. */
function maxPodsOfImage(facts: Facts, type: string): number | undefined {
  const lines = facts.host?.files[PATHS.eniMaxPods]?.split("\n") ?? [];
  for (const line of lines) {
    const [name, pods = ""] = line.trim().split(/\s+/);
    if (name === type && /^[1-9]\d{0,4}$/.test(pods)) return Number(pods);
  }
  return undefined;
}
