import { open } from "node:fs/promises";
import { type Machine, pathOn, STATE_DIRECTORY } from "../apply/machine.ts";
import { replaceRecord } from "../apply/write-file.ts";
import { AgentError, errnoOf } from "../errors.ts";
import { printJson } from "../lib/json.ts";
import type { LastRun } from "../report/last-run.ts";
import { redactJson } from "./redact-json.ts";

export const LAST_RUN_PATH = `${STATE_DIRECTORY}/last-run.json`;

/** Its sentences may name what is on this machine: for root, and whom root gives it to. */
const MODE = 0o640;

/** More than a run of many hours records, and little enough to hold. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/** @throws AgentError "write-failed" */
export async function writeLastRun(machine: Machine, lastRun: LastRun): Promise<void> {
  await replaceRecord(pathOn(machine, LAST_RUN_PATH), { contents: printJson(redactJson(lastRun)), mode: MODE, owner: machine.owner });
}

/**
 * The text of a record.
 *
 * @param isNamed whether the operator named the file
 * @throws AgentError "no-last-run" when there is none, "source-unreadable", "last-run-broken" for one that cannot be held
 */
export async function readLastRun(path: string, isNamed: boolean): Promise<string> {
  try {
    return await readBounded(path);
  } catch (error) {
    const errno = errnoOf(error);
    if (error instanceof AgentError || errno === undefined) throw error;
    throw unreadable(path, errno, isNamed, error);
  }
}

async function readBounded(path: string): Promise<string> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    if (size > LARGEST_BYTES) throw brokenLastRun(path, [`it holds ${size} bytes, and at most ${LARGEST_BYTES} are read`]);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

/** @param problems one sentence each, at least one */
export function brokenLastRun(path: string, problems: readonly string[]): AgentError {
  const [first = "", ...others] = problems;
  const [why, lines] = others.length === 0 ? [first, []] : [`${problems.length} things in it are wrong`, problems];
  return new AgentError("last-run-broken", `Cannot use ${path} as the record of a run: ${why}`, {
    remedy: "The next bootstrap writes it anew. What the log says of the last one: journalctl -u eks-node-agent.",
    lines,
  });
}

function unreadable(path: string, errno: string, isNamed: boolean, cause: unknown): AgentError {
  if (errno === "ENOENT" && !isNamed) {
    return new AgentError("no-last-run", `There is no run to report: ${path} does not exist`, {
      remedy: "It is written by every bootstrap that is no dry run. Whether one was tried: journalctl -u eks-node-agent, and the log of cloud-init.",
      cause,
    });
  }
  return new AgentError("source-unreadable", `Cannot read ${path}: ${REASONS[errno] ?? errno}`, { remedy: REMEDIES[errno] ?? "Correct the path.", cause });
}

const REASONS: Readonly<Record<string, string>> = { ENOENT: "there is no such file", EACCES: "permission denied", EISDIR: "it is a directory", ENOTDIR: "a part of the path is no directory" };
const REMEDIES: Readonly<Record<string, string>> = { EACCES: "Run it as root, as in sudo eks-node-agent report." };
