import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

type Options = { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> };

/**
 * Runs a program to its end and returns what it wrote to stdout.
 *
 * @throws Error with what it wrote to stderr, or else to stdout, when it does not exit 0
 */
export async function runTool(program: string, args: readonly string[], { cwd, env }: Options = {}): Promise<string> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = [textOf(child.stdout), textOf(child.stderr)];
  const [code, signal] = await new Promise<[number | null, string | null]>((done, failed) => {
    child.once("close", (...how) => done(how));
    child.once("error", failed);
  });
  if (code === 0) return out();
  throw new Error(`${program} ${args.join(" ")} ended with ${signal ?? `exit status ${code}`}:\n${err() || out()}`);
}

function textOf(stream: NodeJS.ReadableStream): () => string {
  const chunks: string[] = [];
  stream.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  return () => chunks.join("");
}

/** Where a program is on the PATH, if it is there. */
export function findTool(name: string): string | undefined {
  return (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
