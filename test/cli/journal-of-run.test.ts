import { spawn, spawnSync } from "node:child_process";
import { closeSync, fstatSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compilerFor } from "../../packaging/addon.ts";
import { HOST } from "../../packaging/architecture.ts";
import { type Rehearsal, rehearse } from "../../packaging/rehearsal.ts";
import { EVENTS } from "../../src/cli/events.ts";
import type { SimulatorOptions } from "../simulator/simulator.ts";
import { executable } from "../build.ts";
import { CAN_RECEIVE, receiver } from "../io/receiver.ts";

const HAS_COMPILER = compilerFor(HOST) !== undefined;
const CAN_MOUNT = spawnSync("unshare", ["--mount", "true"]).status === 0;

/** Programs that run the words after them on a machine that is changed for these alone. */
const WITHOUT_LIBSYSTEMD = ["unshare", "--mount", "sh", "-ec", `for library in $(ldconfig -p | sed -n 's/.*libsystemd.so.0 .*=> //p'); do mount --bind /dev/null "$library"; done; exec "$@"`, "sh"];
const withJournalIn = (folder: string): readonly string[] => [
  ...["unshare", "--mount", "sh", "-ec"],
  `mount -t tmpfs run /run; mkdir -p /run/systemd/journal; mount --bind '${folder}' /run/systemd/journal; exec "$@"`,
  "sh",
];
const AS_SERVICE = ["sh", "-c", `SYSTEMD_EXEC_PID=$$ exec "$@"`, "sh"];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "journal-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.skipIf(!HAS_COMPILER || !CAN_RECEIVE)("systemd is told by the executable (skipped without a C++ compiler, or perl)", () => {
  const PHASES = ["STATUS=reading the configuration", "STATUS=asking the instance metadata, AWS and the host"].map(extended);
  const DONE = [...PHASES, ...["STATUS=looking at the machine", "STATUS=applying the changes", "STATUS=finished in T (config T, facts T, observe T, apply T)"].map(extended), "READY=1"];

  test("how far it is, and that it is ready", async () => {
    expect(await statesOf([])).toEqual(DONE);
  });

  test.skipIf(!CAN_MOUNT)("the same on a machine without libsystemd (skipped without root)", async () => {
    expect(await statesOf([], { prefix: WITHOUT_LIBSYSTEMD })).toEqual(DONE);
  });

  test("that it is ready when there was nothing to do", async () => {
    const states = await statesOf([], { runs: 2 });
    expect(states.slice(-DONE.length)).toEqual(DONE);
  });

  test("why it is ready without having been told anything, on a node that was configured before", async () => {
    const states = await withSocket(async (socket) => {
      await rehearse(async (rehearsal) => {
        await run(["demo"], rehearsal);
        await run(["--forget"], rehearsal, { prefix: AS_SERVICE, env: { NOTIFY_SOCKET: socket } });
      });
    });
    expect(states).toEqual([PHASES[0], extended("STATUS=finished in T (config T)"), "READY=1"]);
  });

  test("what it is waiting for", async () => {
    const states = await statesOf([], { simulator: { faults: [{ on: "DescribeCluster", times: 1, kind: "error", status: 429, name: "ThrottlingException" }] } });
    expect(states).toEqual([...PHASES, expect.stringMatching(/^STATUS=no usable answer yet, asking again: .*ThrottlingException[^\n]*\nEXTEND_TIMEOUT_USEC=60000000$/), ...DONE.slice(PHASES.length)]);
  });

  test("why it failed, and nothing of being ready", async () => {
    const states = await statesOf(["--kubelet-extra-args", "--no-such-flag=1"]);
    expect(states).toEqual([...PHASES, extended("STATUS=looking at the machine"), "STATUS=Kubelet would not start with a setting of this node, so nothing was written"]);
  });

  test("that it stops when it is asked to", async () => {
    const service = ["sh", "-c", `(sleep 2; kill $$) & SYSTEMD_EXEC_PID=$$ exec "$@"`, "sh"];
    const states = await statesOf([], { service, simulator: { faults: [{ on: "DescribeCluster", kind: "hang" }] } });
    expect(states).toEqual([...PHASES, "STOPPING=1", extended("STATUS=ended by SIGTERM")]);
  });

  test("nothing by a child of the process that systemd started", async () => {
    expect(await statesOf([], { service: ["sh", "-c", `SYSTEMD_EXEC_PID=$$; export SYSTEMD_EXEC_PID; "$@"; exit`, "sh"] })).toEqual([]);
  });

  type Options = { readonly prefix?: readonly string[]; readonly service?: readonly string[]; readonly runs?: number; readonly simulator?: SimulatorOptions };

  async function statesOf(args: readonly string[], { prefix = [], service = AS_SERVICE, runs = 1, simulator = {} }: Options = {}): Promise<readonly string[]> {
    return withSocket((socket) =>
      rehearse(async (rehearsal) => {
        for (let done = 0; done < runs; done += 1) await run(["demo", ...args], rehearsal, { prefix: [...prefix, ...service], env: { NOTIFY_SOCKET: socket } });
      }, simulator),
    );
  }

  async function withSocket(act: (socket: string) => Promise<void>): Promise<readonly string[]> {
    const socket = join(folder, "notify");
    const { received } = await receiver(socket);
    await act(socket);
    return (await received()).map((state) => withoutTimes(String(state)));
  }
});

describe.skipIf(!HAS_COMPILER || !CAN_RECEIVE || !CAN_MOUNT)("the journal gets fields (skipped without a C++ compiler, perl or root)", () => {
  test("for each event of a run", async () => {
    const { entries, lines } = await journalOf(() => undefined);
    expect(lines).toEqual([]);
    expect(merged(entries.map(({ MESSAGE_ID }) => MESSAGE_ID))).toEqual(["run-started", "phase-finished", "file-written", "phase-finished", "run-finished"]);
    // Which of facts and observe ends first is a matter of who answers first.
    expect(entries.filter(({ EKS_PHASE }) => EKS_PHASE).map(({ MESSAGE, EKS_PHASE }) => [EKS_PHASE, MESSAGE]).toSorted()).toEqual([
      ["apply", "applying the changes: done phase=apply duration_ms=N"],
      ["config", "reading the configuration: done phase=config duration_ms=N"],
      ["facts", "asking the instance metadata, AWS and the host: done phase=facts duration_ms=N"],
      ["observe", "looking at the machine: done phase=observe duration_ms=N"],
    ]);
    const path = "/etc/kubernetes/kubelet/kubelet-config.json";
    expect(entries.find(({ EKS_PATH }) => EKS_PATH === path)).toEqual({
      MESSAGE: `file written path=${path} duration_ms=N`,
      PRIORITY: "6",
      SYSLOG_IDENTIFIER: "eks-node-agent",
      MESSAGE_ID: "file-written",
      EKS_PATH: path,
      DURATION_MS: "N",
    });
  });

  test("for its failure, with the whole of what a terminal shows", async () => {
    const { entries } = await journalOf(({ root }) => writeFileSync(join(root, "etc/kubernetes"), "in the way"));
    expect(entries.at(-2)).toMatchObject({ MESSAGE_ID: "phase-failed", EKS_PHASE: expect.any(String) as unknown });
    expect(entries.at(-1)).toEqual({
      MESSAGE: expect.stringMatching(/^error: Cannot .*etc\/kubernetes.*\nremedy: .*\ncode: write-failed, exit status 73$/) as unknown,
      PRIORITY: "3",
      SYSLOG_IDENTIFIER: "eks-node-agent",
      MESSAGE_ID: "run-failed",
      EKS_CODE: "write-failed",
      EKS_EXIT_STATUS: "73",
      ERRNO: "20",
    });
  });

  test("no socket: lines with a priority", async () => {
    const { entries, lines } = await journalOf(() => undefined, { receives: false });
    expect(entries).toEqual([]);
    expect(lines[0]).toMatch(/^<6>run started version=/);
    expect(lines.filter((line) => !/^<[3-7]>./.test(line))).toEqual([]);
    expect(lines.at(-1)).toMatch(/^<6>run finished in /);
  });
});

type Entry = Readonly<Record<string, string>>;

/** What a run leaves in the journal, by its own way and by lines on stderr. */
async function journalOf(prepare: (rehearsal: Rehearsal) => void, { receives = true } = {}): Promise<{ entries: readonly Entry[]; lines: readonly string[] }> {
  const sockets = join(folder, "sockets");
  mkdirSync(sockets);
  const { received } = receives ? await receiver(join(sockets, "socket")) : { received: () => Promise.resolve([]) };
  const lines = await rehearse((rehearsal) => {
    prepare(rehearsal);
    return run(["demo"], rehearsal, { prefix: withJournalIn(sockets), isJournal: true });
  });
  const names = new Map(Object.entries(EVENTS).map(([kind, { id }]) => [id as string, kind]));
  const entries = (await received()).map(parseEntry).map((entry) => ({ ...entry, MESSAGE_ID: names.get(entry["MESSAGE_ID"] ?? "") ?? "none" }));
  return { entries, lines };
}

/** Runs the executable as somebody else, and returns the lines on its stderr. */
function run(args: readonly string[], { root, env }: Rehearsal, { prefix = [], env: more = {}, isJournal = false }: { prefix?: readonly string[]; env?: Record<string, string>; isJournal?: boolean } = {}): Promise<readonly string[]> {
  const path = join(folder, "stderr");
  const stderr = openSync(path, "w");
  const { dev, ino } = fstatSync(stderr);
  const [program = "", ...words] = [...prefix, executable, "bootstrap", ...args, "--root", root];
  const child = spawn(program, words, { stdio: ["ignore", "ignore", stderr], env: { ...process.env, ...env, ...more, ...(isJournal && { JOURNAL_STREAM: `${dev}:${ino}` }) } });
  closeSync(stderr);
  return new Promise((done, failed) => child.once("error", failed).once("close", () => done(readFileSync(path, "utf8").split("\n").filter((line) => line !== ""))));
}

/** The other direction of src/io/journal.ts, by the protocol's description. */
function parseEntry(datagram: Buffer): Entry {
  const fields: Record<string, string> = {};
  let bytes = datagram;
  while (bytes.length > 0) {
    const end = bytes.indexOf("\n");
    const [name = "", value] = splitOnce(bytes.subarray(0, end).toString());
    const start = value === undefined ? end + 9 : end + 1;
    const size = value === undefined ? Number(bytes.readBigUInt64LE(end + 1)) + 1 : 0;
    const text = value ?? bytes.subarray(start, start + size - 1).toString();
    fields[name] = name === "DURATION_MS" ? "N" : text.replaceAll(/duration_ms=\d+/g, "duration_ms=N");
    bytes = bytes.subarray(start + size);
  }
  return fields;
}

function splitOnce(line: string): readonly string[] {
  const at = line.indexOf("=");
  return at < 0 ? [line] : [line.slice(0, at), line.slice(at + 1)];
}

/** As systemd is told it: that the run is not stuck goes with it. */
function extended(status: string): string {
  return `${status}\nEXTEND_TIMEOUT_USEC=60000000`;
}

function withoutTimes(state: string): string {
  return state.startsWith("STATUS=finished") ? state.replaceAll(/\b[\d.]+m?s\b/g, "T") : state;
}

/** Without what is the same as the one before. */
function merged(kinds: readonly (string | undefined)[]): readonly (string | undefined)[] {
  return kinds.filter((kind, index) => kind !== kinds[index - 1]);
}
