import type { Plan, PlannedFile } from "../../src/plan/plan.ts";
import { render } from "../../src/render/plan.ts";
import type { Facts } from "../../src/resolve/facts.ts";
import { resolveNode } from "../../src/resolve/node.ts";
import { facts, nodeConfig } from "../resolve/fixture.ts";

export function planOf(changes: Parameters<typeof nodeConfig>[0] = {}, known: Facts = {}): Plan {
  return render(resolveNode(nodeConfig(changes), facts(known)));
}

export function fileOf(plan: Plan, path: string): PlannedFile | undefined {
  return plan.files.find((file) => file.path === path);
}

export function kubelet(version: string): Facts {
  return { kubeletVersion: { value: { version, source: "kubelet --version" } } };
}

export function containerd(version: string): Facts {
  return { containerdVersion: { value: { version, source: "containerd --version" } } };
}
