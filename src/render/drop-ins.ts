import { PATHS } from "../lib/paths.ts";
import { environmentLine, quoteArguments } from "../lib/systemd-quote.ts";
import { printUnitFile } from "../lib/unit-file.ts";
import type { PlannedFile } from "../plan/plan.ts";
import type { Node } from "../resolve/node.ts";
import { type Argument, showArgument } from "../resolve/user-arguments.ts";
import { plannedFile } from "./file.ts";

/** The variables of kubelet's command line, a drop-in each; the one of extra arguments only when there are any. */
export function renderDropIns(node: Node): readonly PlannedFile[] {
  const { agent, extra } = node.arguments;
  return [
    dropIn(PATHS.kubeletArgs, "KUBELET_ARGS", commandLine(agent)),
    dropIn(PATHS.kubeletCloudProvider, "KUBELET_CLOUD_PROVIDER", node.identity.cloudProvider.value),
    ...(extra.length === 0 ? [] : [dropIn(PATHS.kubeletExtraArgs, "KUBELET_EXTRA_ARGS", commandLine(extra))]),
  ];
}

/** containerd in the slice that kubelet's runtime-cgroups names, unless the image's unit sees to it. */
export function renderContainerdSlice(node: Node): readonly PlannedFile[] {
  if (node.containerd.unitHasSlice) return [];
  return [plannedFile(PATHS.containerdSlice, printUnitFile([["Service", [["Slice", "runtime.slice"]]]]), { isUnitFile: true })];
}

function commandLine(args: readonly Argument[]): string {
  return quoteArguments(args.map(showArgument));
}

function dropIn(path: string, variable: string, value: string): PlannedFile {
  return plannedFile(path, printUnitFile([["Service", [environmentLine(variable, value)]]]), { isUnitFile: true });
}
