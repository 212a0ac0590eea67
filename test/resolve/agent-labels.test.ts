import { describe, expect, it } from "vitest";
import { agentLabels } from "../../src/resolve/agent-labels.ts";
import type { Facts } from "../../src/resolve/facts.ts";
import { factsNeeded } from "../../src/resolve/facts-needed.ts";
import { FACTS, host, HOST, INSTANCE, nodeConfig, version } from "./fixture.ts";

const EKSCTL = nodeConfig({ kubelet: { eksctlLabels: { value: true, source: "/etc/eksctl/kubelet.env" } } });
const ID = `alpha.eksctl.io/instance-id=${INSTANCE.id}`;

describe("the labels of a node that eksctl made", () => {
  it.each<[string, Facts, readonly string[]]>([
    ["with its life cycle", { lifeCycle: { value: "spot" } }, ["node-lifecycle=spot", ID]],
    ["without one, where IMDS has none", { lifeCycle: { failure: "IMDS has none" } }, [ID]],
    ["without one, where it was not asked", {}, [ID]],
  ])("%s", (_, facts, labels) => {
    const inputs = { config: EKSCTL, facts: { ...FACTS, ...facts }, instance: INSTANCE, host: HOST, version: version(33) };
    expect(agentLabels(inputs).map(({ text }) => text)).toEqual(labels);
  });
});

it("the labels of other nodes are those of an accelerator", () => {
  const gpu = host({ nvidiaDevice: true, programs: { ...HOST.programs, "nvidia-container-runtime": "/usr/bin/nvidia-container-runtime" } });
  const inputs = { config: nodeConfig({}), facts: { ...FACTS, lifeCycle: { value: "spot" } }, instance: INSTANCE, host: gpu, version: version(35) };
  expect(agentLabels(inputs).map(({ text }) => text)).toEqual(["nvidia.com/gpu.present=true"]);
});

it("the life cycle is asked on nodes that eksctl made, and on no others", () => {
  expect(factsNeeded(EKSCTL, {}).map(({ kind }) => kind)).toContain("life-cycle");
  expect(factsNeeded(nodeConfig({}), {}).map(({ kind }) => kind)).not.toContain("life-cycle");
});
