import { readFileSync } from "node:fs";
import { errnoOf, isErrno } from "../errors.ts";
import { isJsonObject, parseJson } from "../lib/json.ts";
import { EMPTY_MANIFEST, type Manifest, type RecordedCommandLine } from "../plan/plan.ts";
import type { AddNote } from "./hooks.ts";
import { pathOn, STATE_DIRECTORY, type Machine } from "./machine.ts";

export const MANIFEST_PATH = `${STATE_DIRECTORY}/manifest.json`;

/** What the agent remembers of earlier runs. A manifest that is missing or cannot be used is an empty one. */
export function readManifest(machine: Machine, note: AddNote): Manifest {
  const text = readIfThere(pathOn(machine, MANIFEST_PATH), note);
  if (text === undefined) return EMPTY_MANIFEST;
  const manifest = parseManifest(text);
  if (manifest !== undefined) return manifest;
  note("manifest-broken", `${MANIFEST_PATH} is not what eks-node-agent writes: it is replaced, files of earlier runs that are not planned any more stay, and running units are restarted once.`);
  return EMPTY_MANIFEST;
}

/** How the node was configured, when an earlier run was told by command line. */
export function recordedCommandLine(machine: Machine, note: AddNote): RecordedCommandLine | undefined {
  return readManifest(machine, note).commandLine;
}

/** The manifest in a text; undefined when it has not its shape. Keys that a later version may have added are left out. */
export function parseManifest(text: string): Manifest | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value) || !isStringMap(value["files"]) || !isStringMap(value["units"])) return undefined;
  const { files, units, blocks = [], commandLine } = value as { readonly files: Manifest["files"]; readonly units: Manifest["units"]; readonly blocks?: unknown; readonly commandLine?: unknown };
  if (!isStringList(blocks) || ![...Object.keys(files), ...blocks].every(isPlainPath)) return undefined;
  const manifest = { files, units, ...(blocks.length > 0 && { blocks }) };
  if (commandLine === undefined) return manifest;
  return isCommandLine(commandLine) ? { ...manifest, commandLine } : undefined;
}

function readIfThere(path: string, note: AddNote): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    if (!isErrno(error, "ENOENT")) note("manifest-unreadable", `${path} cannot be read (${errnoOf(error)}): what earlier runs wrote and started is not known.`);
    return undefined;
  }
}

/** What is named here may be removed: no way around the managed directories. */
function isPlainPath(path: string): boolean {
  return path.startsWith("/") && !path.split("/").includes("..");
}

function isCommandLine(value: unknown): value is RecordedCommandLine {
  return isJsonObject(value) && isStringList(value["args"]) && isStringMap(value["environment"]);
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isStringMap(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((item) => typeof item === "string");
}
