import type { ChangeRun } from "./last-run.ts";

/** What a change did to its file or unit, in a word or two. */
export const CHANGE_VERBS: Readonly<Record<ChangeRun["kind"], string>> = {
  "write-file": "write",
  "remove-file": "remove",
  "write-block": "write into",
  "remove-block": "remove from",
  "create-array": "make array",
  "assemble-array": "assemble array",
  "make-file-system": "format",
  mount: "mount",
  "stop-unit": "stop",
  "copy-directory": "copy",
  "reload-systemd": "reload systemd",
  "enable-unit": "enable",
  "start-unit": "start",
  "restart-unit": "restart",
};
