import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

export type Proxy = {
  readonly url: string;
  /** Methods and what was asked for, in the order of arrival, with the name and password that were told. */
  readonly asked: readonly string[];
  readonly close: () => void;
};

/** A proxy that tunnels, answers HTTP by itself, and notes for whom. */
export async function startProxy(): Promise<Proxy> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ""} ${request.url ?? ""} ${request.headers["proxy-authorization"] ?? ""}`.trim());
    response.end("from the proxy");
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.on("connect", (request, client: Socket) => {
    asked.push(`CONNECT ${request.url ?? ""}`);
    const [host, port] = (request.url ?? "").split(":");
    const upstream = connect(Number(port), host, () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    sockets.add(upstream);
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}
