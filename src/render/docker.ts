import { printJson } from "../lib/json.ts";
import { PATHS } from "../lib/paths.ts";
import { printUnitFile } from "../lib/unit-file.ts";
import type { PlannedFile } from "../plan/plan.ts";
import type { Node } from "../resolve/node.ts";
import { plannedFile } from "./file.ts";

/** Where the rules of before Docker's first start are kept. */
const SAVED_RULES = "/var/lib/eks-node-agent/iptables.rules";

/** Docker's configuration, unless the image's is left as it is. */
export function renderDockerConfig({ docker }: Node): readonly PlannedFile[] {
  if (docker?.daemonConfig === undefined) return [];
  const { daemonConfig, isSecret } = docker;
  return [plannedFile(PATHS.dockerConfig, printJson(daemonConfig), { comparedAs: "json", isSecret, mode: isSecret ? 0o600 : 0o644 })];
}

/**
 * Before Docker adds rules of its own, those that were there without it are put back; the first time there are none to put
 * back, and the present ones are kept.
 */
export function renderIptablesRestore({ docker, host }: Node): readonly PlannedFile[] {
  const iptables = host.programs["iptables"];
  if (docker === undefined || iptables === undefined) return [];
  const contents = printUnitFile([
    ["Unit", [["Description", "Restore the packet filter's rules of before Docker"], ["Before", "docker.service"]]],
    [
      "Service",
      [
        ["Type", "oneshot"],
        ["ExecStart", `-${iptables}-restore ${SAVED_RULES}`],
        ["ExecStart", `${iptables}-save -f ${SAVED_RULES}`],
        ["RemainAfterExit", "yes"],
      ],
    ],
    ["Install", [["WantedBy", "multi-user.target"]]],
  ]);
  return [plannedFile(PATHS.iptablesRestoreUnit, contents, { isUnitFile: true })];
}
