import { readFileSync } from "node:fs";

/** The simulator's own certificate, from tls/ca.crt, with its key. */
export const TLS = { key: read("server.key"), cert: read("server.crt") };

function read(name: string): string {
  return readFileSync(new URL(`tls/${name}`, import.meta.url), "utf8");
}
