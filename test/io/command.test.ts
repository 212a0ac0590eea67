import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startChildProcess } from "../../src/io/child-process.ts";
import { bestWay, CommandDeadlineError, type CommandOptions, runCommand, whyNotStarted } from "../../src/io/command.ts";
import type { StartProgram } from "../../src/io/program.ts";
import { openProgramAddon } from "../../src/io/program-addon.ts";
import { compiledAddon, HAS_COMPILER } from "./compiled-addon.ts";
import { childrenOf } from "./processes.ts";

const shell = (script: string) => ["/bin/sh", "-c", script];
const folder = mkdtempSync(join(tmpdir(), "command-"));
let startByAddon: StartProgram;

beforeAll(async () => {
  if (!HAS_COMPILER) return;
  const addon = await compiledAddon("program", folder);
  startByAddon = openProgramAddon(() => addon);
});
afterAll(() => rmSync(folder, { recursive: true }));

const WAYS = [
  { way: "the addon's way (skipped without a C++ compiler)", isMissing: !HAS_COMPILER, start: (program) => startByAddon(program) },
  { way: "Node.js's way", isMissing: false, start: startChildProcess },
] satisfies { way: string; isMissing: boolean; start: StartProgram }[];

describe.each(WAYS)("runCommand(), $way,", ({ isMissing, start }) => {
  beforeEach(({ skip }) => skip(isMissing));

  const run = (argv: readonly string[], options: Partial<CommandOptions> = {}) => runCommand(argv, { timeoutMs: 20_000, ...options }, start);

  it.each([
    ["output and status 0", "echo out; echo err >&2", { status: 0, signal: null, stdout: "out\n", stderr: "err\n" }],
    ["a failure is a result", "exit 7", { status: 7, signal: null, stdout: "", stderr: "" }],
    ["the signal that ended it", "kill -TERM $$", { status: null, signal: "SIGTERM", stdout: "", stderr: "" }],
    ["a signal of two names", "kill -ABRT $$", { status: null, signal: "SIGABRT", stdout: "", stderr: "" }],
    ["without output, and living on", "exec >&- 2>&-; sleep 0.1; exit 3", { status: 3, signal: null, stdout: "", stderr: "" }],
    ["with a grandchild that has the last word", "(sleep 0.1; echo late) & exit 3", { status: 3, signal: null, stdout: "late\n", stderr: "" }],
    ["text in UTF-8, and what is none", String.raw`printf 'gr\303\266\303\237er \377 \342\202'`, { status: 0, signal: null, stdout: "größer \ufffd \ufffd", stderr: "" }],
  ])("returns how the command ended: %s", async (_why, script, expected) => {
    expect(await run(shell(script))).toEqual(expected);
  });

  it("finds a program on PATH", async () => {
    expect((await run(["printf", "%s", "a b"])).stdout).toBe("a b");
  });

  it("passes arguments as they are, with no shell between", async () => {
    expect((await run(["printf", "%s|", "$HOME", "a;b", "'", "", "größer"])).stdout).toBe("$HOME|a;b|'||größer|");
  });

  it("has an empty input", async () => {
    expect((await run(["cat"])).stdout).toBe("");
  });

  it("keeps the first MiB of each output and lets the command finish", async () => {
    const { status, stdout, stderr } = await run(shell("head -c 3000000 /dev/zero | tr '\\0' o & head -c 2000000 /dev/zero | tr '\\0' e >&2; wait; exit 3"));
    const mebibyteOf = (letter: string) => letter.repeat(1024 * 1024);
    expect([status, stdout === mebibyteOf("o"), stderr === mebibyteOf("e")]).toEqual([3, true, true]);
  });

  it("starts the program with the signals as they are by default", async () => {
    const { stdout } = await run(["cat", "/proc/self/status"]);
    const none = "0".repeat(16);
    expect(stdout.match(/^Sig[BIC].*/gm)).toEqual([`SigBlk:\t${none}`, `SigIgn:\t${none}`, `SigCgt:\t${none}`]);
  });

  it("passes no descriptor that it is not asked to", async () => {
    const path = join(folder, "ours");
    const fd = openSync(path, "w");
    const list = async (inheritFds: readonly number[]) => (await run(["ls", "-l", "/proc/self/fd"], { inheritFds })).stdout.includes(path);
    expect([await list([]), await list([fd])]).toEqual([false, true]);
    closeSync(fd);
  });

  it("rejects with the system error when the program is missing", async () => {
    await expect(run(["/nowhere/program", "a", "b"])).rejects.toMatchObject({
      message: "spawn /nowhere/program ENOENT",
      code: "ENOENT",
      errno: -2,
      syscall: "spawn /nowhere/program",
      path: "/nowhere/program",
      spawnargs: ["a", "b"],
    });
  });

  it.each([
    ["is not on PATH", "no-such-program", "ENOENT", 'there is no program "no-such-program" on PATH'],
    ["is a folder", "/etc", "EACCES", 'the program "/etc" on PATH cannot be executed'],
    ["is no program", "/etc/passwd", "EACCES", 'the program "/etc/passwd" on PATH cannot be executed'],
    ["is below a file", "/etc/passwd/program", "ENOTDIR", undefined],
  ])("says why a program was not started that %s", async (_why, program, code, why) => {
    const error = await run([program]).catch((reason: unknown) => reason);
    expect([error, whyNotStarted(program, error)]).toEqual([expect.objectContaining({ code }), why]);
  });

  it("rejects when there is more to say to the program than fits", async () => {
    await expect(run(["true", "x".repeat(200_000)])).rejects.toMatchObject({ code: "E2BIG" });
  });

  it.each([
    ["an argument", ["printf", "%s", "a\0b"], {}],
    ["a variable", ["env"], { NAME: "a\0b" }],
  ])("refuses a NUL in %s, since the program would get it cut", async (_what, argv, env) => {
    await expect(run(argv, { env })).rejects.toMatchObject({ name: "TypeError", code: "ERR_INVALID_ARG_VALUE" });
  });

  it("kills a command at its deadline, even with a grandchild holding its output", async () => {
    const argv = shell("sleep 2 & wait");
    await expect(run(argv, { timeoutMs: 200 })).rejects.toEqual(new CommandDeadlineError(argv, 200));
  });

  it("leaves nothing of a command that was killed at its deadline", async () => {
    await expect(run(["sleep", "60"], { timeoutMs: 200 })).rejects.toThrow(CommandDeadlineError);
    await expect.poll(() => childrenOf(process.pid)).toEqual([]);
  });

  it("ends with the signal's reason when it is aborted", async () => {
    const stop = new AbortController();
    const running = run(["sleep", "60"], { signal: stop.signal });
    stop.abort(new Error("stopped by SIGTERM"));
    await expect(running).rejects.toThrow(/^stopped by SIGTERM$/);
    await expect(run(["true"], { signal: stop.signal })).rejects.toThrow(/^stopped by SIGTERM$/);
    await expect.poll(() => childrenOf(process.pid)).toEqual([]);
  });

  it("does not mind an abort after the end", async () => {
    const stop = new AbortController();
    const { status } = await run(["true"], { signal: stop.signal });
    stop.abort(new Error("too late"));
    expect(status).toBe(0);
  });

  describe("the environment", () => {
    const OURS = { OURS: "größer\n= than", EMPTY: "" };
    const NOT_FOR_CHILDREN = { NOTIFY_SOCKET: "ours", WATCHDOG_USEC: "ours", WATCHDOG_PID: "ours" };
    beforeEach(() => {
      for (const [name, value] of Object.entries({ ...OURS, ...NOT_FOR_CHILDREN })) vi.stubEnv(name, value);
    });
    afterEach(() => { vi.unstubAllEnvs(); });

    it("is ours and what was added, without what the service manager told us alone", async () => {
      const { stdout } = await run(["env", "-0"], { env: { ADDED: "2", EMPTY: "no more" } });
      const expected: NodeJS.ProcessEnv = { ...process.env, ADDED: "2", EMPTY: "no more" };
      const names = Object.keys(expected).filter((name) => !Object.hasOwn(NOT_FOR_CHILDREN, name));
      expect(stdout.split("\0").slice(0, -1).toSorted()).toEqual(names.map((name) => `${name}=${expected[name]}`).toSorted());
    });

    it("decides by PATH where a program is", async () => {
      vi.stubEnv("PATH", "/nowhere");
      await expect(run(["true"])).rejects.toMatchObject({ code: "ENOENT" });
    });
  });

  describe("inherited descriptors", () => {
    const paths = ["first", "second"].map((name) => join(folder, name));

    it("are the child's 3 and up, the same open files, and may be closed as soon as it runs", async () => {
      const [first = -1, second = -1] = paths.map((path) => openSync(path, "w"));
      const running = run(shell("echo 3 >&3; echo 4 >&4; echo 5 >&5; echo 3 again >&3"), { inheritFds: [second, first, second] });
      for (const fd of [first, second]) closeSync(fd);
      expect(await running).toEqual({ status: 0, signal: null, stdout: "", stderr: "" });
      expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(["4\n", "3\n5\n3 again\n"]);
    });
  });
});

it("the error of the deadline names the command and the time", () => {
  expect(new CommandDeadlineError(["kubelet", "--version"], 1500).message).toBe('"kubelet --version" did not end within 1.5 s and was killed');
});

describe("bestWay()", () => {
  it("is the addon's", () => {
    const start: StartProgram = () => { throw new Error("not called"); };
    expect(bestWay(() => start)).toBe(start);
  });

  it("is Node.js's where there is no addon, as it is outside of the executable", () => {
    expect(bestWay()).toBe(startChildProcess);
  });
});
