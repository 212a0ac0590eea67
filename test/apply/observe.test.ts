import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { machineAt } from "../../src/apply/machine.ts";
import { MANIFEST_PATH } from "../../src/apply/manifest.ts";
import { observe } from "../../src/apply/observe.ts";
import { EMPTY_MANIFEST } from "../../src/plan/plan.ts";
import { file, plan, unit } from "../plan/plans.ts";
import { makeTestMachine, type TestMachine } from "./test-machine.ts";

let m: TestMachine;
beforeEach(() => { m = makeTestMachine(); });
afterEach(() => m.remove());

const observeFile = async (path = "/etc/a") => (await observe(m.machine, plan([file(path)]), m.hooks)).files.get(path);

describe("observe() on files", () => {
  it("reads contents, mode and owner", async () => {
    m.write("/etc/a", "text\n", 0o600);
    expect(await observeFile()).toEqual({ kind: "file", contents: "text\n", mode: 0o600, ...m.machine.owner });
  });

  it.each([
    ["nothing", () => undefined, { kind: "absent" }],
    ["a file where its directory should be", () => { m.write("/etc", ""); }, { kind: "absent" }],
    ["a symbolic link", () => { m.write("/etc/b", ""); symlinkSync("b", m.at("/etc/a")); }, { kind: "symlink", target: "b" }],
    ["a symbolic link to nothing", () => { m.write("/etc/b", ""); symlinkSync("/x", m.at("/etc/a")); }, { kind: "symlink", target: "/x" }],
    ["a directory", () => { mkdirSync(m.at("/etc/a"), { recursive: true }); }, { kind: "other", what: "directory" }],
    ["a named pipe, without waiting for its writer", () => { m.write("/etc/b", ""); execFileSync("mkfifo", [m.at("/etc/a")]); }, { kind: "other", what: "named pipe" }],
    ["a socket", () => m.listen("/etc/a"), { kind: "other", what: "socket" }],
    ["a file of gigabytes, unread", () => { m.write("/etc/a", ""); truncateSync(m.at("/etc/a"), 3e9); }, { kind: "other", what: "file of 3000000000 bytes" }],
  ])("sees %s", async (_what, make, expected) => {
    await Promise.resolve(make());
    expect(await observeFile()).toEqual(expected);
  });

  it.runIf(process.getuid?.() !== 0)("tells what it may not read from what is not there", async () => {
    m.write("/etc/a", "", 0o000);
    expect(await observeFile()).toEqual({ kind: "unreadable" });
  });

  it("looks at the paths of earlier runs too, and returns their manifest", async () => {
    const manifest = { files: { "/etc/old": "sha256:1" }, units: {} };
    m.write(MANIFEST_PATH, JSON.stringify(manifest));
    m.write("/etc/old", "x");
    const observed = await observe(m.machine, plan([file("/etc/a")]), m.hooks);
    expect([[...observed.files.keys()], observed.files.get("/etc/old")?.kind, observed.manifest]).toEqual([["/etc/a", "/etc/old"], "file", manifest]);
  });
});

describe("observe() below a root", () => {
  it("refuses a directory that leads out of it, even to one that does not exist", async () => {
    mkdirSync(m.at("/etc"));
    for (const [link, target] of [["eks", "/usr"], ["kubernetes", "/"]] as const) symlinkSync(target, m.at(`/etc/${link}`));
    const error = (path: string, to: string) => ({
      code: "write-failed",
      message: `Cannot use ${m.at(path)}: its directory is a symbolic link out of ${m.machine.root}, to ${to}`,
      remedy: "Make the link relative, or run eks-node-agent inside the image with chroot.",
    });
    await expect(observeFile("/etc/eks/a")).rejects.toMatchObject(error("/etc/eks/a", "/usr"));
    await expect(observeFile("/etc/kubernetes/eks-node-agent-test/d/a")).rejects.toMatchObject(error("/etc/kubernetes/eks-node-agent-test/d/a", "/"));
  });

  it("follows one that stays inside", async () => {
    m.write("/usr/etc/a", "text\n");
    symlinkSync("usr/etc", m.at("/etc"));
    expect(await observeFile()).toMatchObject({ kind: "file", contents: "text\n" });
  });
});

describe("machineAt()", () => {
  const me = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const here = { root: "", hasUnits: true, owner: { uid: 0, gid: 0 } };
  it.each([
    [undefined, here],
    ["", here],
    ["/", here],
    ["/mnt/image/", { root: "/mnt/image", hasUnits: false, owner: me }],
    ["image", { root: `${process.cwd()}/image`, hasUnits: false, owner: me }],
  ])("%j", (root, machine) => {
    expect(machineAt(root)).toEqual(machine);
  });
});

describe("observe() on units", () => {
  const kubelet = plan([], [unit("containerd.service"), unit("kubelet.service")]);

  it("asks for all of them in one call", async () => {
    m.write("/usr/lib/systemd/system/containerd.service", "[Service]\n");
    m.unit("containerd.service", { started: String(Date.now()), enabled: "" });
    const { units } = await observe(m.machine, kubelet, m.hooks);
    expect([...units.values()]).toEqual([
      { name: "containerd.service", loadState: "loaded", activeState: "active", subState: "running", unitFileState: "enabled", needDaemonReload: false, command: { fragment: "/usr/lib/systemd/system/containerd.service", dropIns: [], execStart: "", environmentFiles: [] } },
      { name: "kubelet.service", loadState: "not-found", activeState: "inactive", subState: "dead", unitFileState: "", needDaemonReload: false, command: { fragment: "", dropIns: [], execStart: "", environmentFiles: [] } },
    ]);
    expect(m.calls()).toEqual(["show --property=LoadState,ActiveState,SubState,UnitFileState,NeedDaemonReload,FragmentPath,DropInPaths,ExecStart,EnvironmentFiles -- containerd.service kubelet.service"]);
  });

  it("sees a unit file that changed since systemd read it", async () => {
    m.write("/etc/systemd/system/kubelet.service", "[Service]\n");
    m.unit("kubelet.service", { started: String(Date.now()), loaded: "other" });
    expect((await observe(m.machine, kubelet, m.hooks)).units.get("kubelet.service")?.needDaemonReload).toBe(true);
  });

  it("notes that it does not know them where there is no systemd", async () => {
    m.stubFile("no-systemd", "");
    expect(await observe(m.machine, kubelet, m.hooks)).toEqual({ files: new Map(), units: new Map(), manifest: EMPTY_MANIFEST });
    expect(m.notes).toEqual([
      'units-unknown: The units are taken as not running: "systemctl show --property=LoadState,ActiveState,SubState,UnitFileState,NeedDaemonReload,FragmentPath,DropInPaths,ExecStart,EnvironmentFiles -- containerd.service kubelet.service" failed with status 1: System has not been booted with systemd as init system (PID 1). Can\'t operate.',
    ]);
  });

  it("asks nothing of a machine without units", async () => {
    expect((await observe({ ...m.machine, hasUnits: false }, kubelet, m.hooks)).units.size).toBe(0);
    expect(m.calls()).toEqual([]);
  });
});
