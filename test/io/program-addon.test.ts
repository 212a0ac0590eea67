import { spawn } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compilerFor } from "../../packaging/addon.ts";
import { HOST } from "../../packaging/architecture.ts";
import { runTool } from "../../packaging/tool.ts";
import type { Program, StartProgram } from "../../src/io/program.ts";
import { openProgramAddon } from "../../src/io/program-addon.ts";
import { compiledAddon, HAS_COMPILER } from "./compiled-addon.ts";
import { childrenOf } from "./processes.ts";

/** A C library that does not let the kernel open a pidfd, as before Linux 5.3. */
const NO_PIDFD = `
#include <cerrno>
#include <dlfcn.h>
#include <sys/syscall.h>
extern "C" long syscall(long number, long a, long b, long c, long d, long e, long f) {
  static const auto next = reinterpret_cast<long (*)(long, ...)>(dlsym(RTLD_NEXT, "syscall"));
  if (number != SYS_pidfd_open) return next(number, a, b, c, d, e, f);
  errno = ENOSYS;
  return -1;
}
`;

describe.skipIf(!HAS_COMPILER)("the addon (skipped without a C++ compiler)", () => {
  let folder: string;
  let runProgram: (...values: readonly unknown[]) => unknown;
  let start: StartProgram;
  let resourcesBefore: ReturnType<typeof resources>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "program-"));
    const addon = await compiledAddon("program", folder);
    ({ runProgram } = addon as { runProgram: typeof runProgram });
    start = openProgramAddon(() => addon);
    resourcesBefore = resources();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const programOf = (script: string, more: Partial<Program> = {}): Program => ({ argv: ["/bin/sh", "-c", script], env: {}, inheritFds: [], outputLimitBytes: 100, ...more });
  const run = (script: string, more: Partial<Program> = {}) => start(programOf(script, more)).ended;

  test("runs many programs at once, and keeps none of what it needed for them", async () => {
    const results = await Promise.all(Array.from({ length: 60 }, (_, n) => run(`head -c 200000 /dev/zero; echo ${n} >&2; exit ${n}`)));
    expect(results).toEqual(results.map((_, n) => ({ status: n, signal: null, stdout: "\0".repeat(100), stderr: `${n}\n` })));
    await expect.poll(resources).toEqual(resourcesBefore);
  });

  test("keeps nothing of programs that did not start, or were killed", async () => {
    await Promise.allSettled(Array.from({ length: 20 }, () => start({ ...programOf(""), argv: ["/nowhere"] }).ended));
    const killed = Array.from({ length: 20 }, () => start(programOf("sleep 3 & exec sleep 60")));
    for (const { kill } of killed) kill();
    expect(new Set((await Promise.all(killed.map(({ ended }) => ended))).map(({ signal }) => signal))).toEqual(new Set(["SIGKILL"]));
    await expect.poll(resources).toEqual(resourcesBefore);
  });

  test.each([0, 1, 99, 100, 101, 4095, 4096, 4097, 10_000, 70_000, 1_000_000])("keeps no more than the limit: %d bytes", async (outputLimitBytes) => {
    const { stdout, stderr } = await run("head -c 100000 /dev/zero; head -c 70000 /dev/zero >&2", { outputLimitBytes });
    expect([stdout.length, stderr.length]).toEqual([Math.min(100_000, outputLimitBytes), Math.min(70_000, outputLimitBytes)]);
  });

  test("gives what was written until the program was killed", async () => {
    const { ended, kill } = start(programOf(`echo started; : > ${join(folder, "told")}; exec sleep 60`));
    await expect.poll(() => readdirSync(folder)).toContain("told");
    kill();
    kill();
    expect(await ended).toEqual({ status: null, signal: "SIGKILL", stdout: "started\n", stderr: "" });
    kill();
  });

  test("gives the program the environment that it is told, and nothing else", async () => {
    const { stdout } = await start({ ...programOf(""), argv: ["env", "-0"], env: { B: "größer\n= than", A: "", PATH: "/nowhere" } }).ended;
    expect(stdout).toBe("B=größer\n= than\0A=\0PATH=/nowhere\0");
  });

  test("names a signal that has no name by its number", async () => {
    expect(await run("kill -40 $$")).toEqual({ status: null, signal: "signal 40", stdout: "", stderr: "" });
  });

  test("does not have a shell run what is no program", async () => {
    const path = join(folder, "script");
    writeFileSync(path, "echo run by a shell\n");
    chmodSync(path, 0o755);
    await expect(start({ ...programOf(""), argv: [path] }).ended).rejects.toMatchObject({ code: "ENOEXEC", path });
  });

  test.each([
    ["words that are no strings", () => [["true", 1], [], [], 100, () => undefined]],
    ["no words", () => [[], [], [], 100, () => undefined]],
    ["an environment that is no list", () => [["true"], {}, [], 100, () => undefined]],
    ["a NUL", () => [["true", "\0"], [], [], 100, () => undefined]],
    ["descriptors that are no numbers", () => [["true"], [], ["0"], 100, () => undefined]],
    ["nothing to call", () => [["true"], [], [], 100]],
    ["nothing", () => []],
  ])("refuses %s", (_what, values) => {
    expect(runProgram(...values())).toBe(22);
  });

  test("says which descriptor cannot be passed", () => {
    expect(() => start(programOf("", { inheritFds: [1_000_000] }))).toThrow("spawn /bin/sh EBADF");
  });

  test("needs the C library and no other, not newer than that of Amazon Linux 2023", async () => {
    const needed = await runTool("objdump", ["-p", join(folder, "program.node")]);
    expect([...needed.matchAll(/NEEDED\s+(\S+)/g)].map(([, library]) => library)).toEqual(["libc.so.6"]);
    expect([...needed.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor)).filter((minor) => minor > 34)).toEqual([]);
  });

  const load = () => `const addon = { exports: {} }; process.dlopen(addon, ${JSON.stringify(join(folder, "program.node"))}); const run = addon.exports.runProgram; const nothing = () => {};\n`;

  /** Runs JavaScript in a process of its own, where `run` is the addon's function, with these files as its 3, 4, … */
  async function exitsWith7(code: string, files: readonly number[] = [], env: NodeJS.ProcessEnv = {}): Promise<void> {
    const child = spawn(process.execPath, ["-e", load() + code], { stdio: ["ignore", "inherit", "inherit", ...files], env: { ...process.env, ...env } });
    expect(await new Promise((done, failed) => child.once("error", failed).once("exit", (...how) => done(how)))).toEqual([7, null]);
  }

  test("gives descriptors that are 3 and 4 themselves, in another order", async () => {
    const paths = ["third", "fourth"].map((name) => join(folder, name));
    const files = paths.map((path) => openSync(path, "w"));
    await exitsWith7(`run(["sh", "-c", "echo 3 >&3; echo 4 >&4"], [], [4, 3], 100, (failure, status) => process.exit(failure || status || 7))`, files);
    files.forEach((fd) => closeSync(fd));
    expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(["4\n", "3\n"]);
  });

  test("keeps the process alive until the program has ended, and no longer", async () => {
    await exitsWith7(`run(["sleep", "0.2"], [], [], 100, () => { process.exitCode = 7; })`);
  });

  test.each([
    ["while a program runs", `run(["sleep", "4"], [], [], 100, nothing); setTimeout(() => process.exit(7), 10)`],
    ["while programs are being started", `for (let i = 0; i < 20; i++) run(["sleep", "0.01"], [], [], 100, nothing); process.exit(7)`],
    ["while programs end", `for (let i = 0; i < 20; i++) run(["true"], [], [], 100, i === 10 ? () => process.exit(7) : nothing)`],
    ["just after it has killed one", `const kill = run(["sleep", "60"], [], [], 100, nothing); kill(); process.exit(7)`],
  ])("lets the process end at once: %s", async (_when, code) => {
    for (let time = 0; time < 12; time += 1) await exitsWith7(code);
  });

  test("ends with the JavaScript thread that it runs for, and so do its programs", async () => {
    const inWorker = `for (let i = 0; i < 5; i++) run(["sleep", "60"], [], [], 100, nothing); require("node:worker_threads").parentPort.postMessage("runs")`;
    await exitsWith7(`
      const worker = new (require("node:worker_threads").Worker)(${JSON.stringify(load())} + ${JSON.stringify(inWorker)}, { eval: true });
      worker.once("message", async () => {
        await worker.terminate();
        run(["sh", "-c", "grep -l ^PPid:.$PPID$ /proc/[0-9]*/status | wc -l"], [], [], 100, (failure, status, signal, stdout) => process.exit(Number(stdout) === 1 ? 7 : 1));
      });
    `);
  });

  describe.each([["the kernel tells it", ""], ["the kernel cannot tell it, as before Linux 5.3", NO_PIDFD]])("a program that has closed its outputs, where %s,", (_where, preloaded) => {
    const env: NodeJS.ProcessEnv = {};

    beforeAll(async () => {
      if (preloaded === "") return;
      const [source, library] = [join(folder, "preloaded.cc"), join(folder, "preloaded.so")];
      writeFileSync(source, preloaded);
      await runTool(compilerFor(HOST) ?? "", ["-shared", "-fPIC", "-o", library, source]);
      env["LD_PRELOAD"] = library;
    });

    test("is waited for", async () => {
      await exitsWith7(`run(["sh", "-c", "exec >&- 2>&-; sleep 0.1; exit 7"], [], [], 100, (failure, status) => process.exit(failure || status))`, [], env);
    });

    test("is killed", async () => {
      await exitsWith7(`setTimeout(run(["sh", "-c", "exec >&- 2>&- sleep 60"], [], [], 100, (failure, status, signal) => process.exit(signal === 9 ? 7 : 1)), 50)`, [], env);
    });
  });
});

/** How many descriptors, threads and children this process has. */
function resources(): Readonly<Record<string, number>> {
  return { descriptors: readdirSync("/proc/self/fd").length, threads: readdirSync("/proc/self/task").length, children: childrenOf(process.pid).length };
}

test("an addon that is another is refused", () => {
  expect(() => openProgramAddon(() => ({ sendDatagram: () => 0 }))).toThrow('the addon "program" has no runProgram');
});
