import { setImmediate } from "node:timers/promises";
import { canonicalJson } from "../lib/json.ts";
import type { Manifest } from "../plan/plan.ts";
import type { Machine } from "./machine.ts";
import type { PutFile } from "./write-file.ts";
import { writeManifest } from "./write-manifest.ts";

/** The manifest of one run: what is on the disk or on its way there, and the way to change it. */
export type ManifestKeeper = {
  readonly current: () => Manifest;
  /**
   * Durable when it returns, or replaced by a later one that is; writes nothing when the manifest is the same.
   *
   * @throws AgentError "write-failed"
   */
  readonly keep: (next: Manifest) => Promise<void>;
  /** The same without waiting, a moment later: most often there is a next one by then. A failure is told by the next keep(), which tries again. */
  readonly keepSoon: (next: Manifest) => void;
};

const SOON_MS = 20;

/**
 * @param onDisk as read when the run began
 * @param put writes it
 */
export function manifestKeeper(machine: Machine, onDisk: Manifest, put?: PutFile): ManifestKeeper {
  let [wanted, written] = [onDisk, onDisk];
  let writing: Promise<void> | undefined;
  let soon: NodeJS.Timeout | undefined;

  const write = async (): Promise<void> => {
    // What is wanted in the same moment is written at once.
    await setImmediate();
    while (!isSame(written, wanted)) {
      const next = wanted;
      await writeManifest(machine, next, put);
      written = next;
    }
  };
  const keep = (next: Manifest): Promise<void> => {
    clearTimeout(soon);
    wanted = next;
    writing ??= write().finally(() => (writing = undefined));
    return writing;
  };
  return {
    current: () => wanted,
    keep,
    keepSoon: (next) => {
      wanted = next;
      clearTimeout(soon);
      soon = setTimeout(() => void keep(wanted).catch(() => undefined), SOON_MS);
    },
  };
}

function isSame(one: Manifest, other: Manifest): boolean {
  return one === other || canonicalText(one) === canonicalText(other);
}

/** Each is compared several times. */
const texts = new WeakMap<Manifest, string>();

function canonicalText(manifest: Manifest): string {
  const text = texts.get(manifest) ?? JSON.stringify(canonicalJson(manifest));
  texts.set(manifest, text);
  return text;
}
