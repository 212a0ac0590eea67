import type { JsonObject } from "../lib/json.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import { type HostFacts, KERNEL_DEFAULTS } from "./facts.ts";
import type { AddNote } from "./notes.ts";
import type { UserArguments } from "./user-arguments.ts";

const FIELD = "protectKernelDefaults";
const FLAG = "protect-kernel-defaults";

export type KernelDefaultsInputs = {
  readonly host: HostFacts;
  readonly user: UserArguments;
  readonly userConfig: readonly Sourced<JsonObject>[];
};

/**
 * With protectKernelDefaults kubelet exits where the kernel's settings differ; without, it sets them itself. What the
 * operator says of it stays, and preflight judges it.
 *
 * @param below the configuration so far
 */
export function unprotectedKernel({ host, user, userConfig }: KernelDefaultsInputs, below: JsonObject, addNote: AddNote): readonly Sourced<JsonObject>[] {
  const isGiven = userConfig.some(({ value }) => Object.hasOwn(value, FIELD)) || user.arguments.some(({ name }) => name === FLAG);
  const differences = differencesOf(host);
  if (isGiven || below[FIELD] !== true || differences.length === 0) return [];
  addNote("kernel-defaults-differ", `${FIELD} is written false, since kubelet would refuse to start: ${differences.join(", ")}. Kubelet sets them itself then.`);
  return [sourced({ [FIELD]: false }, "kernel settings of this host")];
}

/** A setting that the kernel lacks is none that kubelet could find different. */
function differencesOf(host: HostFacts): readonly string[] {
  return Object.entries(KERNEL_DEFAULTS)
    .filter(([name, wanted]) => host.sysctls[name] !== undefined && host.sysctls[name] !== wanted)
    .map(([name, wanted]) => `${name} is ${host.sysctls[name]} and not ${wanted}`);
}
