import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noteFailedUnits } from "../../src/apply/units.ts";
import { verify, type Verification } from "../../src/apply/verify.ts";
import { makeTestMachine, QUICK, type TestMachine } from "./test-machine.ts";

const UNIT = "kubelet.service";
const JOURNAL = Array.from({ length: 25 }, (_, index) => `line ${index + 1}`);

let m: TestMachine;
let server: Server;
let status: number;
let asked: number;
beforeEach(async () => {
  m = makeTestMachine();
  [status, asked] = [200, 0];
  server = createServer((request, response) => {
    asked += 1;
    response.writeHead(request.url === "/healthz" ? status : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  await m.remove();
});

/** kubelet, started now, in one of the stub's modes. */
function start(mode: string, state: Readonly<Record<string, string>> = {}): void {
  m.unit(UNIT, { known: "", mode, started: String(Date.now()), journal: `${JOURNAL.join("\n")}\n`, ...state });
}

function check(more: Partial<Verification> = {}): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const verification: Verification = { unit: UNIT, wait: "healthy", timeoutMs: 20_000, healthz: { address: "127.0.0.1", port }, awaitsCertificate: false, ...more };
  return verify(verification, m.hooks, QUICK);
}

const port = () => (server.address() as AddressInfo).port;

describe("verify()", () => {
  it("is content with a kubelet that is active and healthy", async () => {
    start("activates-after-100");
    await check();
    expect([asked, m.notes]).toEqual([1, []]);
  });

  it("asks on loopback when kubelet listens everywhere", async () => {
    start("ok");
    await check({ healthz: { address: "0.0.0.0", port: port() } });
    expect(asked).toBe(1);
  });

  it("does not ask for health when active is enough", async () => {
    start("ok");
    await check({ wait: "active" });
    expect([asked, m.notes]).toEqual([0, []]);
  });

  it("asks nobody anything when nothing is waited for", async () => {
    start("fails-after-0");
    await check({ wait: "none" });
    expect([asked, m.calls()]).toEqual([0, []]);
  });

  it("waits for a kubelet that is not healthy yet", async () => {
    start("ok");
    status = 500;
    const checking = check();
    await expect.poll(() => asked).toBeGreaterThan(1);
    status = 200;
    await checking;
    expect(m.notes).toEqual([]);
  });

  it("notes the first exit", async () => {
    status = 500;
    start("dies-once-after-0", { "restart-ms": "300" });
    const checking = check();
    await expect.poll(() => m.notes.length).toBe(1);
    status = 200;
    await checking;
    expect(m.notes).toEqual(["unit-exited: kubelet.service exited once, with exit status 1; systemd starts it again."]);
  });

  it("ends at the second exit, with the exit status and the last 20 lines of the journal", async () => {
    status = 500;
    start("dies-after-0", { "restart-ms": "300" });
    await expect(check({ timeoutMs: 600_000 })).rejects.toMatchObject({
      code: "unit-not-up",
      exitStatus: 69,
      message: "kubelet.service exited twice, the last time with exit status 1",
      remedy: "See why: journalctl -u kubelet.service.",
      lines: JOURNAL.slice(5),
    });
  });

  it.each([
    ["fails-after-0", "kubelet.service is not running: failed (exit-code), exit status 1"],
    ["exits-after-0", "kubelet.service is not running: inactive, exit status 0"],
  ])("ends at once when nothing will start kubelet again: %s", async (mode, message) => {
    start(mode);
    await expect(check({ timeoutMs: 600_000 })).rejects.toMatchObject({ code: "unit-not-up", message, lines: JOURNAL.slice(5) });
  });

  it("says what the health check answered when the time is over", async () => {
    start("ok");
    status = 503;
    await expect(check({ timeoutMs: 200 })).rejects.toMatchObject({
      code: "unit-not-up",
      message: `kubelet.service is active but not healthy (http://127.0.0.1:${port()}/healthz: 503) after 0.2 s`,
    });
  });

  it("says so when nobody listens there", async () => {
    start("ok");
    await expect(check({ timeoutMs: 200, healthz: { address: "127.0.0.1", port: 1 } })).rejects.toMatchObject({
      message: "kubelet.service is active but not healthy (http://127.0.0.1:1/healthz: connection refused) after 0.2 s",
    });
  });

  it("says that a certificate is awaited where it is", async () => {
    start("ok");
    status = 503;
    await expect(check({ timeoutMs: 200, awaitsCertificate: true })).rejects.toMatchObject({
      remedy: "See why: journalctl -u kubelet.service. It may be waiting for its certificate signing request to be approved: kubectl get csr.",
    });
  });

  it("leaves a kubelet to systemd that waits for others", async () => {
    start("waiting");
    m.stubFile("jobs", "3 cloud-final.service start running\n");
    await check();
    expect(m.notes).toEqual([
      "unit-waiting: kubelet.service is queued, and systemd starts it after cloud-final.service, which it is ordered after; eks-node-agent does not wait for that. See: systemctl list-jobs.",
    ]);
  });

  it("stops waiting when the run is told to end", async () => {
    start("activates-after-60000");
    const stop = new AbortController();
    const checking = verify({ unit: UNIT, wait: "active", timeoutMs: 60_000, healthz: { address: "127.0.0.1", port: 1 }, awaitsCertificate: false }, { ...m.hooks, signal: stop.signal }, QUICK);
    stop.abort(new Error("SIGTERM"));
    await expect(checking).rejects.toThrow(/^SIGTERM$/);
  });
});

describe("verify() of a kubelet without a health check", () => {
  const healthz = { address: "127.0.0.1", port: 0 };

  it("takes some time without an exit for health, with a note", async () => {
    start("ok");
    await check({ healthz });
    expect(m.notes).toEqual(["healthz-off: kubelet.service has no health check (healthzPort 0): that it is up is known only from its not having exited."]);
  });

  it("does not take the time before an exit for it", async () => {
    start("dies-after-300", { "restart-ms": "100" });
    // How it ended is told where it has not been started again in the meantime.
    await expect(check({ healthz })).rejects.toMatchObject({ code: "unit-not-up", message: expect.stringMatching(/^kubelet\.service exited twice(, the last time with exit status 1)?$/) as string });
  });
});

describe("noteFailedUnits()", () => {
  it("names those that failed, of the units that nobody waited for", async () => {
    m.unit("sandbox-image.service", { known: "", failed: "" });
    m.unit("containerd.service", { known: "", started: String(Date.now()) });
    await noteFailedUnits(["containerd.service", "sandbox-image.service"], m.hooks.note);
    expect(m.notes).toEqual(["unit-failed: sandbox-image.service failed (exit-code). See: systemctl status sandbox-image.service."]);
  });
});
