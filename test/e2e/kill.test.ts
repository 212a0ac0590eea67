import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect } from "vitest";
import { agentPath } from "../../packaging/agent.ts";
import { HOST } from "../../packaging/architecture.ts";
import { rehearse } from "../../packaging/rehearsal.ts";
import { makeBed } from "./bed/bed.ts";
import { describeBeds } from "./bed/describe.ts";
import { type Ended, execute } from "./bed/execute.ts";
import { BOOTSTRAP_ARGS, kubeletArguments } from "./node.ts";

/** The system calls by which files change. */
const CHANGING = ["write", "pwrite64", "ftruncate", "fsync", "fdatasync", "rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat", "chmod", "fchmod", "fchmodat", "fchown", "chown"];

const LEFTOVER = /\/\.[^/]+\.eks-node-agent-[0-9a-f]{16}$/;

/** The options of two configurations: on the way from one to the other files are written, changed and removed. */
const OLD = ["demo", "--kubelet-extra-args", "--node-labels=team=blue", "--dns-cluster-ip", "172.20.0.11", "--apiserver-endpoint", "https://old.example.com"];
const NEW = ["demo", "--node-name", "instance-id", "--pause-container-version", "3.10", "--use-max-pods", "false"];

/** Two cores. */
const LANES = 2;

describeBeds("a run that is killed", (test) => {
  test.each([
    ["first run", undefined, OLD, 100],
    ["run that changes the configuration", OLD, NEW, 30],
  ])("at any change of a file, in a %s, leaves whole files, and the next run completes it", { timeout: 300_000 }, async (what, before, args, leastPoints) => {
    await rehearse(async ({ root, env }) => {
      const agent = agentIn(env);
      const work = mkdtempSync(join(tmpdir(), "eks-node-agent-kill-"));
      const start = join(work, "start");
      cpSync(root, start, { recursive: true });
      if (before !== undefined) await agent.run(start, before);
      const old = treeOf(start);

      const undisturbed = join(work, "undisturbed");
      cpSync(start, undisturbed, { recursive: true });
      const points = await agent.points(undisturbed, args, join(work, "trace"));
      const done = treeOf(undisturbed);
      expect(done).not.toEqual(old);

      const torn: string[] = [];
      let killed = 0;
      const queue = [...points];
      await Promise.all(
        Array.from({ length: LANES }, async (_, lane) => {
          for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
            const tree = join(work, `lane-${lane}`);
            rmSync(tree, { recursive: true, force: true });
            cpSync(start, tree, { recursive: true });
            if (await agent.runKilledAt(tree, args, point)) killed++;
            torn.push(...halfFiles(treeOf(tree), old, done).map((path) => `${path} after a kill at ${show(point)}`));
            await agent.run(tree, args);
            expect({ point, tree: treeOf(tree) }).toEqual({ point, tree: done });
          }
        }),
      );
      rmSync(work, { recursive: true });
      process.stderr.write(`A ${what} was killed at ${killed} points: ${torn.length} torn files.\n`);
      expect(torn).toEqual([]);
      expect(killed).toBeGreaterThan(leastPoints);
    });
  });

  test("at any start of another program, systemctl's included, is completed by the next run", { timeout: 300_000 }, async () => {
    await using bed = await makeBed();
    await bed.booted();
    let starts = 0;
    for (let count = 1; ; count++) {
      // Each time another configuration, so that every step is there to be killed at.
      const args = [...BOOTSTRAP_ARGS, "--kubelet-extra-args", `--node-labels=try=${count}`];
      const killed = await bed.runUnit(["strace", "-f", "-qq", "-o", "/dev/null", "-e", `inject=clone,clone3,fork,vfork:signal=KILL:when=${count}+1000`, "/usr/bin/eks-node-agent", ...args]);
      const { status, stderr } = await bed.agent(...args);
      expect({ count, status, stderr: status === 0 ? "" : stderr }).toEqual({ count, status: 0, stderr: "" });
      expect(bed.kubeletStarts().at(-1)).toEqual(kubeletArguments([`--node-labels=try=${count}`]));
      expect(await bed.show("kubelet.service", "ActiveState", "NeedDaemonReload")).toEqual({ ActiveState: "active", NeedDaemonReload: "no" });
      if (killed.status === 0) break;
      starts = count;
    }
    process.stderr.write(`A run was killed at ${starts} starts of other programs, and completed each time.\n`);
    expect(starts).toBeGreaterThan(5);
  });
});

/** The `count`th of these system calls that one thread makes. */
type Point = { readonly call: string; readonly count: number };

type Agent = {
  readonly run: (tree: string, args: readonly string[]) => Promise<void>;
  /** False when this run had no such call, and so came to its end: of two that need a folder, either may be the one to make it. */
  readonly runKilledAt: (tree: string, args: readonly string[], point: Point) => Promise<boolean>;
  /** Every change of a file in a run that is not disturbed. */
  readonly points: (tree: string, args: readonly string[], trace: string) => Promise<readonly Point[]>;
};

function agentIn(variables: Readonly<Record<string, string>>): Agent {
  // One thread for all work on files, so that the same call has the same number in every run.
  const env = { ...process.env, ...variables, UV_THREADPOOL_SIZE: "1" } as Record<string, string>;
  const command = (tree: string, args: readonly string[]): readonly string[] => [agentPath(HOST), ...args, "--root", tree];
  const strace = (options: readonly string[], tree: string, args: readonly string[]): Promise<Ended> =>
    // Without --seccomp-bpf, with which strace 6.1 does not count up to when=.
    execute(["strace", "-f", "-qq", ...options, ...command(tree, args)], { env });
  return {
    run: async (tree, args) => expectDone(await execute(command(tree, args), { env })),
    runKilledAt: async (tree, args, { call, count }) => {
      const ended = await strace(["-o", "/dev/null", "-e", `trace=${call}`, "-e", `inject=${call}:signal=KILL:when=${count}`], tree, args);
      if (ended.status !== 137) expectDone(ended);
      return ended.status === 137;
    },
    points: async (tree, args, trace) => {
      expectDone(await strace(["-y", "-o", trace, "-e", `trace=${CHANGING.join(",")}`], tree, args));
      return pointsIn(readFileSync(trace, "utf8"), tree);
    },
  };
}

function expectDone({ status, stderr }: Ended): void {
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
}

/** The calls on files of the tree, each with its number among the calls of that name that its thread made. */
function pointsIn(trace: string, tree: string): readonly Point[] {
  const counts = new Map<string, number>();
  return trace.split("\n").flatMap((line) => {
    const [, thread, call = "", rest = ""] = /^(\d+) +(\w+)\((.*)/.exec(line) ?? [];
    if (thread === undefined) return [];
    const count = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, count);
    return rest.includes(tree) ? [{ call, count }] : [];
  });
}

function show({ call, count }: Point): string {
  return `${call} number ${count}`;
}

type Tree = Readonly<Record<string, { readonly mode: string; readonly contents: string }>>;

/** Every file of the node but the lock and the report, which tell of one run. */
function treeOf(root: string): Tree {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !/\/(run\/eks-node-agent\/lock|last-run\.json)$/.test(path));
  return Object.fromEntries(paths.sort().map((path) => [relative(root, path), { mode: (statSync(path).mode & 0o7777).toString(8), contents: readFileSync(path, "utf8") }]));
}

/** Files that are neither as before nor as after, or that went although they are in both. */
function halfFiles(tree: Tree, old: Tree, done: Tree): readonly string[] {
  const isWhole = (path: string, file: Tree[string]): boolean =>
    LEFTOVER.test(`/${path}`) || [old, done].some((whole) => sameFile(whole[path], file)) || (path.endsWith("/manifest.json") && isJson(file.contents));
  const changed = Object.entries(tree).filter(([path, file]) => !isWhole(path, file));
  const lost = Object.keys(old).filter((path) => path in done && !(path in tree));
  return [...changed.map(([path]) => path), ...lost];
}

/** The manifest names old and new files while they change, and so is a third one in the middle of the run. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function sameFile(a: Tree[string] | undefined, b: Tree[string]): boolean {
  return a?.mode === b.mode && a.contents === b.contents;
}
