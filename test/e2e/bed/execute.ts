import { spawn } from "node:child_process";

/** How a program ended. */
export type Ended = {
  /** Exit status; 128 and the signal's number when a signal ended it, as a shell counts. */
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
};

export type ExecuteOptions = { readonly input?: string; readonly timeoutMs?: number; readonly env?: Readonly<Record<string, string>> };

/** Runs a program to its end, whatever its exit status. */
export async function execute([program = "", ...args]: readonly string[], { input, timeoutMs = 120_000, env }: ExecuteOptions = {}): Promise<Ended> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"], ...(env && { env }), timeout: timeoutMs, killSignal: "SIGKILL" });
  // A program that does not read what it is given is no failure of ours.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input ?? "");
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const status = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? 128 + (signal === "SIGTERM" ? 15 : 9)));
  });
  return { status, stdout: stdout(), stderr: stderr() };
}

/** Runs a program that must succeed, and returns its stdout. */
export async function must(argv: readonly string[], options: ExecuteOptions = {}): Promise<string> {
  const { status, stdout, stderr } = await execute(argv, options);
  if (status === 0) return stdout;
  throw new Error(`"${argv.join(" ")}" ended with ${status}:\n${stdout}${stderr}`);
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: string[] = [];
  stream.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  return () => chunks.join("");
}
