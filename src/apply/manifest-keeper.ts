import { canonicalJson } from "../lib/json.ts";
import type { Manifest } from "../plan/plan.ts";
import type { Machine } from "./machine.ts";
import { writeManifest } from "./manifest.ts";

/** The manifest of one run: what is on the disk, and the way to change it. */
export type ManifestKeeper = {
  readonly current: () => Manifest;
  /** Durable when it returns; writes nothing when the manifest is the same. */
  readonly keep: (next: Manifest) => Promise<void>;
};

/** @param onDisk as read when the run began */
export function manifestKeeper(machine: Machine, onDisk: Manifest): ManifestKeeper {
  let current = onDisk;
  return {
    current: () => current,
    keep: async (next) => {
      if (isSame(current, next)) return;
      await writeManifest(machine, next);
      current = next;
    },
  };
}

function isSame(one: Manifest, other: Manifest): boolean {
  return canonicalText(one) === canonicalText(other);
}

function canonicalText(manifest: Manifest): string {
  return JSON.stringify(canonicalJson(manifest));
}
