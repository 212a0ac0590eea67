import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { waitForSocket } from "../../src/apply/wait-for-socket.ts";
import { makeTestMachine, QUICK, type TestMachine } from "./test-machine.ts";

const UNIT = "containerd.service";
const SOCKET = "/run/containerd/containerd.sock";

let m: TestMachine;
beforeEach(() => { m = makeTestMachine(); });
afterEach(() => m.remove());

/** containerd, started now, in one of the stub's modes. */
function start(mode: string, state: Readonly<Record<string, string>> = {}): void {
  m.unit(UNIT, { known: "", mode, started: String(Date.now()), journal: "starting\nboom\n", ...state });
}

const wait = (patience = QUICK, isRestarted = false) => waitForSocket({ machine: m.machine, unit: UNIT, socket: SOCKET, isRestarted }, patience, m.hooks);

describe("waitForSocket()", () => {
  it("is done when the unit is up and answers", async () => {
    start("activates-after-100");
    const waiting = wait();
    await m.listen(SOCKET);
    await waiting;
    expect(m.notes).toEqual([]);
  });

  it("asks systemd nothing when what was started answers at once", async () => {
    await m.listen(SOCKET);
    await wait();
    expect(m.calls()).toEqual([]);
  });

  it("is done after a restart when systemd says that the new one is up, and it answers", async () => {
    await m.listen(SOCKET);
    start("activates-after-100");
    await wait(QUICK, true);
    expect(m.calls().length).toBeGreaterThan(0);
  });

  it("does not take the socket of a program that is being replaced for an answer", async () => {
    await m.listen(SOCKET);
    start("activates-after-60000");
    await expect(wait({ ...QUICK, socketMs: 100 }, true)).rejects.toMatchObject({ message: `${UNIT} does not answer on ${SOCKET} after 0.1 s` });
  });

  it("gives up at its deadline, with what the unit said last", async () => {
    start("ok");
    await expect(wait({ ...QUICK, socketMs: 100 })).rejects.toMatchObject({
      code: "unit-not-up",
      message: `${UNIT} does not answer on ${SOCKET} after 0.1 s`,
      remedy: `See why: journalctl -u ${UNIT}.`,
      lines: ["starting", "boom"],
    });
  });

  it.each([
    ["failed for good", "fails-after-0", {}, "is not up: failed (exit-code), exit status 1"],
    ["keeps exiting", "dies-after-0", { "restart-ms": "100" }, "is not up: activating (exit-code), exit status 1"],
  ])("gives up at once when the unit %s", async (_how, mode, state, what) => {
    start(mode, state);
    await expect(wait({ ...QUICK, socketMs: 60_000 })).rejects.toMatchObject({ code: "unit-not-up", message: `${UNIT} ${what}`, lines: ["starting", "boom"] });
  });

  it("leaves a unit to systemd that waits for others, and names them", async () => {
    start("waiting");
    m.stubFile("jobs", "3 cloud-final.service start running\n4 multi-user.target start waiting\n");
    await wait();
    expect(m.notes).toEqual([
      "unit-waiting: containerd.service is queued, and systemd starts it after cloud-final.service, which it is ordered after; eks-node-agent does not wait for that. See: systemctl list-jobs.",
    ]);
  });
});
