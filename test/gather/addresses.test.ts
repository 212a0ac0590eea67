import { createSocket } from "node:dgram";
import { describe, expect, it } from "vitest";
import { gatherAddresses } from "../../src/gather/addresses.ts";
import type { GatherEvent } from "../../src/gather/events.ts";
import { fakeClock, told } from "./fixture.ts";

const [NOERROR, SERVFAIL, NXDOMAIN, REFUSED] = [0, 2, 3, 5] as const;
const A = 1;

/** An answer: a code, and addresses as bytes by type. */
type Reply = { readonly code: number; readonly ipv4?: readonly string[]; readonly ipv6?: readonly Buffer[] };

/** A name server that gives its replies one after the other, the last for ever. */
async function withNameServer<T>(replies: readonly Reply[], use: (address: string, asked: readonly string[]) => Promise<T>): Promise<T> {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    const reply = replies[Math.min(asked.length, replies.length - 1)];
    asked.push(`${type === A ? "A" : "AAAA"} ${name}`);
    if (reply !== undefined) socket.send(writeReply(query.subarray(0, end), type, reply), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  try {
    return await use(`127.0.0.1:${socket.address().port}`, asked);
  } finally {
    socket.close();
  }
}

function readQuestion(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function writeReply(question: Buffer, type: number, { code, ipv4 = [], ipv6 = [] }: Reply): Buffer {
  const addresses = type === A ? ipv4.map((text) => Buffer.from(text.split(".").map(Number))) : ipv6;
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) => Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length]), address]));
  return Buffer.concat([head, ...records]);
}

const HOST = "api.outpost.example";
const TWO = { code: NOERROR, ipv4: ["10.0.0.2", "10.0.0.1", "10.0.0.2"] };

/** What comes of it in ten minutes of a clock on which waiting takes no time. */
async function ask(replies: readonly Reply[], host = HOST) {
  const clock = fakeClock();
  const events: GatherEvent[] = [];
  return withNameServer(replies, async (address, asked) => {
    const found = gatherAddresses(host, { nameServers: [address], clock, deadlineAt: clock.now() + 60_000, onEvent: (event) => events.push(event) });
    const outcome = await found.catch(() => told(found));
    return { outcome, asked, retries: events.flatMap((event) => (event.kind === "retry" ? [event.reason] : [])) };
  });
}

describe("gatherAddresses()", () => {
  it("gives each address once, as the name server does", async () => {
    expect(await ask([TWO])).toEqual({ outcome: ["10.0.0.2", "10.0.0.1"], asked: [`A ${HOST}`], retries: [] });
  });

  it("asks again a name server that fails twice", async () => {
    expect(await ask([{ code: SERVFAIL }, { code: REFUSED }, TWO])).toEqual({
      outcome: ["10.0.0.2", "10.0.0.1"],
      asked: [`A ${HOST}`, `A ${HOST}`, `A ${HOST}`],
      retries: ["the name servers fail (ESERVFAIL)", "the name servers refuse to answer (EREFUSED)"],
    });
  });

  it("asks again for a name that is not known yet", async () => {
    expect(await ask([{ code: NXDOMAIN }, TWO])).toMatchObject({ outcome: ["10.0.0.2", "10.0.0.1"], retries: ["no name server knows it (ENOTFOUND)"] });
  });

  it("takes IPv6 addresses where there are no others", async () => {
    const ipv6 = [Buffer.from("20010db8000000000000000000000001", "hex")];
    expect(await ask([{ code: NOERROR, ipv6 }])).toMatchObject({ outcome: ["2001:db8::1"], asked: [`A ${HOST}`, `AAAA ${HOST}`] });
  });

  it("goes by the machine's other ways, such as /etc/hosts, when the name servers go on failing", async () => {
    const { outcome, asked } = await ask([{ code: SERVFAIL }], "localhost");
    expect(asked).toEqual(["A localhost", "A localhost", "A localhost", "A localhost"].slice(0, asked.length));
    expect(outcome).toContain("127.0.0.1");
  });

  it("ends at the deadline", async () => {
    const { outcome, asked } = await ask([{ code: NXDOMAIN }], "nowhere.invalid");
    expect(outcome).toMatch(/^unreachable: Cannot find the addresses of the API server nowhere\.invalid: no name server knows it \(ENOTFOUND\) \(\d+ tries in \d+ s\)$/);
    expect(asked.length).toBeGreaterThan(4);
  });

  it("ends at once when it is told to", async () => {
    const clock = fakeClock();
    await withNameServer([], async (address) => {
      const abort = new AbortController();
      const asking = gatherAddresses(HOST, { nameServers: [address], clock, deadlineAt: clock.now() + 60_000, onEvent: () => undefined, signal: abort.signal });
      setTimeout(() => abort.abort(new Error("told to end")), 50);
      await expect(asking).rejects.toThrow("told to end");
    });
  });
});

