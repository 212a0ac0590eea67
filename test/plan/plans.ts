import { EMPTY_MANIFEST, type Manifest, type Observed, type ObservedFile, type ObservedUnit, type Plan, type PlannedFile, type PlannedUnit } from "../../src/plan/plan.ts";

export function file(path: string, contents = `contents of ${path}\n`, more: Partial<PlannedFile> = {}): PlannedFile {
  return { path, mode: 0o644, contents, comparedAs: path.endsWith(".json") ? "json" : "bytes", isUnitFile: path.startsWith("/etc/systemd/system/"), isSecret: false, ...more };
}

export function unit(name: string, reads: readonly string[] = [], more: Partial<PlannedUnit> = {}): PlannedUnit {
  return { name, enable: true, failure: "error", whenDifferent: "restart", whenDown: "start", reads, startedWith: [], ...more };
}

export function plan(files: readonly PlannedFile[], units: readonly PlannedUnit[] = []): Plan {
  return { files, blocks: [], unwanted: [], units, disks: undefined };
}

/** The file as `file()` is when it has been written. */
export function found(contents: string, more: Partial<ObservedFile & { kind: "file" }> = {}): ObservedFile {
  return { kind: "file", contents, mode: 0o644, uid: 0, gid: 0, ...more };
}

export function running(name: string, more: Partial<ObservedUnit> = {}): ObservedUnit {
  return { name, loadState: "loaded", activeState: "active", subState: "running", unitFileState: "enabled", needDaemonReload: false, command: { fragment: "", dropIns: [], execStart: "", environmentFiles: [] }, ...more };
}

export function observed(files: Readonly<Record<string, ObservedFile>> = {}, units: readonly ObservedUnit[] = [], manifest: Partial<Manifest> = {}): Observed {
  return {
    files: new Map(Object.entries(files)),
    units: new Map(units.map((each) => [each.name, each])),
    manifest: { ...EMPTY_MANIFEST, ...manifest },
    disks: undefined,
  };
}
