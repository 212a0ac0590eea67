import type { Change, ObservedFile } from "../plan/plan.ts";
import { type Line, line } from "./colour.ts";
import { plural } from "./show-summary.ts";
import { wrap } from "./wrap.ts";

/** What is done, in order and numbered: a line for every file, or one for all files in a row where each is shown elsewhere. */
export function showSteps(changes: readonly Change[], { withFiles }: { readonly withFiles: boolean }): readonly Line[] {
  const sentences = withFiles ? changes.map(showStep) : [...showFileSteps(changes), ...changes.filter((change) => !isFileStep(change)).map(showStep)];
  if (sentences.length === 0) return [line("  none")];
  const width = String(sentences.length).length;
  return sentences.flatMap((sentence, index) => wrap(sentence, `  ${String(index + 1).padStart(width)}. `, " ".repeat(width + 6)).map((text) => line(text)));
}

function isFileStep({ kind }: Change): boolean {
  return kind === "write-file" || kind === "remove-file";
}

/** All writes come before all removals. */
function showFileSteps(changes: readonly Change[]): readonly string[] {
  const count = (kind: Change["kind"]): number => changes.filter((change) => change.kind === kind).length;
  return ([["write", count("write-file")], ["remove", count("remove-file")]] as const).flatMap(([verb, files]) => (files === 0 ? [] : [`${verb} ${plural(files, "file")}`]));
}

/** "mount /mnt/k8s-disks/0 (…)" */
export function showStep(change: Change): string {
  switch (change.kind) {
    case "write-file":
      return `write ${change.file.path} (${change.isDrift ? "altered since the agent wrote it" : WHY_WRITTEN[change.before.kind]})`;
    case "remove-file":
      return `remove ${change.path} (no longer needed)`;
    case "write-block":
      return `write the agent's lines into ${change.block.path}`;
    case "remove-block":
      return `remove the agent's lines from ${change.path} (no longer needed)`;
    case "create-array":
      return `make a ${change.level} array of ${change.devices.join(", ")}${change.leftovers.length === 0 ? "" : `, where ${change.leftovers.join(", ")} had a part of one that is lost`}`;
    case "assemble-array":
      return `assemble the array of ${change.devices.join(", ")}`;
    case "make-file-system":
      return `make an XFS file system on ${change.device}, labelled ${change.label}`;
    case "mount":
      return `mount ${change.mountPoint} (${change.unit})`;
    case "stop-unit":
      return `stop ${change.unit}, which ${change.reason}`;
    case "copy-directory":
      return `copy ${change.from} to ${change.to}, unless it is there already`;
    case "reload-systemd":
      return `have systemd read its unit files again (${change.reason})`;
    case "enable-unit":
      return `enable ${change.unit}`;
    case "start-unit":
      return `${change.resetFailed ? "clear the failure of, and start," : "start"} ${change.unit}, which is ${change.reason}`;
    case "restart-unit":
      return `restart ${change.unit} (${change.reason})`;
  }
}

const WHY_WRITTEN: Readonly<Record<ObservedFile["kind"], string>> = {
  absent: "new",
  file: "changed",
  symlink: "in place of a symbolic link",
  other: "in place of what is no file",
  unreadable: "not readable so far",
};
