import { execFileSync, spawnSync } from "node:child_process";
import { lstatSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apply } from "../../src/apply/apply.ts";
import { parseManifest } from "../../src/apply/manifest.ts";
import { observe } from "../../src/apply/observe.ts";
import { writeBlock } from "../../src/apply/write-block.ts";
import { compare } from "../../src/plan/compare.ts";
import type { Plan } from "../../src/plan/plan.ts";
import { plan } from "../plan/plans.ts";
import { makeTestMachine, modeOf, QUICK, type TestMachine } from "./test-machine.ts";

const HOSTS = "/etc/hosts";
const BEGIN = "# BEGIN eks-node-agent: replaced at each of its runs\n";
const END = "# END eks-node-agent\n";

let m: TestMachine;
beforeEach(() => {
  m = makeTestMachine();
});
afterEach(() => m.remove());

const write = (...lines: readonly string[]) => writeBlock(m.machine, HOSTS, lines, m.hooks.note);

describe("writeBlock()", () => {
  it("keeps what others wrote, byte for byte, and the file's mode", async () => {
    m.write(HOSTS, "", 0o640);
    writeFileSync(m.at(HOSTS), Buffer.from("127.0.0.1 localhost # caf\xe9", "latin1"));
    await write("10.0.0.1 api");
    expect(m.read(HOSTS)).toBe(`127.0.0.1 localhost # caf\ufffd\n${BEGIN}10.0.0.1 api\n${END}`);
    expect(modeOf(m.at(HOSTS))).toBe("0640");
    await write();
    expect(m.read(HOSTS)).toBe("127.0.0.1 localhost # caf\ufffd\n");
  });

  it("makes the file where there is none", async () => {
    await write("10.0.0.1 api");
    expect([m.read(HOSTS), modeOf(m.at(HOSTS))]).toEqual([`${BEGIN}10.0.0.1 api\n${END}`, "0644"]);
  });

  it("writes what a symbolic link leads to, which stays one", async () => {
    m.write("/etc/hosts.real", "::1 x\n");
    symlinkSync("hosts.real", m.at(HOSTS));
    await write("10.0.0.1 api");
    expect([lstatSync(m.at(HOSTS)).isSymbolicLink(), readlinkSync(m.at(HOSTS)), m.read("/etc/hosts.real")]).toEqual([true, "hosts.real", `::1 x\n${BEGIN}10.0.0.1 api\n${END}`]);
  });

  it("does not follow one out of the machine's root", async () => {
    m.write("/etc/x", "");
    symlinkSync("/etc/hostname", m.at(HOSTS));
    await expect(write("10.0.0.1 api")).rejects.toThrow(/it is a symbolic link out of .*, to \/etc\/hostname/);
  });

  it("writes nothing when the block is there", async () => {
    await write("10.0.0.1 api");
    const before = m.trace();
    await write("10.0.0.1 api");
    expect(m.trace()).toEqual(before);
  });

  it.skipIf(!canMount())("writes in place, with a note, where the file is a mount point", async () => {
    m.write(HOSTS, "127.0.0.1 localhost\n");
    execFileSync("mount", ["--bind", m.at(HOSTS), m.at(HOSTS)]);
    try {
      await write("10.0.0.1 a-long-name", "10.0.0.2 a-long-name");
      expect(m.read(HOSTS)).toBe(`127.0.0.1 localhost\n${BEGIN}10.0.0.1 a-long-name\n10.0.0.2 a-long-name\n${END}`);
      await write("10.0.0.3 b");
      expect(m.read(HOSTS)).toBe(`127.0.0.1 localhost\n${BEGIN}10.0.0.3 b\n${END}`);
      expect(m.names("/etc")).toEqual(["hosts"]);
      expect(new Set(m.notes)).toEqual(new Set([`written-in-place: ${HOSTS} was written in place, since something is mounted on it: a reader may for a moment have seen a part of it.`]));
    } finally {
      execFileSync("umount", [m.at(HOSTS)]);
    }
  });
});

describe("a run with a block", () => {
  const run = async (planned: Plan) => {
    const observed = await observe(m.machine, planned, m.hooks);
    const { changes } = compare(planned, observed, m.machine.owner);
    await apply(m.machine, { plan: planned, observed, changes, commandLine: undefined }, m.hooks, QUICK);
    return changes.map(({ kind }) => kind);
  };
  const withLines = (...lines: readonly string[]): Plan => ({ ...plan([]), blocks: lines.length === 0 ? [] : [{ path: HOSTS, lines }] });

  it("writes it, replaces it, leaves it, and removes it when it is planned no more", async () => {
    m.write(HOSTS, "127.0.0.1 localhost");
    expect(await run(withLines("10.0.0.1 api", "10.0.0.2 api"))).toEqual(["write-block"]);
    expect(await run(withLines("10.0.0.8 api", "10.0.0.9 api"))).toEqual(["write-block"]);
    expect(m.read(HOSTS)).toBe(`127.0.0.1 localhost\n${BEGIN}10.0.0.8 api\n10.0.0.9 api\n${END}`);
    expect(await run(withLines("10.0.0.8 api", "10.0.0.9 api"))).toEqual([]);
    expect(await run(withLines())).toEqual(["remove-block"]);
    expect(m.read(HOSTS)).toBe("127.0.0.1 localhost\n");
    expect(await run(withLines())).toEqual([]);
  });
});

describe("a manifest with blocks", () => {
  it.each([
    ['{"files":{},"units":{},"blocks":["/etc/hosts"]}', { files: {}, units: {}, blocks: ["/etc/hosts"] }],
    ['{"files":{},"units":{}}', { files: {}, units: {} }],
    ['{"files":{},"units":{},"blocks":["/etc/../root/x"]}', undefined],
    ['{"files":{},"units":{},"blocks":[1]}', undefined],
  ])("%s", (text, expected) => {
    expect(parseManifest(text)).toEqual(expected);
  });
});

function canMount(): boolean {
  const script = 'f=$(mktemp) && mount --bind "$f" "$f" && umount "$f"; s=$?; rm -f "$f"; exit $s';
  return spawnSync("sh", ["-c", script]).status === 0;
}
