import type { NodeConfig } from "../config/node-config.ts";
import { acceleratorLabels } from "./accelerator.ts";
import type { Facts, HostFacts, InstanceFacts } from "./facts.ts";
import { type KeyedItem, keyedItem, NODE_LABELS } from "./keyed-list.ts";
import type { KubeletVersion } from "./kubelet-version.ts";

export type AgentLabelInputs = {
  readonly config: NodeConfig;
  readonly facts: Facts;
  readonly instance: InstanceFacts;
  readonly host: HostFacts;
  readonly version: KubeletVersion;
};

/** Labels that nobody wrote down: the user's come after them and win. */
export function agentLabels({ config, facts, instance, host, version }: AgentLabelInputs): readonly KeyedItem[] {
  return [...acceleratorLabels(host, version), ...(needsLifeCycle(config) ? eksctlLabels(facts, instance) : [])];
}

/** Whether eksctl made this node, and its script would have labelled it. */
export function needsLifeCycle({ kubelet: { eksctlLabels } }: NodeConfig): boolean {
  return eksctlLabels?.value === true;
}

function eksctlLabels({ lifeCycle }: Facts, instance: InstanceFacts): readonly KeyedItem[] {
  const isKnown = lifeCycle !== undefined && "value" in lifeCycle;
  return [
    ...(isKnown ? [keyedItem(NODE_LABELS, `node-lifecycle=${lifeCycle.value}`, "IMDS instance-life-cycle, for eksctl")] : []),
    keyedItem(NODE_LABELS, `alpha.eksctl.io/instance-id=${instance.id}`, "IMDS, for eksctl"),
  ];
}
