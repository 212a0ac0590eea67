import { AgentError } from "../errors.ts";
import type { Sourced } from "../lib/sourced.ts";
import type { Answer, ProgramVersion } from "./facts.ts";
import type { AddNote } from "./notes.ts";

/** A kubelet version; the major is 1 for as long as this agent knows. */
export type KubeletVersion = {
  readonly minor: number;
  /** As the program gave it, without "v": "1.33.5-eks-113cf36". */
  readonly text: string;
};

/** The first minor that bootstrap.sh's rules are known for, and the last that the tables hold. */
export const OLDEST_MINOR = 21;
export const NEWEST_MINOR = 36;

/**
 * @throws AgentError "program-missing" when kubelet could not be asked, "config-invalid" for a version that is none or too old.
 */
export function resolveKubeletVersion(answer: Answer<ProgramVersion>, addNote: AddNote): Sourced<KubeletVersion> {
  if ("failure" in answer) throw kubeletMissing(answer.failure);
  const version = parseKubeletVersion(answer.value.version);
  if (version === undefined) throw notAVersion(answer.value);
  if (version.minor < OLDEST_MINOR) throw tooOld(answer.value);
  if (version.minor > NEWEST_MINOR) addNote("kubelet-newer-than-agent", `Kubelet ${version.text} is newer than 1.${NEWEST_MINOR}, the last that this agent knows: it is set up like that one, and flags and fields that are newer still cannot be checked.`);
  return { value: version, source: answer.value.source };
}

/** "v1.29.3-eks-a" to its minor; undefined for anything that is no kubelet version. */
export function parseKubeletVersion(text: string): KubeletVersion | undefined {
  const match = /^v?(1\.(\d{1,3})\.\d+\S*)$/.exec(text.trim());
  return match?.[1] === undefined ? undefined : { minor: Number(match[2]), text: match[1] };
}

function kubeletMissing(why: string): AgentError {
  return new AgentError("program-missing", `Cannot find out kubelet's version: ${why}`, {
    remedy: "Install kubelet as /usr/bin/kubelet, or write its version to /etc/eks/kubelet-version.txt when the image is built.",
  });
}

function notAVersion({ version, source }: ProgramVersion): AgentError {
  return new AgentError("config-invalid", `Cannot use ${JSON.stringify(version)} from ${source} as kubelet's version: expected one such as "1.33.5"`, {
    remedy: `See what ${source} says, and correct the image.`,
  });
}

function tooOld({ version, source }: ProgramVersion): AgentError {
  return new AgentError("config-invalid", `Cannot configure kubelet ${version} (from ${source}): the oldest supported version is 1.${OLDEST_MINOR}`, {
    remedy: "Use an image with a newer kubelet.",
  });
}
