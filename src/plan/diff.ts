import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { parseJson, printJson } from "../lib/json.ts";
import { type Owner, ROOT } from "./owner.ts";
import type { ComparedFile, ObservedFile, PlannedFile } from "./plan.ts";

const CONTEXT_LINES = 3;

/** Beyond this many changed lines the search for the smallest diff takes seconds, and nobody reads the result. */
const MOST_CHANGED_LINES = 2000;

/**
 * What would change at one path: lines on type, mode and owner, then a unified diff, which `patch` understands. JSON is laid
 * out as the agent writes it, so that only values differ. A secret's contents are not shown. "" for a file that stays, and
 * for one that is removed, since nothing tells any more whether it held a secret.
 */
export function diffFile({ state, planned, before }: ComparedFile, owner: Owner = ROOT): string {
  if (state === "unchanged" || planned === undefined) return "";
  return [...accessLines(planned, before, owner), contentsDiff(planned, before)].join("");
}

function accessLines(planned: PlannedFile, before: ObservedFile, owner: Owner): string[] {
  if (before.kind === "symlink") return [`symbolic link to ${before.target}\n`];
  if (before.kind === "other") return [`${before.what}\n`];
  if (before.kind === "unreadable") return ["cannot be read\n"];
  if (before.kind === "absent") return [];
  return [
    ...(before.mode === planned.mode ? [] : [`mode ${showMode(before.mode)}, planned ${showMode(planned.mode)}\n`]),
    ...(before.uid === owner.uid && before.gid === owner.gid ? [] : [`owner ${before.uid}:${before.gid}, planned ${owner.uid}:${owner.gid}\n`]),
  ];
}

function contentsDiff(planned: PlannedFile, before: ObservedFile): string {
  const was = textBefore(planned, before);
  if (was === planned.contents) return "";
  const [from, to] = [was === "" ? "/dev/null" : planned.path, planned.path];
  if (planned.isSecret) return `--- ${from}\n+++ ${to}\n<redacted>\n`;
  const options = { context: CONTEXT_LINES, headerOptions: FILE_HEADERS_ONLY, maxEditLength: MOST_CHANGED_LINES };
  const diff = createTwoFilesPatch(from, to, was, planned.contents, undefined, undefined, options);
  return diff ?? `--- ${from}\n+++ ${to}\nmore than ${MOST_CHANGED_LINES} lines differ\n`;
}

function textBefore(planned: PlannedFile, before: ObservedFile): string {
  if (before.kind !== "file") return "";
  return planned.comparedAs === "json" ? relaidJson(before.contents) : before.contents;
}

function relaidJson(text: string): string {
  const value = parseJson(text);
  return value === undefined ? text : printJson(value);
}

function showMode(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}
