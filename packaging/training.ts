import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Architecture, ARCHITECTURES, HOST } from "./architecture.ts";
import { BUILD } from "./project.ts";
import { findTool, runTool } from "./tool.ts";

type Training = {
  /** The arguments of each run. */
  readonly commands: readonly (readonly string[])[];
  readonly env: Readonly<Record<string, string>>;
};

/**
 * Runs the bundle through the commands and returns V8's code for every function that ran, which spares the executable half its work.
 *
 * @param node the Node.js that the executable is made from: another build of it, or other V8 flags, and the cache is refused
 * @returns undefined where this machine cannot run programs of that architecture
 */
export async function train(arch: Architecture, node: string, bundle: string, { commands, env }: Training): Promise<Uint8Array | undefined> {
  const runner = runnerFor(arch);
  if (runner === undefined) return undefined;
  const [program, ...args] = [...runner, node];
  const folder = join(BUILD, `training-${arch}.${process.pid}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "app.cjs"), bundle, "latin1");
  const script = join(import.meta.dirname, "bundled/training.cjs");
  // Without a seed of its own V8 writes other bytes each time.
  await runTool(program, [...args, "--random-seed=42", script, join(folder, "app.cjs"), join(folder, "app.cache"), JSON.stringify(commands)], { env });
  const cache = readFileSync(join(folder, "app.cache"));
  rmSync(folder, { recursive: true });
  return cache;
}

/** The words before a program of that architecture, to run it here: none on its own machine, QEMU's elsewhere. */
export function runnerFor(arch: Architecture): readonly string[] | undefined {
  if (arch === HOST) return [];
  const { qemu, gnu } = ARCHITECTURES[arch];
  const emulator = findTool(qemu);
  return emulator === undefined ? undefined : [emulator, "-L", `/usr/${gnu}`];
}
