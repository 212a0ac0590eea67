import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { acquireLock, LOCK_PATH } from "../../src/apply/lock.ts";
import { makeTestMachine, modeOf, type TestMachine } from "./test-machine.ts";

let m: TestMachine;
beforeEach(() => { m = makeTestMachine(); });
afterEach(() => m.remove());

const busy = (holder: string) => ({
  code: "lock-busy",
  exitStatus: 75,
  message: `Another run of eks-node-agent${holder} holds ${m.at(LOCK_PATH)} for more than 0.2 s`,
  remedy: "Wait for it to end, or see what it waits for: journalctl -u eks-node-agent.",
});

describe("acquireLock()", () => {
  it("keeps a second run out until it is released, and names the holder", async () => {
    const lock = await acquireLock(m.machine, { timeoutMs: 1000 });
    await expect(acquireLock(m.machine, { timeoutMs: 200 })).rejects.toMatchObject(busy(`, process ${process.pid},`));
    await lock.release();
    await (await acquireLock(m.machine, { timeoutMs: 200 })).release();
  });

  it("waits for a run that ends in time", async () => {
    const first = await acquireLock(m.machine, { timeoutMs: 1000 });
    const second = acquireLock(m.machine, { timeoutMs: 20_000 });
    await first.release();
    await (await second).release();
    expect(m.read(LOCK_PATH)).toBe(`${process.pid}\n`);
  });

  it("is free again when its holder was killed, and does not name one that is gone", async () => {
    await (await acquireLock(m.machine, { timeoutMs: 1000 })).release();
    const holder = spawn("flock", ["--no-fork", m.at(LOCK_PATH), "/bin/sh", "-c", `echo 4194304 > ${m.at(LOCK_PATH)}; echo held; exec sleep 60`]);
    await once(holder.stdout, "data");
    await expect(acquireLock(m.machine, { timeoutMs: 200 })).rejects.toMatchObject(busy(""));
    holder.kill("SIGKILL");
    await (await acquireLock(m.machine, { timeoutMs: 10_000 })).release();
  });

  it("has a file for root alone, in a directory for all to see", async () => {
    await (await acquireLock(m.machine, { timeoutMs: 1000 })).release();
    expect([modeOf(m.at(LOCK_PATH)), modeOf(m.at("/run/eks-node-agent"))]).toEqual(["0600", "0755"]);
  });

  it("says what to install when flock is missing", async () => {
    vi.stubEnv("PATH", "/nowhere");
    await expect(acquireLock(m.machine, { timeoutMs: 200 })).rejects.toMatchObject({
      code: "program-missing",
      exitStatus: 72,
      message: 'Cannot lock against other runs: there is no program "flock" on PATH',
      remedy: "Install util-linux.",
    });
  });

  it("stops waiting when the run is told to end", async () => {
    const lock = await acquireLock(m.machine, { timeoutMs: 1000 });
    const stop = new AbortController();
    const waiting = acquireLock(m.machine, { timeoutMs: 60_000, signal: stop.signal });
    stop.abort(new Error("SIGTERM"));
    await expect(waiting).rejects.toThrow(/^SIGTERM$/);
    await lock.release();
  });
});
