/** Nesting of a certificate's ASN.1 is ten or so; a crafted one must not exhaust the stack. */
const DEEPEST = 32;

const CONSTRUCTED = 0x20;
const SEQUENCE = 0x30;
const BIT_STRING = 0x03;

/** The shape of an X.509 Certificate (RFC 5280, 4.1): what is signed, the algorithm, the signature. */
const CERTIFICATE = [SEQUENCE, SEQUENCE, BIT_STRING];

/**
 * Whether the bytes are a certificate in DER from end to end: every length fits what it is the length of. What is cut, or lacks a
 * line, is none. OpenSSL tells more, and takes 6 ms to load.
 */
export function isWholeCertificate(bytes: Uint8Array): boolean {
  const [outer, ...more] = elementsOf(bytes) ?? [];
  if (outer?.tag !== SEQUENCE || more.length > 0) return false;
  const tags = elementsOf(outer.contents)?.map(({ tag }) => tag);
  return tags !== undefined && tags.length === CERTIFICATE.length && tags.every((tag, index) => tag === CERTIFICATE[index]) && isWhole(outer.contents, 1);
}

function isWhole(bytes: Uint8Array, depth: number): boolean {
  return depth < DEEPEST && (elementsOf(bytes)?.every(({ tag, contents }) => (tag & CONSTRUCTED) === 0 || isWhole(contents, depth + 1)) ?? false);
}

type Element = { readonly tag: number; readonly contents: Uint8Array };

/** The elements that fill the bytes; undefined when they do not. */
function elementsOf(bytes: Uint8Array): readonly Element[] | undefined {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const element = elementAt(bytes, at);
    if (element === undefined) return undefined;
    elements.push(element);
    at = element.contents.byteOffset - bytes.byteOffset + element.contents.length;
  }
  return elements;
}

/** Lengths below 128 are one byte; of others the first byte tells how many follow, of which a certificate has three at most. */
function elementAt(bytes: Uint8Array, at: number): Element | undefined {
  const [tag = 0, first = 0] = bytes.subarray(at, at + 2);
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  const start = at + 2 + lengthBytes;
  if (lengthBytes > 3 || first === 0x80 || start > bytes.length) return undefined;
  const length = lengthBytes === 0 ? first : bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  return start + length > bytes.length ? undefined : { tag, contents: bytes.subarray(start, start + length) };
}
