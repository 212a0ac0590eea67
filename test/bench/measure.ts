import { spawn } from "node:child_process";
import { join } from "node:path";

export type Measurement = { readonly wallMs: number; readonly cpuMs: number; readonly peakMiB: number };

export type Command = {
  readonly argv: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** The root directory that the program has. */
  readonly root?: string;
};

/**
 * Runs a program once, with its children: wall time, user and system CPU time, largest resident set.
 *
 * @throws Error with what it wrote, when it does not exit 0
 */
export async function measure({ argv, env = {}, root = "/" }: Command): Promise<Measurement> {
  const child = spawn("perl", [join(import.meta.dirname, "measure.pl"), root, ...argv], { env: { PATH: process.env["PATH"], ...env }, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  await new Promise((done, failed) => child.once("close", done).once("error", failed));
  const [wallUs, userUs, systemUs, peakKiB, status] = (stderr.trimEnd().split("\n").at(-1) ?? "").split(" ").map(Number) as [number, number, number, number, number];
  if (status !== 0) throw new Error(`${argv.join(" ")} ended with exit status ${status}:\n${stderr}`);
  return { wallMs: wallUs / 1000, cpuMs: (userUs + systemUs) / 1000, peakMiB: peakKiB / 1024 };
}

/** The median of each figure. */
export function medianOf(runs: readonly Measurement[]): Measurement {
  return { wallMs: median(runs.map((run) => run.wallMs)), cpuMs: median(runs.map((run) => run.cpuMs)), peakMiB: median(runs.map((run) => run.peakMiB)) };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
