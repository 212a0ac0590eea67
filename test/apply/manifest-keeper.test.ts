import { mkdirSync, rmSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readManifest } from "../../src/apply/manifest.ts";
import { manifestKeeper } from "../../src/apply/manifest-keeper.ts";
import { EMPTY_MANIFEST, type Manifest } from "../../src/plan/plan.ts";
import { makeTestMachine, type TestMachine } from "./test-machine.ts";

const PATH = "/var/lib/eks-node-agent/manifest.json";

let m: TestMachine;
beforeEach(() => {
  m = makeTestMachine();
});
afterEach(() => m.remove());

const started = (...units: readonly string[]): Manifest => ({ files: {}, units: Object.fromEntries(units.map((unit) => [unit, "digest"])) });
const onDisk = (): Manifest => readManifest(m.machine, m.hooks.note);

test("what is kept is on the disk when keep() returns, and the latest wins", async () => {
  const { keep, keepSoon, current } = manifestKeeper(m.machine, EMPTY_MANIFEST);
  keepSoon(started("a"));
  expect(current()).toEqual(started("a"));
  await keep(started("a", "b"));
  expect(onDisk()).toEqual(started("a", "b"));
});

test("what comes while another is written is written after it", async () => {
  const { keep, keepSoon } = manifestKeeper(m.machine, EMPTY_MANIFEST);
  const first = keep(started("a"));
  // It is at its fsync(2) now.
  await setImmediate();
  await setImmediate();
  keepSoon(started("a", "b"));
  await keep(started("a", "b", "c"));
  await first;
  expect(onDisk()).toEqual(started("a", "b", "c"));
});

test("what is to be kept soon is on the disk soon, though nobody waits for it", async () => {
  manifestKeeper(m.machine, EMPTY_MANIFEST).keepSoon(started("a"));
  await vi.waitUntil(() => m.names("/var/lib/eks-node-agent").includes("manifest.json"));
  expect(onDisk()).toEqual(started("a"));
});

test("a manifest that is the same is not written", async () => {
  await manifestKeeper(m.machine, started("a", "b")).keep(started("b", "a"));
  expect(m.names("/var/lib/eks-node-agent")).toEqual([]);
});

test("what could not be written soon is told and tried again by the next that waits", async () => {
  const { keep, keepSoon, current } = manifestKeeper(m.machine, EMPTY_MANIFEST);
  mkdirSync(m.at(PATH), { recursive: true });
  keepSoon(started("a"));
  await expect(keep(current())).rejects.toMatchObject({ code: "write-failed" });
  rmSync(m.at(PATH), { recursive: true });
  await keep(current());
  expect(onDisk()).toEqual(started("a"));
});
