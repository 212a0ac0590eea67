import type { Comparison } from "../plan/plan.ts";
import type { Finding } from "../preflight/finding.ts";
import type { RecordEvent } from "../report/record.ts";
import type { Facts } from "../resolve/facts.ts";
import type { Node } from "../resolve/node.ts";
import { type AddNote, type Note, noteList } from "../resolve/notes.ts";
import type { LoadedConfig } from "./load-config.ts";

/** A list of notes, each of which is recorded as it comes. */
export function recordedNotes(record: RecordEvent): { readonly notes: Note[]; readonly add: AddNote } {
  const { notes, add } = noteList();
  return {
    notes,
    add: (code, message) => {
      add(code, message);
      record({ kind: "note", code, message });
    },
  };
}

export function recordConfig({ config, inputs }: LoadedConfig, record: RecordEvent): void {
  const { name } = config.cluster;
  record({ kind: "sources", sources: inputs });
  record({ kind: "node", node: name === undefined ? {} : { cluster: name.value } });
}

export function recordFacts({ instance, kubeletVersion }: Facts, record: RecordEvent): void {
  record({
    kind: "node",
    node: {
      ...(instance && { instanceId: instance.id, instanceType: instance.type, zone: instance.zone }),
      ...(kubeletVersion && "value" in kubeletVersion && { kubeletVersion: kubeletVersion.value.version }),
    },
  });
}

/** All that was decided, before the first step is taken. */
export function recordPlan({ node, findings, comparison }: { readonly node: Node; readonly findings: readonly Finding[]; readonly comparison: Comparison }, record: RecordEvent): void {
  for (const { code, message } of node.notes) record({ kind: "note", code, message });
  record({ kind: "findings", findings });
  record({ kind: "changes", changes: comparison.changes });
}
