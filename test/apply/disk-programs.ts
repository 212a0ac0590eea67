import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { vi } from "vitest";

/** Stand-ins for the programs that know of disks, before all others on PATH. */
export type DiskPrograms = {
  readonly folder: string;
  /** What each is called with is written down; then it does what its lines of shell say. */
  readonly install: (scripts: Readonly<Record<string, string>>) => void;
  readonly calls: () => readonly string[];
  readonly remove: () => void;
};

export function makeDiskPrograms(): DiskPrograms {
  const folder = mkdtempSync(join(tmpdir(), "disks-"));
  const programs = join(folder, "bin");
  mkdirSync(programs);
  vi.stubEnv("PATH", `${programs}${delimiter}${process.env["PATH"]}`);
  const log = join(folder, "calls");
  return {
    folder,
    install: (scripts) => {
      for (const [name, script] of Object.entries(scripts)) {
        writeFileSync(join(programs, name), `#!/bin/sh\necho "${name} $*" >> "${log}"\n${script}\n`);
        chmodSync(join(programs, name), 0o755);
      }
    },
    calls: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
    remove: () => {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
    },
  };
}
