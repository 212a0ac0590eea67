import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CommandDeadlineError, runCommand } from "../../src/io/command.ts";

const shell = (script: string) => ["/bin/sh", "-c", script];

describe("runCommand()", () => {
  it.each([
    ["output and status 0", "echo out; echo err >&2", { status: 0, signal: null, stdout: "out\n", stderr: "err\n" }],
    ["a failure is a result", "exit 7", { status: 7, signal: null, stdout: "", stderr: "" }],
    ["the signal that ended it", "kill -TERM $$", { status: null, signal: "SIGTERM", stdout: "", stderr: "" }],
  ])("returns how the command ended: %s", async (_why, script, expected) => {
    expect(await runCommand(shell(script), { timeoutMs: 10_000 })).toEqual(expected);
  });

  it("finds a program on PATH", async () => {
    expect((await runCommand(["printf", "%s", "a b"], { timeoutMs: 10_000 })).stdout).toBe("a b");
  });

  it("passes arguments as they are, with no shell between", async () => {
    expect((await runCommand(["printf", "%s|", "$HOME", "a;b", "'"], { timeoutMs: 10_000 })).stdout).toBe("$HOME|a;b|'|");
  });

  it("writes the input, and an empty one when there is none", async () => {
    expect((await runCommand(["cat"], { timeoutMs: 10_000, input: "fed" })).stdout).toBe("fed");
    expect((await runCommand(["cat"], { timeoutMs: 10_000 })).stdout).toBe("");
  });

  it("takes it that a program ends without reading its input", async () => {
    expect((await runCommand(["true"], { timeoutMs: 10_000, input: "x".repeat(1 << 20) })).status).toBe(0);
  });

  it("keeps the first MiB of the output and lets the command finish", async () => {
    const result = await runCommand(shell("head -c 3000000 /dev/zero; exit 3"), { timeoutMs: 10_000 });
    expect([result.status, result.stdout.length]).toEqual([3, 1024 * 1024]);
  });

  it("rejects with the system error when the program is missing", async () => {
    await expect(runCommand(["/nowhere/program"], { timeoutMs: 10_000 })).rejects.toMatchObject({ code: "ENOENT", path: "/nowhere/program" });
  });

  it("kills a command at its deadline, even with a grandchild holding its output", async () => {
    await expect(runCommand(shell("sleep 2 & wait"), { timeoutMs: 200 })).rejects.toEqual(
      new CommandDeadlineError(shell("sleep 2 & wait"), 200),
    );
  });

  it("names the command and the time in the error of the deadline", () => {
    expect(new CommandDeadlineError(["kubelet", "--version"], 1500).message).toBe('"kubelet --version" did not end within 1.5 s and was killed');
  });

  it("ends with the signal's reason when it is aborted", async () => {
    const stop = new AbortController();
    const running = runCommand(["sleep", "20"], { timeoutMs: 30_000, signal: stop.signal });
    stop.abort(new Error("stopped by SIGTERM"));
    await expect(running).rejects.toThrow(/^stopped by SIGTERM$/);
    await expect(runCommand(["true"], { timeoutMs: 1000, signal: stop.signal })).rejects.toThrow(/^stopped by SIGTERM$/);
  });
});

describe("runCommand()'s environment", () => {
  beforeEach(() => {
    for (const name of ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]) vi.stubEnv(name, "ours");
  });
  afterEach(() => { vi.unstubAllEnvs(); });

  it("is ours and what was added, without what the service manager told us alone", async () => {
    vi.stubEnv("OURS", "1");
    const { stdout } = await runCommand(["env"], { timeoutMs: 10_000, env: { ADDED: "2" } });
    const names = ["OURS", "ADDED", "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"];
    expect(names.filter((name) => new RegExp(`^${name}=`, "m").test(stdout))).toEqual(["OURS", "ADDED"]);
  });
});

describe("runCommand()'s inherited descriptors", () => {
  it("are the child's 3 and up, the same open file", async () => {
    const directory = mkdtempSync(join(tmpdir(), "command-"));
    const fd = openSync(join(directory, "file"), "w");
    await runCommand(shell("echo through >&3"), { timeoutMs: 10_000, inheritFds: [fd] });
    closeSync(fd);
    expect(readFileSync(join(directory, "file"), "utf8")).toBe("through\n");
    rmSync(directory, { recursive: true });
  });
});
