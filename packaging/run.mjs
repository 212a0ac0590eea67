// Runs one of the project's tasks with the Node.js pinned in package-lock.json: `node packaging/run.mjs TASK [ARGUMENTS]`.
// It is what the npm scripts call, so it needs nothing installed and works on any Node.js from 20 on.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const binaries = join(root, "node_modules/.bin");

/** Each task is the programs it runs, one after the other until one fails; "…" stands for the arguments of the command line. */
const tasks = {
  build: [["packaging/build.ts", "…"]],
  test: [["node_modules/vitest/vitest.mjs", "run", "…"]],
  lint: [["node_modules/eslint/bin/eslint.js", "--max-warnings=0", "."]],
  types: [["node_modules/typescript/bin/tsc", "--noEmit", "-p", "."]],
  check: ["lint", "types", "test"],
  bench: [["packaging/build.ts"], ["test/bench/bench.ts", "…"]],
  fleet: [["test/bench/fleet/main.ts", "…"]],
  generate: [["packaging/generate.ts"], ["packaging/docs.ts"]],
  simulate: [["test/simulator/main.ts", "…"]],
  rpm: [["packaging/rpm.ts", "…"]],
  beds: [["test/e2e/bed/install.ts"]],
  e2e: ["beds", ["node_modules/vitest/vitest.mjs", "run", "--project", "e2e", "…"]],
  demo: [["packaging/build.ts"], ["packaging/demo.ts", "…"]],
  example: [["packaging/build.ts"], ["test/report/example.ts"]],
};

const [name = "", ...args] = process.argv.slice(2);
if (!Object.hasOwn(tasks, name)) fail(`There is no task "${name}": the tasks are ${Object.keys(tasks).join(", ")}.`);
const node = pinnedNode();
if (!installedMatchesLock()) install();
for (const words of programsOf(name)) await run(words);

function programsOf(task) {
  return tasks[task].flatMap((step) => (typeof step === "string" ? programsOf(step) : [step]));
}

function pinnedNode() {
  const { platform, arch } = process;
  if (platform !== "linux" || !["x64", "arm64"].includes(arch)) {
    fail(`eks-node-agent is built and tested on Linux, x86_64 or aarch64; this is ${platform} ${arch}. A container of that kind will do.`);
  }
  return join(root, `node_modules/node-linux-${arch}/bin/node`);
}

/** Whether node_modules holds what package-lock.json names, and nothing else. npm's own record of it is the last file that an install writes. */
function installedMatchesLock() {
  const wanted = packagesIn("package-lock.json");
  const installed = packagesIn("node_modules/.package-lock.json");
  const fits = (path) => installed[path]?.integrity === wanted[path].integrity || (wanted[path].optional && !installed[path]);
  return existsSync(node) && Object.keys(wanted).every(fits) && Object.keys(installed).every((path) => wanted[path]);
}

function packagesIn(file) {
  if (!existsSync(join(root, file))) return {};
  const { "": _project, ...packages } = JSON.parse(readFileSync(join(root, file), "utf8")).packages;
  return packages;
}

function install() {
  console.error("Installing the packages that package-lock.json names: npm ci");
  // By the machine's own Node.js: the pinned one is among the files that npm is about to replace.
  const PATH = process.env.PATH.split(delimiter).filter((folder) => folder !== binaries).join(delimiter);
  const env = { ...process.env, PATH };
  const { status, error } = spawnSync("npm", ["ci", "--include=dev", "--include=optional", "--loglevel=error"], { cwd: root, env, stdio: ["ignore", 2, 2] });
  if (status !== 0) fail(`npm ci failed${error ? `: ${error.message}` : ""}. It needs npm, and a registry or a filled npm cache.`);
  if (!existsSync(node)) fail(`npm ci did not install "${node}". Was it told to omit optional packages?`);
}

async function run(words) {
  const argv = words.flatMap((word) => (word === "…" ? args : [word]));
  const PATH = [binaries, process.env.PATH].join(delimiter);
  const child = spawn(node, argv, { cwd: root, env: { ...process.env, PATH }, stdio: "inherit" });
  passSignals(child);
  const [code, signal] = await new Promise((done) => {
    child.once("exit", (...how) => done(how));
    child.once("error", (error) => fail(`Cannot run "${node}": ${error.message}. It needs glibc 2.28 or later.`));
  });
  if (signal) endBy(signal);
  else if (code !== 0) process.exit(code);
}

/** A terminal sends SIGINT to every process of the foreground group, the child included: sent on, it would arrive twice. */
function passSignals(child) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.removeAllListeners(signal);
    process.on(signal, () => (signal === "SIGINT" && process.stdin.isTTY ? undefined : child.kill(signal)));
  }
}

function endBy(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  process.exit(128 + constants.signals[signal]);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
