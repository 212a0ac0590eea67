import type { Socket } from "node:net";

/** Undici's way to connect. */
type Connector = (options: Server, callback: (...outcome: [null, Socket] | [Error, null]) => void) => void;
type Server = { readonly protocol: string; readonly hostname: string; readonly host?: string; readonly port: string };

export type OpenAhead = {
  /** Takes the connection that is open or on its way, else makes one. */
  readonly connect: Connector;
  /** Opens the first connection to a server. A failure is told to nobody: who needs the connection tries by himself. */
  readonly open: (url: string) => void;
  /** Closes those that nobody asked for. */
  readonly close: () => void;
};

export function openingAhead(connect: Connector): OpenAhead {
  const opened = new Map<string, Promise<Socket>>();
  const known = new Set<string>();
  return {
    connect: (options, callback) => {
      const key = `${options.protocol}//${options.host ?? options.hostname}`;
      known.add(key);
      const ahead = opened.get(key);
      if (ahead === undefined) return connect(options, callback);
      opened.delete(key);
      const anew = (): void => connect(options, callback);
      ahead.then((socket) => (socket.destroyed ? anew() : callback(null, socket)), anew);
    },
    open: (url) => {
      const { protocol, hostname, host, port } = new URL(url);
      const key = `${protocol}//${host}`;
      if (known.has(key)) return;
      known.add(key);
      opened.set(key, connected(connect, { protocol, hostname: hostname.replace(/^\[|\]$/g, ""), host, port }));
    },
    close: () => {
      for (const one of opened.values()) one.then((socket) => socket.destroy(), () => undefined);
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
