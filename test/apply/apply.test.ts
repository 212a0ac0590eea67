import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { apply } from "../../src/apply/apply.ts";
import { MANIFEST_PATH } from "../../src/apply/manifest.ts";
import { observe } from "../../src/apply/observe.ts";
import { stage } from "../../src/apply/stage.ts";
import { compare } from "../../src/plan/compare.ts";
import { nextManifest } from "../../src/plan/next-manifest.ts";
import type { Change, Plan, RecordedCommandLine } from "../../src/plan/plan.ts";
import { file, plan, unit } from "../plan/plans.ts";
import { makeTestMachine, modeOf, QUICK, type TestMachine } from "./test-machine.ts";

const CONFIG = "/etc/kubernetes/kubelet/kubelet-config.json";
const UNIT_FILE = "/etc/systemd/system/kubelet.service";
const DROP_IN = "/etc/systemd/system/kubelet.service.d/10-kubelet-args.conf";
const EXTRA = "/etc/systemd/system/kubelet.service.d/30-kubelet-extra-args.conf";

/** A node in small: containerd, and kubelet with a JSON file and unit files. */
function nodePlan(change: { readonly args?: string; readonly maxPods?: number; readonly extra?: string } = {}): Plan {
  const files = [
    file("/etc/containerd/config.toml", "version = 2\n"),
    file(CONFIG, `{\n  "maxPods": ${change.maxPods ?? 58}\n}\n`),
    file("/var/lib/kubelet/kubeconfig", "kubeconfig\n", { mode: 0o600, isSecret: true }),
    file(UNIT_FILE, "[Service]\nExecStart=/usr/bin/kubelet $KUBELET_ARGS\n"),
    file(DROP_IN, `[Service]\nEnvironment='KUBELET_ARGS=${change.args ?? "--v=2"}'\n`),
    ...(change.extra === undefined ? [] : [file(EXTRA, `[Service]\nEnvironment='KUBELET_EXTRA_ARGS=${change.extra}'\n`)]),
  ];
  return plan(files, [
    unit("containerd.service", ["/etc/containerd/config.toml"]),
    unit("kubelet.service", [CONFIG, "/var/lib/kubelet/kubeconfig", UNIT_FILE, DROP_IN, EXTRA]),
  ]);
}

let m: TestMachine;
beforeEach(async () => {
  m = makeTestMachine();
  m.write("/usr/lib/systemd/system/containerd.service", "[Service]\nExecStart=/usr/bin/containerd\n");
  await m.listen("/run/containerd/containerd.sock");
});
afterEach(() => m.remove());

/** One run: observes, compares, applies; the steps that were begun. */
async function run(planned: Plan, more: { readonly commandLine?: RecordedCommandLine; readonly onStep?: (change: Change) => void; readonly signal?: AbortSignal } = {}): Promise<readonly string[]> {
  const steps: string[] = [];
  const observed = await observe(m.machine, planned, m.hooks);
  const { changes } = compare(planned, observed, m.machine.owner);
  const onStep = (change: Change, take: () => Promise<void>) => {
    steps.push(showStep(change));
    more.onStep?.(change);
    return take();
  };
  const hooks = { ...m.hooks, onStep, ...(more.signal && { signal: more.signal }) };
  await apply(m.machine, { plan: planned, observed, changes, commandLine: more.commandLine }, hooks, QUICK);
  return steps;
}

function showStep(change: Change): string {
  if (change.kind === "write-file") return `write ${change.file.path}`;
  if (change.kind === "remove-file") return `remove ${change.path}`;
  return "unit" in change ? `${change.kind} ${change.unit}` : change.kind;
}

/** Makes the run die as by SIGKILL when it comes to a step: nothing more happens, nothing is cleaned up. */
function dieAt(kind: Change["kind"]) {
  return (change: Change) => {
    if (change.kind === kind) throw new Error("killed");
  };
}

const manifest = () => JSON.parse(m.read(MANIFEST_PATH)) as unknown;

describe("apply() on a new node", () => {
  it("writes every file, reloads, enables and starts, in this order", async () => {
    const planned = nodePlan();
    expect(await run(planned)).toEqual([
      ...planned.files.map(({ path }) => `write ${path}`),
      "reload-systemd",
      "enable-unit containerd.service",
      "enable-unit kubelet.service",
      "start-unit containerd.service",
      "start-unit kubelet.service",
    ]);
    expect(planned.files.map(({ path, mode }) => [m.read(path), modeOf(m.at(path)) === `0${mode.toString(8)}`])).toEqual(planned.files.map(({ contents }) => [contents, true]));
    expect(m.commands()).toEqual([
      // It ends with a reload.
      "--quiet enable -- containerd.service kubelet.service",
      "start --no-block -- containerd.service",
      "start --no-block -- kubelet.service",
    ]);
    expect([manifest(), m.notes]).toEqual([nextManifest(planned, undefined), []]);
  });

  it("writes nothing and starts nothing the second time", async () => {
    await run(nodePlan());
    const before = m.trace();
    m.commands();
    expect(await run(nodePlan())).toEqual([]);
    expect([m.trace(), m.commands(), m.notes]).toEqual([before, [], []]);
  });

  it("remembers how the node was configured, and forgets it when told", async () => {
    const commandLine = { args: ["bootstrap", "c"], environment: { USE_MAX_PODS: "false" } };
    await run(nodePlan(), { commandLine });
    expect(manifest()).toEqual(nextManifest(nodePlan(), commandLine));
    await run(nodePlan());
    expect(manifest()).toEqual(nextManifest(nodePlan(), undefined));
  });

  it("has its files and its memory, and asks systemd nothing, when an image is built", async () => {
    const planned = { ...nodePlan(), units: [] };
    await run(planned);
    expect([m.calls(), manifest()]).toEqual([[], nextManifest(planned, undefined)]);
  });
});

describe("apply() of what was staged", () => {
  it("puts the very files in place that lie beside it", async () => {
    const planned = nodePlan();
    const observed = await observe(m.machine, planned, m.hooks);
    const work = { plan: planned, observed, changes: compare(planned, observed, m.machine.owner).changes, commandLine: undefined };
    const staged = await stage(m.machine, work);
    const directory = dirname(DROP_IN);
    await vi.waitUntil(() => m.names(directory).length === 1);
    const [name = ""] = m.names(directory);
    const { ino } = lstatSync(join(m.at(directory), name));
    await apply(m.machine, work, m.hooks, QUICK, staged);
    expect([m.names(directory), lstatSync(m.at(DROP_IN)).ino]).toEqual([["10-kubelet-args.conf"], ino]);
    expect([manifest(), await run(planned)]).toEqual([nextManifest(planned, undefined), []]);
  });

  it("stages nothing that comes after a step of another kind, since a mount would hide it", async () => {
    const planned = nodePlan();
    const observed = await observe(m.machine, planned, m.hooks);
    const [first, ...others] = compare(planned, observed, m.machine.owner).changes;
    if (first === undefined) throw new Error("there is nothing to do");
    const changes: readonly Change[] = [first, { kind: "mount", unit: "var-lib-kubelet.mount", mountPoint: "/var/lib/kubelet" }, ...others];
    const { discard } = await stage(m.machine, { plan: planned, observed, changes, commandLine: undefined });
    await vi.waitUntil(() => m.names("/etc/containerd").length === 1);
    expect([m.names("/var/lib/kubelet"), m.names("/etc/systemd")]).toEqual([[], []]);
    await discard();
    expect(m.names("/etc")).toEqual([]);
  });
});

describe("apply() on a node that has changed", () => {
  beforeEach(async () => {
    await run(nodePlan({ extra: "--a=b" }));
    m.commands();
  });

  it("restarts what reads a changed file, and nothing else", async () => {
    expect(await run(nodePlan({ extra: "--a=b", maxPods: 20 }))).toEqual([`write ${CONFIG}`, "restart-unit kubelet.service"]);
    expect(m.commands()).toEqual(["restart --no-block -- kubelet.service"]);
  });

  it("removes what is not planned any more, and forgets it", async () => {
    expect(await run(nodePlan())).toEqual([`remove ${EXTRA}`, "reload-systemd", "restart-unit kubelet.service"]);
    expect([m.names("/etc/systemd/system/kubelet.service.d"), manifest()]).toEqual([["10-kubelet-args.conf"], nextManifest(nodePlan(), undefined)]);
  });

  it("neither writes nor restarts for eksctl's rewrite of the JSON with jq", async () => {
    m.write(CONFIG, '{"maxPods":58}');
    expect(await run(nodePlan({ extra: "--a=b" }))).toEqual([]);
    expect(m.read(CONFIG)).toBe('{"maxPods":58}');
  });

  it("puts back a file that somebody else changed, and says so", async () => {
    m.write(DROP_IN, "[Service]\n");
    expect(await run(nodePlan({ extra: "--a=b" }))).toEqual([`write ${DROP_IN}`, "reload-systemd"]);
    expect(m.notes).toEqual([`drift: ${DROP_IN} was changed by somebody else since eks-node-agent wrote it, and is as planned again. To keep a change, put it into the node's configuration.`]);
  });

  it("replaces a symbolic link that somebody put in a file's place", async () => {
    m.write("/etc/elsewhere", "kept\n");
    m.write(DROP_IN, "");
    rmSync(m.at(DROP_IN));
    symlinkSync(m.at("/etc/elsewhere"), m.at(DROP_IN));
    await run(nodePlan({ extra: "--a=b" }));
    expect([m.read("/etc/elsewhere"), readFileSync(m.at(DROP_IN), "utf8").startsWith("[Service]")]).toEqual(["kept\n", true]);
  });

  it("starts a failed unit after reset-failed", async () => {
    m.unit("kubelet.service", { failed: "" });
    expect(await run(nodePlan({ extra: "--a=b" }))).toEqual(["start-unit kubelet.service"]);
    expect(m.commands()).toEqual(["reset-failed -- kubelet.service", "start --no-block -- kubelet.service"]);
  });

  it("restarts a unit that waits to be restarted with old files", async () => {
    m.unit("kubelet.service", { mode: "dies-after-0", "restart-ms": "60000" });
    expect(await run(nodePlan({ extra: "--a=b", maxPods: 20 }))).toEqual([`write ${CONFIG}`, "restart-unit kubelet.service"]);
  });

  it("forgets what it started when the manifest is broken, and removes nothing", async () => {
    m.write(MANIFEST_PATH, "{");
    expect(await run(nodePlan())).toEqual(["restart-unit containerd.service", "restart-unit kubelet.service"]);
    expect([m.names("/etc/systemd/system/kubelet.service.d").length, m.notes.length]).toEqual([2, 1]);
  });
});

describe("apply() after a run that was killed", () => {
  it("completes what was written but not loaded by systemd", async () => {
    await run(nodePlan());
    await expect(run(nodePlan({ args: "--v=4" }), { onStep: dieAt("reload-systemd") })).rejects.toThrow(/^killed$/);
    m.commands();
    expect(await run(nodePlan({ args: "--v=4" }))).toEqual(["reload-systemd", "restart-unit kubelet.service"]);
    expect(m.commands()).toEqual(["daemon-reload", "restart --no-block -- kubelet.service"]);
    expect([manifest(), m.notes]).toEqual([nextManifest(nodePlan({ args: "--v=4" }), undefined), []]);
  });

  it("restarts what was reloaded but not restarted", async () => {
    await run(nodePlan());
    await expect(run(nodePlan({ args: "--v=4" }), { onStep: dieAt("restart-unit") })).rejects.toThrow(/^killed$/);
    expect(await run(nodePlan({ args: "--v=4" }))).toEqual(["restart-unit kubelet.service"]);
  });

  it("does not restart the units that the killed run had started", async () => {
    const dieAtKubelet = (change: Change) => {
      if (change.kind === "start-unit" && change.unit === "kubelet.service") throw new Error("killed");
    };
    await expect(run(nodePlan(), { onStep: dieAtKubelet })).rejects.toThrow(/^killed$/);
    expect(await run(nodePlan())).toEqual(["start-unit kubelet.service"]);
  });

  it("removes what the killed run had written and nobody plans any more", async () => {
    await expect(run(nodePlan({ extra: "--a=b" }), { onStep: dieAt("reload-systemd") })).rejects.toThrow(/^killed$/);
    expect((await run(nodePlan()))[0]).toBe(`remove ${EXTRA}`);
  });

  it("removes its temporary files, and does not take its work for somebody else's", async () => {
    await expect(run(nodePlan(), { onStep: dieAt("reload-systemd") })).rejects.toThrow(/^killed$/);
    m.write("/etc/systemd/system/kubelet.service.d/.10-kubelet-args.conf.eks-node-agent-0123456789abcdef", "half");
    m.write("/var/lib/eks-node-agent/.manifest.json.eks-node-agent-0123456789abcdef", "half");
    await run(nodePlan({ args: "--v=6" }));
    expect(["/etc/systemd/system/kubelet.service.d", "/var/lib/eks-node-agent"].map((path) => [...m.names(path)].sort())).toEqual([["10-kubelet-args.conf"], ["image", "manifest.json"]]);
    expect(m.notes).toEqual([]);
  });
});

describe("apply() that cannot go on", () => {
  it("writes nothing at all when a directory is in the way of one file", async () => {
    mkdirSync(m.at(DROP_IN), { recursive: true });
    const before = m.trace();
    await expect(run(nodePlan())).rejects.toMatchObject({
      code: "write-failed",
      message: `Cannot write "${DROP_IN}": there is a directory at that path`,
      remedy: "Move it away, then run eks-node-agent again.",
    });
    expect([m.trace(), m.commands()]).toEqual([before, []]);
  });

  it("leaves the other files whole when one cannot be written, and the next run completes them", async () => {
    m.write("/etc/containerd", "a file where a directory should be");
    await expect(run(nodePlan())).rejects.toMatchObject({ code: "write-failed", message: `Cannot write ${m.at("/etc/containerd/config.toml")}: file already exists (EEXIST)` });
    expect([m.read(CONFIG), m.commands()]).toEqual([nodePlan().files[1]?.contents, []]);
    rmSync(m.at("/etc/containerd"));
    expect((await run(nodePlan()))[0]).toBe("write /etc/containerd/config.toml");
  });

  it("finishes the files and then stops when it is told to", async () => {
    const stop = new AbortController();
    const onStep = (change: Change) => {
      if (change.kind === "write-file") stop.abort(new Error("SIGTERM"));
    };
    await expect(run(nodePlan(), { onStep, signal: stop.signal })).rejects.toThrow(/^SIGTERM$/);
    expect(nodePlan().files.map(({ path }) => m.read(path))).toEqual(nodePlan().files.map(({ contents }) => contents));
    expect(m.commands()).toEqual([]);
  });

  it("tells in systemd's words why a unit cannot be started, and what to do", async () => {
    m.unit("kubelet.service", { mode: "refuses" });
    await expect(run(nodePlan())).rejects.toMatchObject({
      code: "unit-not-up",
      exitStatus: 69,
      message: '"systemctl start --no-block -- kubelet.service" failed with status 1: Failed to start kubelet.service: Transport endpoint is not connected',
      remedy: "See why: systemctl status kubelet.service.",
    });
  });

  it.each([
    ["missing", () => undefined, "enable unit: Unit file containerd.service does not exist", "Install the package that brings containerd.service, or see where its file should be: systemctl cat containerd.service."],
    ["masked", () => { symlinkSync("/dev/null", m.at("/usr/lib/systemd/system/containerd.service")); }, "enable unit: Unit file /etc/systemd/system/containerd.service is masked", "Unmask it: systemctl unmask containerd.service."],
  ])("says what to do about a unit that is %s", async (_how, make, said, remedy) => {
    rmSync(m.at("/usr/lib/systemd/system/containerd.service"));
    make();
    await expect(run(nodePlan())).rejects.toMatchObject({
      code: "unit-not-up",
      message: `"systemctl --quiet enable -- containerd.service" failed with status 1: Failed to ${said}`,
      remedy,
    });
  });

  it("writes nothing where there is no systemd to start kubelet", async () => {
    m.stubFile("no-systemd", "");
    await expect(run(nodePlan())).rejects.toMatchObject({ code: "unit-not-up", remedy: "Run eks-node-agent where systemd runs; for an image being built, give its directory with --root." });
    expect(m.names("/etc")).toEqual([]);
  });
});
