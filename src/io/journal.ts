import { type SendDatagram, openDatagrams } from "./datagram.ts";

/** An entry of the journal: values by field name, MESSAGE among them. A name has A to Z, 0 to 9 and "_", and begins with a letter. */
export type JournalFields = Readonly<Record<string, string>>;

/** Hands an entry to the journal, and returns whether it took it. */
export type Journal = (fields: JournalFields) => boolean;

export const JOURNAL_SOCKET = "/run/systemd/journal/socket";

/** The journal's own way in, which takes fields; undefined where the addon for it is missing. */
export function openJournal(socket = JOURNAL_SOCKET, open: () => SendDatagram = openDatagrams): Journal | undefined {
  try {
    const send = open();
    return (fields) => send(socket, encodeFields(fields)) === 0;
  } catch {
    // Its caller then writes the same entries as lines, without their fields.
    return undefined;
  }
}

/**
 * Fields in the journal's "native protocol": NAME=value on a line, or, for a value of several lines, its name, its length
 * and itself.
 *
 * Source: systemd, "Native Journal Protocol".
 */
export function encodeFields(fields: JournalFields): Buffer {
  return Buffer.concat(Object.entries(fields).flatMap(([name, value]) => encodeField(name, cut(value))));
}

function encodeField(name: string, value: Buffer): readonly Buffer[] {
  if (!value.includes("\n")) return [Buffer.from(`${name}=`), value, LINE_BREAK];
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(value.length));
  return [Buffer.from(`${name}\n`), size, value, LINE_BREAK];
}

const LINE_BREAK = Buffer.from("\n");

/** A datagram of more than a socket's buffer, 208 KiB, is refused. */
const LONGEST_VALUE_BYTES = 32 * 1024;

function cut(value: string): Buffer {
  const bytes = Buffer.from(value);
  if (bytes.length <= LONGEST_VALUE_BYTES) return bytes;
  let end = LONGEST_VALUE_BYTES;
  while (isWithinCharacter(bytes[end])) end -= 1;
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`… (cut: ${bytes.length} bytes in all)`)]);
}

/** The second and further bytes of a character in UTF-8. */
function isWithinCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
