import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Channel, type Origin, type ServiceManager, serviceManager } from "../../src/io/notify.ts";

const PID = 4321;
const OURS: Origin = { environment: { NOTIFY_SOCKET: "/run/systemd/notify", SYSTEMD_EXEC_PID: String(PID) }, pid: PID, parentPid: 1 };
const EXTENSION = "EXTEND_TIMEOUT_USEC=60000000";

const refuse = (message: string): void => {
  throw new Error(message);
};

/** What arrives when `tell` has told everything. */
async function told(tell: (manager: ServiceManager) => void, { origin = OURS, channels }: { origin?: Origin; channels?: (sent: string[]) => readonly Channel[] } = {}) {
  const sent: string[] = [];
  const warnings: string[] = [];
  const one: Channel = { name: "one", open: (socket) => (state) => void sent.push(socket === "/run/systemd/notify" ? state : `${state} to ${socket}`) };
  const manager = serviceManager(origin, (message) => warnings.push(message), channels?.(sent) ?? [one]);
  tell(manager);
  await manager.close();
  return { sent, warnings };
}

describe("systemd hears of this process's start", () => {
  test("each thing as it is told, and that the wait for it is no hang", async () => {
    const { sent, warnings } = await told((manager) => {
      manager.status("reading the configuration");
      manager.status("finished in 1.234s");
      manager.ready();
      manager.stopping();
      manager.failed("Cannot write");
      manager.failed("Cannot write: no space left", 28);
    });
    expect(sent).toEqual([`STATUS=reading the configuration\n${EXTENSION}`, `STATUS=finished in 1.234s\n${EXTENSION}`, "READY=1", "STOPPING=1", "STATUS=Cannot write", "STATUS=Cannot write: no space left\nERRNO=28"]);
    expect(warnings).toEqual([]);
  });

  test("a status of several lines cannot say that the run is ready", async () => {
    const { sent } = await told((manager) => manager.status("no answer:\n  READY=1\r\nMAINPID=1\n"));
    expect(sent).toEqual([`STATUS=no answer: READY=1 MAINPID=1\n${EXTENSION}`]);
  });

  test("again and again while the run goes on, and no longer", async () => {
    vi.useFakeTimers();
    try {
      const { sent } = await told(() => vi.advanceTimersByTime(10_000));
      vi.advanceTimersByTime(60_000);
      expect(sent).toEqual([EXTENSION, EXTENSION]);
    } finally {
      vi.useRealTimers();
    }
  });

  const ORIGINS: readonly (readonly [why: string, origin: Partial<Origin>, hears: boolean])[] = [
    ["systemd started it", {}, true],
    ["it is a child of a service", { pid: 99, parentPid: PID }, false],
    ["it is a child of a service whose parent is gone", { pid: 99, parentPid: 1 }, false],
    ["there is no socket", { environment: { SYSTEMD_EXEC_PID: String(PID) } }, false],
    ["the socket has no name", { environment: { NOTIFY_SOCKET: "", SYSTEMD_EXEC_PID: String(PID) } }, false],
    ["systemd is too old to say whom it started, and is the parent", { environment: { NOTIFY_SOCKET: "/run/systemd/notify" } }, true],
    ["systemd is too old to say whom it started, and is not the parent", { environment: { NOTIFY_SOCKET: "/run/systemd/notify" }, parentPid: 77 }, false],
  ];
  test.each(ORIGINS)("or does not, where %s", async (_why, origin, hears) => {
    const { sent } = await told((manager) => manager.ready(), { origin: { ...OURS, ...origin } });
    expect(sent).toEqual(hears ? ["READY=1"] : []);
  });

  test("nothing is opened where nobody listens", async () => {
    const opened: string[] = [];
    await told((manager) => manager.ready(), { origin: { ...OURS, environment: {} }, channels: () => [{ name: "one", open: () => (opened.push("one"), () => undefined) }] });
    expect(opened).toEqual([]);
  });
});

describe("ways to systemd", () => {
  const collect = (name: string, sent: string[]): Channel => ({ name, open: () => (state) => void sent.push(`${name}: ${state}`) });

  const CHANNELS: readonly (readonly [why: string, channels: (sent: string[]) => readonly Channel[], sent: readonly string[]])[] = [
    ["the first is enough", (sent) => [collect("a", sent), collect("b", sent)], ["a: STATUS=x", "a: READY=1"]],
    ["one that cannot be opened is left out", (sent) => [{ name: "a", open: () => refuse("no library") as never }, collect("b", sent)], ["b: STATUS=x", "b: READY=1"]],
    ["one that is closed by then is left at what it did not send", (sent) => [untilRefused("a", sent, "READY=1"), collect("b", sent)], ["a: STATUS=x", "b: READY=1"]],
  ];
  test.each(CHANNELS)("%s", async (_why, channels, sent) => {
    const tell = (manager: ServiceManager): void => {
      manager.failed("x");
      manager.ready();
    };
    expect(await told(tell, { channels })).toEqual({ sent, warnings: [] });
  });

  test("that there is none is told once, with each reason", async () => {
    const channels = (): readonly Channel[] => [{ name: "a", open: () => refuse("no library") as never }, { name: "b", open: () => () => refuse("ECONNREFUSED") }];
    const { warnings } = await told((manager) => manager.ready(), { channels });
    expect(warnings).toEqual(["systemd cannot be told how far the run is, and takes a good end for a failure. a: no library; b: ECONNREFUSED"]);
  });

  test("a slow one keeps the order, and is waited for at the end", async () => {
    const channels = (sent: string[]): readonly Channel[] => [{
      name: "slow",
      open: () => async (state) => {
        for (let turns = state.length; turns > 0; turns -= 1) await setImmediate();
        sent.push(state);
      },
    }];
    const { sent } = await told((manager) => { manager.failed("a long one"); manager.ready(); }, { channels });
    expect(sent).toEqual(["STATUS=a long one", "READY=1"]);
  });
});

describe("without an addon", () => {
  let folder: string | undefined;

  afterEach(() => {
    vi.unstubAllEnvs();
    if (folder !== undefined) rmSync(folder, { recursive: true });
    folder = undefined;
  });

  function systemdNotify(body: string): string {
    folder = mkdtempSync(join(tmpdir(), "notify-"));
    writeFileSync(join(folder, "systemd-notify"), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, "systemd-notify"), 0o755);
    vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
    return join(folder, "said");
  }

  async function tell(): Promise<readonly string[]> {
    const warnings: string[] = [];
    const manager = serviceManager(OURS, (message) => warnings.push(message));
    manager.failed("it's \"so\" $HOME", 28);
    manager.ready();
    await manager.close();
    return warnings;
  }

  test("the program systemd-notify says each in its arguments", async () => {
    const said = systemdNotify(`for word; do printf '%s|' "$NOTIFY_SOCKET" "$word"; done >> "$(dirname "$0")/said"; echo >> "$(dirname "$0")/said"`);
    expect(await tell()).toEqual([]);
    expect(readFileSync(said, "utf8").split("\n")).toEqual([
      `/run/systemd/notify|STATUS=it's "so" $HOME|/run/systemd/notify|ERRNO=28|`,
      "/run/systemd/notify|READY=1|",
      "",
    ]);
  });

  test("its failure is told", async () => {
    systemdNotify("echo No status data could be sent >&2; exit 1");
    const [warning, ...others] = await tell();
    expect(warning).toMatch(/^systemd cannot be told how far the run is.* sd-notify: .*; datagram: the addon "datagram" is only in the built executable; systemd-notify: exit status 1: No status data could be sent$/s);
    expect(others).toEqual([]);
  });
});

function untilRefused(name: string, sent: string[], refused: string): Channel {
  return { name, open: () => (state) => (state === refused ? refuse("closed") : void sent.push(`${name}: ${state}`)) };
}
