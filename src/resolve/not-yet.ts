import type { NodeConfig } from "../config/node-config.ts";
import type { Sourced } from "../lib/sourced.ts";
import type { HostFacts } from "./facts.ts";
import type { AddNote } from "./notes.ts";

type NotYet = {
  /** Whether it is asked for, so that something should come of it. */
  readonly asked: (config: NodeConfig, host: HostFacts) => Sourced<unknown> | undefined;
  readonly consequence: string;
};

/** What configuration can ask for, and this version does not do: said, rather than passed over. */
const NOT_YET: readonly NotYet[] = [
  { asked: ({ instance: { localDisks } }) => (localDisks?.value === "none" ? undefined : localDisks), consequence: "The disks of the instance store stay as they are" },
];

export function noteNotYet(config: NodeConfig, host: HostFacts, addNote: AddNote): void {
  for (const { asked, consequence } of NOT_YET) {
    const value = asked(config, host);
    if (value !== undefined) addNote("not-yet", `${consequence}, although ${value.source} asks for more: this version of the agent cannot do that yet.`);
  }
}
