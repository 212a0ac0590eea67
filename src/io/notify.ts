import { getSystemErrorName } from "node:util";
import { runCommand } from "./command.ts";
import { openDatagrams } from "./datagram.ts";

/** What a service tells the systemd that started it. Nothing here waits or throws; what is told arrives in its order. */
export type ServiceManager = {
  /** One line for `systemctl status`. */
  readonly status: (text: string) => void;
  /** The start is over and well: needed before every exit with 0, else systemd takes it for a failure. */
  readonly ready: () => void;
  /** The run ends, because it was asked to. */
  readonly stopping: () => void;
  /** The run has failed: one line, and the errno of the system call that failed, if that was why. */
  readonly failed: (text: string, errno?: number) => void;
  /** No more is told; settled when everything has been. */
  readonly close: () => Promise<void>;
};

/** What systemd tells a process of itself, and who started it. */
export type Origin = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  readonly parentPid: number;
};

/** Sends assignments of sd_notify(3), one a line. */
export type Send = (state: string) => void | Promise<void>;

/** A way to systemd's socket. It throws where it is closed, here or when it is first used. */
export type Channel = { readonly name: string; readonly open: (socket: string) => Send | Promise<Send> };

/**
 * Whom to tell of the start of this service; nobody, and nothing is loaded, if systemd did not start this very process.
 *
 * @param warn hears why systemd cannot be told
 */
export function serviceManager(origin: Origin, warn: (message: string) => void, channels: readonly Channel[] = CHANNELS): ServiceManager {
  const socket = socketOf(origin);
  return socket === undefined ? NOBODY : telling(inOrder(firstOpen(channels, socket, warn)));
}

/** A child of a service has inherited the socket, and would speak for its parent. systemd before 248 does not say whose it is. */
function socketOf({ environment, pid, parentPid }: Origin): string | undefined {
  const { NOTIFY_SOCKET: socket, SYSTEMD_EXEC_PID: started } = environment;
  const isOurs = started === undefined ? parentPid === 1 : started === String(pid);
  return socket !== "" && isOurs ? socket : undefined;
}

const NOBODY: ServiceManager = { status: () => undefined, ready: () => undefined, stopping: () => undefined, failed: () => undefined, close: () => Promise.resolve() };

/**
 * A unit with a limit on its start waits so much longer, from each time that this is told; every wait of ours has its own
 * deadline. It is told often, since systemd forgets it when it reads its units again, as every first run makes it do.
 */
const EXTENSION = "EXTEND_TIMEOUT_USEC=60000000";
const EXTEND_EVERY_MS = 5_000;

function telling(send: (state: string) => Promise<void>): ServiceManager {
  const tell = (state: string): void => void send(state);
  const timer = setInterval(() => tell(EXTENSION), EXTEND_EVERY_MS).unref();
  return {
    status: (text) => tell(`${statusOf(text)}\n${EXTENSION}`),
    ready: () => tell("READY=1"),
    stopping: () => tell("STOPPING=1"),
    failed: (text, errno) => tell(errno === undefined ? statusOf(text) : `${statusOf(text)}\nERRNO=${errno}`),
    close: () => {
      clearInterval(timer);
      return send("");
    },
  };
}

/** A line break would begin another assignment. */
function statusOf(text: string): string {
  return `STATUS=${text.trim().replaceAll(/\s*\n\s*/g, " ")}`;
}

/** Each waits for the one before; an empty state waits for all of them, and sends nothing. */
function inOrder(send: (state: string) => Promise<void>): (state: string) => Promise<void> {
  let last = Promise.resolve();
  return (state) => (last = last.then(() => (state === "" ? undefined : send(state))));
}

/** Sends by the first way that is open, and by the next ones from where that fails. */
function firstOpen(channels: readonly Channel[], socket: string, warn: (message: string) => void): (state: string) => Promise<void> {
  const closed: string[] = [];
  let open: Send | undefined;
  return async (state) => {
    for (let channel = channels[closed.length]; channel !== undefined; channel = channels[closed.length]) {
      try {
        open ??= await channel.open(socket);
        return await open(state);
      } catch (error) {
        open = undefined;
        closed.push(`${channel.name}: ${error instanceof Error ? error.message : String(error)}`);
        if (closed.length === channels.length) warn(`systemd cannot be told how far the run is, and takes a good end for a failure. ${closed.join("; ")}`);
      }
    }
  };
}

/** By preference. sd-notify needs libsystemd, both addons a build with a C++ compiler; the program comes with systemd itself. */
const CHANNELS: readonly Channel[] = [
  { name: "sd-notify", open: async () => (await import("sd-notify")).default.sendState },
  { name: "datagram", open: (socket) => sendByDatagram(socket) },
  { name: "systemd-notify", open: (socket) => (state) => sendByProgram(socket, state) },
];

function sendByDatagram(socket: string): Send {
  const send = openDatagrams();
  return (state) => {
    const errno = send(socket, Buffer.from(state));
    if (errno !== 0) throw new Error(`${getSystemErrorName(-errno)} on ${socket}`);
  };
}

/** Of its own accord, and as root, it speaks in the name of the process that called it. */
async function sendByProgram(socket: string, state: string): Promise<void> {
  const argv = ["systemd-notify", ...state.split("\n")];
  const { status, stderr } = await runCommand(argv, { timeoutMs: 10_000, env: { NOTIFY_SOCKET: socket } });
  if (status !== 0) throw new Error(`exit status ${status}: ${stderr.trim()}`);
}
