import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runTool } from "../../packaging/tool.ts";
import { openDatagrams, type SendDatagram } from "../../src/io/datagram.ts";
import { openJournal } from "../../src/io/journal.ts";
import { compiledAddon, HAS_COMPILER } from "./compiled-addon.ts";
import { CAN_RECEIVE, receiver } from "./receiver.ts";

const { ENAMETOOLONG, ENOENT, ECONNREFUSED, EMSGSIZE, EINVAL } = constants.errno;

describe.skipIf(!HAS_COMPILER)("the addon (skipped without a C++ compiler)", () => {
  let folder: string;
  let send: SendDatagram;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "datagram-"));
    const addon = await compiledAddon("datagram", folder);
    send = openDatagrams(() => addon);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  describe.skipIf(!CAN_RECEIVE)("sends (skipped without perl, which receives)", () => {
    test.each([
      ["a path", () => join(folder, "receiver")],
      ["a name outside of the file system", () => `@eks-node-agent-test-${process.pid}`],
    ])("to %s", async (_what, socket) => {
      const { received } = await receiver(socket());
      expect([send(socket(), Buffer.from("READY=1")), send(socket(), Buffer.from("größer\n\0→"))]).toEqual([0, 0]);
      expect((await received()).map(String)).toEqual(["READY=1", "größer\n\0→"]);
    });

    test("the longest entry that the journal is given", async () => {
      const socket = join(folder, "journal");
      const { received } = await receiver(socket);
      const journal = openJournal(socket, () => send);
      expect(journal?.({ MESSAGE: "x".repeat(1e6), EKS_PATH: "y".repeat(1e6), EKS_CODE: "z" })).toBe(true);
      const cut = "… (cut: 1000000 bytes in all)";
      expect((await received()).map(String)).toEqual([`MESSAGE=${"x".repeat(32_768)}${cut}\nEKS_PATH=${"y".repeat(32_768)}${cut}\nEKS_CODE=z\n`]);
    });

    test("nothing that is too large for a socket, and says so", async () => {
      const socket = join(folder, "large");
      const { received } = await receiver(socket);
      expect(send(socket, Buffer.alloc(10e6))).toBe(EMSGSIZE);
      expect((await received()).map(String)).toEqual([]);
    });

    test("nothing to a receiver that is gone", async () => {
      const socket = join(folder, "gone");
      await (await receiver(socket)).received();
      expect(send(socket, Buffer.from("READY=1"))).toBe(ECONNREFUSED);
    });
  });

  test.each([
    ["a socket that is not there", "/nowhere/socket", Buffer.from(""), ENOENT],
    ["a path that is too long for a socket", `/${"x".repeat(107)}`, Buffer.from(""), ENAMETOOLONG],
    ["no path", "", Buffer.from(""), ENAMETOOLONG],
    ["text in place of bytes", "/nowhere/socket", "READY=1" as unknown as Buffer, EINVAL],
  ])("does not send to %s", (_what, socket, bytes, errno) => {
    expect(send(socket, bytes)).toBe(errno);
  });

  test("needs the C library and no other", async () => {
    const needed = await runTool("objdump", ["-p", join(folder, "datagram.node")]);
    expect([...needed.matchAll(/NEEDED\s+(\S+)/g)].map(([, library]) => library)).toEqual(["libc.so.6"]);
  });
});

test("an addon that is another is refused", () => {
  expect(() => openDatagrams(() => ({ sendState: () => 0 }))).toThrow('the addon "datagram" has no sendDatagram');
});
