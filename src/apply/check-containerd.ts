import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errnoOf } from "../errors.ts";
import { CommandDeadlineError, type CommandResult, runCommand } from "../io/command.ts";
import { pathOn, type Machine } from "./machine.ts";

const CONFIG = "/etc/containerd/config.toml";

/** Where the planned configuration has further files from; below the machine's root they are another machine's. */
const IMPORTS = "/etc/containerd/config.d/";

// Reading a program of 50 MB from a cold volume takes a while.
const TIMEOUT_MS = 30_000;

/** What containerd makes of a configuration: a sentence's part where it makes nothing. */
export type ContainerdVerdict = { readonly kind: "accepted" } | { readonly kind: "refused"; readonly why: string } | { readonly kind: "unchecked"; readonly why: string };

export type ContainerdCandidate = {
  /** Absolute path on the machine; undefined where it has no containerd. */
  readonly program: string | undefined;
  /** What is planned for its config.toml. */
  readonly contents: string;
};

/**
 * Has containerd read a configuration before it takes the place of one that works: `containerd config dump`, which starts nothing. What
 * other files it names are read where they are, but for the base runtime spec, which this command does not look at.
 */
export async function checkContainerdConfig(machine: Machine, { program, contents }: ContainerdCandidate, signal?: AbortSignal): Promise<ContainerdVerdict> {
  if (program === undefined) return { kind: "unchecked", why: "there is no containerd" };
  try {
    return await inPrivateDirectory((directory) => dump(pathOn(machine, program), join(directory, "config.toml"), contents.replaceAll(`"${IMPORTS}`, `"${pathOn(machine, IMPORTS)}`), signal));
  } catch (error) {
    signal?.throwIfAborted();
    const isOfSystem = error instanceof Error && (error instanceof CommandDeadlineError || errnoOf(error) !== undefined);
    if (isOfSystem) return { kind: "unchecked", why: error.message };
    throw error;
  }
}

/** Of mode 0700: the configuration may hold the credentials of a registry. */
async function inPrivateDirectory<T>(action: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "eks-node-agent-"));
  try {
    return await action(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function dump(program: string, path: string, contents: string, signal: AbortSignal | undefined): Promise<ContainerdVerdict> {
  await writeFile(path, contents, { mode: 0o600, flag: "wx" });
  return verdictOf(await runCommand([program, "--config", path, "config", "dump"], { timeoutMs: TIMEOUT_MS, ...(signal && { signal }) }), program, path);
}

/** A program that is not for this machine, or lacks a library, says something else and in another way. */
function verdictOf({ status, signal, stderr }: CommandResult, program: string, path: string): ContainerdVerdict {
  if (status === 0) return { kind: "accepted" };
  const said = /^containerd: (.*)$/m.exec(stderr)?.[1]?.replaceAll(path, CONFIG);
  if (said === undefined) return { kind: "unchecked", why: `${program} ended with ${status === null ? String(signal) : `exit status ${status}`}: ${stderr.trim().slice(0, 200)}` };
  return /permission denied$/.test(said) ? { kind: "unchecked", why: said } : { kind: "refused", why: said };
}
