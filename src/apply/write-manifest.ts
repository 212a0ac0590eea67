import { printJson } from "../lib/json.ts";
import type { Manifest } from "../plan/plan.ts";
import { type Machine, pathOn } from "./machine.ts";
import { MANIFEST_PATH } from "./manifest.ts";
import { type FileToPut, type PutFile, replaceFile } from "./write-file.ts";

/** @throws AgentError "write-failed" */
export async function writeManifest(machine: Machine, manifest: Manifest, put: PutFile = replaceFile): Promise<void> {
  const { path, file } = manifestFile(machine, manifest);
  await put(path, file);
}

export function manifestFile(machine: Machine, manifest: Manifest): FileToPut {
  const contents = printJson({ files: manifest.files, units: manifest.units, ...(manifest.blocks && { blocks: manifest.blocks }), ...(manifest.commandLine && { commandLine: manifest.commandLine }) });
  return { path: pathOn(machine, MANIFEST_PATH), file: { contents, mode: 0o600, owner: machine.owner } };
}
