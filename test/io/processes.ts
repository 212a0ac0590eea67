import { readdirSync, readFileSync } from "node:fs";

/** The names and states of a process's children, such as "sleep S"; Z is one that has ended and was not waited for. */
export function childrenOf(parent: number): readonly string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    const [, name, state, ofPid] = /\((.*)\) (\w) (\d+)/s.exec(readIfThere(`/proc/${pid}/stat`)) ?? [];
    return Number(ofPid) === parent ? [`${name} ${state}`] : [];
  });
}

/** A process may end while we look. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
