import type { Socket } from "node:net";

/** Undici's way to connect. */
type Connector = (options: Server, callback: (...outcome: [null, Socket] | [Error, null]) => void) => void;
type Server = { readonly protocol: string; readonly hostname: string; readonly host?: string; readonly port: string };

export type OpenAhead = {
  /** Takes the connection that is open or on its way, else makes one. */
  readonly connect: Connector;
  /** Opens connections to a server, where there are fewer so far. A failure is told to nobody: who needs the connection tries by himself. */
  readonly open: (url: string, count?: number) => void;
  /** Closes those that nobody asked for. */
  readonly close: () => void;
};

export function openingAhead(connect: Connector): OpenAhead {
  const opened = new Map<string, Promise<Socket>[]>();
  const made = new Map<string, number>();
  const countOne = (key: string): void => void made.set(key, (made.get(key) ?? 0) + 1);
  return {
    connect: (options, callback) => {
      const key = `${options.protocol}//${options.host ?? options.hostname}`;
      const ahead = opened.get(key)?.shift();
      const anew = (): void => connect(options, callback);
      if (ahead !== undefined) return void ahead.then((socket) => (socket.destroyed ? anew() : callback(null, socket)), anew);
      countOne(key);
      anew();
    },
    open: (url, count = 1) => {
      const { protocol, hostname, host, port } = new URL(url);
      const key = `${protocol}//${host}`;
      while ((made.get(key) ?? 0) < count) {
        countOne(key);
        opened.set(key, [...(opened.get(key) ?? []), connected(connect, { protocol, hostname: hostname.replace(/^\[|\]$/g, ""), host, port })]);
      }
    },
    close: () => {
      for (const one of [...opened.values()].flat()) one.then((socket) => socket.destroy(), () => undefined);
      opened.clear();
    },
  };
}

function connected(connect: Connector, server: Server): Promise<Socket> {
  const socket = new Promise<Socket>((resolve, reject) => {
    connect(server, (error, made) => {
      if (error === null) resolve(made);
      else reject(error);
    });
  });
  socket.catch(() => undefined);
  return socket;
}
