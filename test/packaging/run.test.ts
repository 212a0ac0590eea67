import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const NODE = `node-linux-${process.arch}`;
const LOCKED = {
  [`node_modules/${NODE}`]: { integrity: "sha512-node", optional: true },
  "node_modules/node-linux-other": { integrity: "sha512-other", optional: true },
  "node_modules/vitest": { integrity: "sha512-vitest" },
};
const { "node_modules/node-linux-other": _other, ...INSTALLED } = LOCKED;

let project: string;

/** A project whose npm says that it was called and installs nothing, and whose Vitest writes its arguments to a file. */
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "run-"));
  for (const folder of ["bin", "packaging", "node_modules/vitest", `node_modules/${NODE}/bin`]) mkdirSync(join(project, folder), { recursive: true });
  cpSync("packaging/run.mjs", join(project, "packaging/run.mjs"));
  symlinkSync(process.execPath, join(project, `node_modules/${NODE}/bin/node`));
  writeFileSync(join(project, "bin/npm"), '#!/bin/sh\necho "npm $*" >>calls\n');
  chmodSync(join(project, "bin/npm"), 0o755);
  writeLock("package-lock.json", LOCKED);
  writeLock("node_modules/.package-lock.json", INSTALLED);
  writeVitest('import { appendFileSync } from "node:fs"; appendFileSync("calls", `vitest ${process.argv.slice(2).join(" ")}\\n`);');
});

afterEach(() => rmSync(project, { recursive: true }));

describe("packages that are in step with package-lock.json are left alone", () => {
  test.each([
    ["all are there", INSTALLED],
    ["the optional one of another architecture is there too", LOCKED],
  ])("%s", async (_why, installed) => {
    writeLock("node_modules/.package-lock.json", installed);
    expect(await run("test")).toEqual({ code: 0, signal: null, stderr: "" });
    expect(calls()).toBe("vitest run\n");
  });
});

describe("packages that are not are installed first", () => {
  test.each([
    ["none is there", {}],
    ["one is missing", { [`node_modules/${NODE}`]: { integrity: "sha512-node" } }],
    ["one is another version", { ...INSTALLED, "node_modules/vitest": { integrity: "sha512-older" } }],
    ["one was given up", { ...INSTALLED, "node_modules/left-over": { integrity: "sha512-left-over" } }],
    ["the pinned Node.js is another version", { ...INSTALLED, [`node_modules/${NODE}`]: { integrity: "sha512-older" } }],
  ])("%s", async (_why, installed) => {
    writeLock("node_modules/.package-lock.json", installed);
    expect((await run("test")).stderr).toBe("Installing the packages that package-lock.json names: npm ci\n");
    expect(calls()).toBe("npm ci --include=dev --include=optional --loglevel=error\nvitest run\n");
  });
});

test("the arguments after the task's name reach its program as they are", async () => {
  await run("test", "a b", "--reporter=json", "$HOME");
  expect(calls()).toBe("vitest run a b --reporter=json $HOME\n");
});

test("the exit status of the program is that of the task", async () => {
  writeVitest("process.exit(7);");
  expect(await run("test")).toEqual({ code: 7, signal: null, stderr: "" });
});

test("a signal ends the program, and the task dies by the same", async () => {
  writeVitest('process.stderr.write("started\\n"); setInterval(() => {}, 1000);');
  const child = spawnTask(["test"]);
  child.stderr.once("data", () => child.kill("SIGTERM"));
  expect(await ended(child)).toEqual({ code: null, signal: "SIGTERM", stderr: "started\n" });
});

test("an unknown task is refused with the names of those that there are", async () => {
  expect(await run("tset")).toEqual({
    code: 1,
    signal: null,
    stderr: expect.stringMatching(/^There is no task "tset": the tasks are build, test, [a-z0-9, ]+\.\n$/) as string,
  });
});

function writeLock(path: string, packages: Readonly<Record<string, unknown>>): void {
  writeFileSync(join(project, path), JSON.stringify({ packages: { "": {}, ...packages } }));
}

function writeVitest(program: string): void {
  writeFileSync(join(project, "node_modules/vitest/vitest.mjs"), program);
}

function calls(): string {
  return readFileSync(join(project, "calls"), "utf8");
}


function spawnTask(args: readonly string[]) {
  const env = { ...process.env, PATH: `${join(project, "bin")}:${process.env["PATH"]}` };
  return spawn(process.execPath, ["packaging/run.mjs", ...args], { cwd: project, env, stdio: ["ignore", "inherit", "pipe"] });
}

function run(...args: readonly string[]): Promise<Ended> {
  return ended(spawnTask(args));
}

type Ended = { readonly code: number | null; readonly signal: string | null; readonly stderr: string };

async function ended(child: ReturnType<typeof spawnTask>): Promise<Ended> {
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  return new Promise((done) => child.once("close", (code, signal) => done({ code, signal, stderr })));
}
