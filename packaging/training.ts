import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Addons } from "./addon.ts";
import { type Architecture, ARCHITECTURES, HOST } from "./architecture.ts";
import { type Bundle, writeBundle } from "./bundle.ts";
import { installForeign } from "./root-directory.ts";
import { withScratch } from "./scratch.ts";
import { findTool, runTool } from "./tool.ts";

// How V8 runs during the training, so that the same sources give the same bytes; and what it has otherwise. It compares a cache by its flags too: they
// are as usual again when the cache is made.
/** Set at the start of the process. No memory is used twice: gaps in a function's record hold what lay there before. */
const MEMORY = [
  ["--min-semi-space-size=256", "--min-semi-space-size=0"],
  ["--max-semi-space-size=256", "--max-semi-space-size=0"],
  ["--initial-old-space-size=1024", "--initial-old-space-size=0"],
] as const;
/**
 * Set when the process runs, since at its start they change other flags as well. These compilers work in threads of their own and leave marks in a function, at
 * another moment each time.
 */
const COMPILERS = [
  ["--no-sparkplug", "--sparkplug"],
  ["--no-maglev", "--maglev"],
  ["--no-opt", "--opt"],
] as const;
const SEED = "--random-seed=42";

/** V8's code by the name of the bundle's pack. */
export type CodeCaches = ReadonlyMap<string, Uint8Array>;

export type TrainingCommand = {
  readonly args: readonly string[];
  /** Variables that it and those after it have. */
  readonly env?: Readonly<Record<string, string>>;
};

type Training = {
  /** All must end with exit status 0. */
  readonly commands: readonly TrainingCommand[];
  readonly env: Readonly<Record<string, string>>;
  /** What the executable has of them. */
  readonly addons: Addons | undefined;
  /** The root directory that the runs have, and the words before a program that give it that. */
  readonly within?: { readonly root: string; readonly enter: readonly string[] };
};

/**
 * Runs the bundle through the commands and returns V8's code for every function that ran, which spares the executable half its
 * work. There is none for packs that no command asked for.
 *
 * @param node the Node.js that the executable is made from: another build of it, or other V8 flags, and the cache is refused
 * @returns undefined where this machine cannot run programs of that architecture
 */
export async function train(arch: Architecture, node: string, bundle: Bundle, { commands, env, addons, within }: Training): Promise<CodeCaches | undefined> {
  const runner = runnerFor(arch);
  if (runner === undefined) return undefined;
  return withScratch("training", async (scratch) => {
    const folder = within === undefined ? scratch : join(within.root, "training");
    const run = (flags: readonly string[], script: string) => runWords([...runner, node, ...flags, join(SCRIPTS, script), folder]);
    writeTraining(folder, bundle, addons, { commands, flags: duringOf(COMPILERS), usualFlags: usualOf([...MEMORY, ...COMPILERS]) });
    const flags = [SEED, ...duringOf(MEMORY)];
    if (within === undefined) await runWords([...runner, node, ...flags, join(SCRIPTS, TRAINING), folder], env);
    else await runWords([...within.enter, ...installForeign(within.root, arch, node, "/usr/bin/node"), "/usr/bin/node", ...flags, `/training/${TRAINING}`, "/training"], env);
    await run([SEED], "settle-cache.cjs");
    await run([], "check-cache.cjs");
    return readCaches(join(folder, "bundle"));
  });
}

const SCRIPTS = join(import.meta.dirname, "bundled");
const TRAINING = "training.cjs";

async function runWords([program = "", ...args]: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  await runTool(program, args, { env });
}

function writeTraining(folder: string, bundle: Bundle, addons: Addons | undefined, plan: object): void {
  mkdirSync(folder, { recursive: true });
  writeBundle(bundle, join(folder, "bundle"));
  writeFileSync(join(folder, "plan.json"), JSON.stringify(plan));
  copyFileSync(join(SCRIPTS, TRAINING), join(folder, TRAINING));
  for (const [name, bytes] of Object.entries(addons ?? {})) writeFileSync(join(folder, `${name}.node`), bytes);
}

function readCaches(folder: string): CodeCaches {
  const caches = readdirSync(folder).filter((name) => name.endsWith(".cache"));
  return new Map(caches.map((name) => [name.slice(0, -".cache".length), readFileSync(join(folder, name))]));
}

/** The words before a program of that architecture, to run it here: none on its own machine, QEMU's elsewhere. */
export function runnerFor(arch: Architecture): readonly string[] | undefined {
  if (arch === HOST) return [];
  const { qemu, gnu } = ARCHITECTURES[arch];
  const emulator = findTool(qemu);
  return emulator === undefined ? undefined : [emulator, "-L", `/usr/${gnu}`];
}

type Flags = readonly (readonly [during: string, usual: string])[];

function duringOf(flags: Flags): readonly string[] {
  return flags.map(([during]) => during);
}

function usualOf(flags: Flags): readonly string[] {
  return flags.map(([, usual]) => usual);
}
