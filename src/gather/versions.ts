import { errnoOf } from "../errors.ts";
import { runCommand } from "../io/command.ts";
import type { Answer, ProgramVersion } from "../resolve/facts.ts";
import { reasonOf } from "./events.ts";
import type { Observer } from "./events.ts";
import { firstExecutable, status } from "./host-image.ts";
import { readHostFile } from "./read-host-file.ts";

/** A program of which the version is a fact. */
export type VersionedProgram = {
  readonly name: string;
  readonly paths: readonly string[];
  /** The image may keep what the program says of itself here. */
  readonly versionFile: string;
};

export const KUBELET: VersionedProgram = { name: "kubelet", paths: ["/usr/bin/kubelet"], versionFile: "/etc/eks/kubelet-version.txt" };

export const CONTAINERD: VersionedProgram = {
  name: "containerd",
  paths: ["/usr/bin/containerd", "/usr/local/bin/containerd"],
  versionFile: "/etc/eks/containerd-version.txt",
};

/** The version of a program: from the image's file unless the program is newer than that, else from the program itself. */
export async function gatherVersion(root: string, program: VersionedProgram, observer: Observer, signal?: AbortSignal): Promise<Answer<ProgramVersion>> {
  const path = firstExecutable(root, program.paths);
  if (path === undefined) return { failure: `there is no ${program.name} at ${program.paths.join(" or ")}` };
  const noted = isAtLeastAsNew(root + program.versionFile, root + path) ? versionIn(readHostFile(root + program.versionFile)) : undefined;
  if (noted !== undefined) return { value: { version: noted, source: program.versionFile } };
  return askProgram(root, path, observer, signal);
}

function isAtLeastAsNew(file: string, program: string): boolean {
  const [fileStatus, programStatus] = [status(file), status(program)];
  return fileStatus !== undefined && programStatus !== undefined && fileStatus.mtimeMs >= programStatus.mtimeMs;
}

/** "1.33.5" of "Kubernetes v1.33.5-eks-113cf36" or "containerd github.com/containerd/containerd/v2 2.1.4 0123456". */
function versionIn(text: string | undefined): string | undefined {
  return /(?:^|\s)v?(\d+\.\d+\.\d+)/.exec(text ?? "")?.[1];
}

// Reading a program of 100 MB from a cold volume takes a while.
const TIMEOUT_MS = 30_000;

async function askProgram(root: string, path: string, { clock, onEvent }: Observer, signal: AbortSignal | undefined): Promise<Answer<ProgramVersion>> {
  const argv = [root + path, "--version"];
  const startMs = clock.now();
  const answer = await outputOf(argv, signal);
  const event = { kind: "command", argv, startMs, durationMs: clock.now() - startMs } as const;
  onEvent("failure" in answer ? { ...event, failure: answer.failure } : event);
  if ("failure" in answer) return answer;
  const version = versionIn(answer.value);
  return version === undefined
    ? { failure: `${path} --version says "${answer.value.trim().slice(0, 100)}", which names no version` }
    : { value: { version, source: `${path} --version` } };
}

async function outputOf(argv: readonly string[], signal: AbortSignal | undefined): Promise<Answer<string>> {
  const command = argv.join(" ");
  try {
    const { status, signal: killer, stdout, stderr } = await runCommand(argv, { timeoutMs: TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) });
    if (status === 0) return { value: stdout };
    return { failure: `${command} ended with ${status === null ? String(killer) : `exit status ${status}`}: ${stderr.trim().slice(0, 200)}` };
  } catch (error) {
    signal?.throwIfAborted();
    return { failure: `${command} could not be run: ${errnoOf(error) ?? reasonOf(error)}` };
  }
}
