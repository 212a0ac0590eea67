import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import type { AddNote, Hooks } from "../../src/apply/hooks.ts";
import type { Machine } from "../../src/apply/machine.ts";
import type { Patience } from "../../src/apply/patience.ts";

/** Short enough for tests, long enough for a busy machine. */
export const QUICK: Patience = { socketMs: 5000, waitingJobMs: 300, quietMs: 600, firstPauseMs: 20 };

const STUBS = fileURLToPath(new URL("../stubs", import.meta.url));

/** A machine in a temporary directory, with stubs of systemctl and journalctl that keep their state there. */
export type TestMachine = {
  readonly machine: Machine;
  /** Where a path of the machine is. */
  readonly at: (path: string) => string;
  readonly read: (path: string) => string;
  readonly write: (path: string, contents: string, mode?: number) => void;
  /** Names in a directory of the machine, hidden ones too; none when it is missing. */
  readonly names: (directory: string) => readonly string[];
  /** Something that changes whenever a file of the machine is written, even with the same contents. */
  readonly trace: () => readonly string[];
  /** Sets the stub's state: `unit("kubelet.service", { mode: "waiting" })`. */
  readonly unit: (name: string, state: Readonly<Record<string, string>>) => void;
  readonly stubFile: (name: string, contents: string) => void;
  /** What systemctl was called with since the last time. */
  readonly calls: () => readonly string[];
  /** The same without the questions: what it was told to do. */
  readonly commands: () => readonly string[];
  readonly notes: string[];
  readonly hooks: Hooks;
  /** Listens on a Unix socket of the machine, as containerd does. */
  readonly listen: (path: string) => Promise<void>;
  readonly remove: () => Promise<void>;
};

export function makeTestMachine(): TestMachine {
  // Short, since the path of a Unix socket has at most 107 bytes.
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "m-")));
  const root = join(directory, "r");
  const stub = join(directory, "s");
  mkdirSync(root);
  mkdirSync(stub);
  for (const [name, value] of Object.entries({ SYSTEMD_STUB: stub, SYSTEMD_STUB_ROOT: root, PATH: `${STUBS}${delimiter}${process.env["PATH"]}` })) vi.stubEnv(name, value);

  const at = (path: string) => join(root, path);
  const servers: Server[] = [];
  const notes: string[] = [];
  const note: AddNote = (code, message) => notes.push(`${code}: ${message}`);
  return {
    machine: { root, hasUnits: true, owner: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 } },
    at,
    read: (path) => readFileSync(at(path), "utf8"),
    write: (path, contents, mode = 0o644) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), contents);
      chmodSync(at(path), mode);
    },
    names: (path) => (existsSync(at(path)) ? readdirSync(at(path)) : []),
    trace: () => traceOf(root),
    unit: (name, state) => {
      for (const [key, value] of Object.entries(state)) writeWithParents(join(stub, "units", name, key), value);
    },
    stubFile: (name, contents) => { writeFileSync(join(stub, name), contents); },
    calls: () => callsSince(join(stub, "calls")),
    commands: () => callsSince(join(stub, "calls")).filter((call) => !/^(show|list-jobs) /.test(call)),
    notes,
    hooks: { note, onStep: (_change, take) => take() },
    listen: async (path) => { servers.push(await listenOn(at(path))); },
    remove: async () => {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      vi.unstubAllEnvs();
      // A stub that was killed may have a child that still writes.
      rmSync(directory, { recursive: true, maxRetries: 10 });
    },
  };
}

/** "rwxr-xr-x" as an octal number in text, such as "0644". */
export function modeOf(path: string): string {
  return (lstatSync(path).mode & 0o7777).toString(8).padStart(4, "0");
}

function callsSince(log: string): readonly string[] {
  if (!existsSync(log)) return [];
  const calls = readFileSync(log, "utf8").split("\n");
  writeFileSync(log, "");
  return calls.filter((call) => call !== "");
}

function traceOf(root: string): readonly string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  return entries.map((entry) => join(entry.parentPath, entry.name)).sort().map((path) => {
    const { ino, mtimeNs } = lstatSync(path, { bigint: true });
    return `${path} ${ino} ${mtimeNs}`;
  });
}

function writeWithParents(path: string, contents: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}

async function listenOn(path: string): Promise<Server> {
  mkdirSync(dirname(path), { recursive: true });
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return server;
}
