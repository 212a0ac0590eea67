import { describe, expect, it } from "vitest";
import { faultOfCertificates, parseCertificateAuthority } from "../../src/lib/pem.ts";
import { CA } from "../certificate-authority.ts";

const base64 = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(text, encoding).toString("base64");

describe("parseCertificateAuthority() decodes byte for byte", () => {
  it.each([
    ["base64", base64(CA), CA],
    ["base64 without padding", base64(`${CA}\n`).replace(/=+$/, ""), `${CA}\n`],
    ["base64 in lines", ` ${base64(CA).replace(/.{76}/g, "$&\r\n\t")}\n`, CA],
    ["two certificates", base64(CA + CA), CA + CA],
    ["text around the certificates", base64(`# ü\n${CA}end`), `# ü\n${CA}end`],
    ["CRLF", base64(CA.replaceAll("\n", "\r\n")), CA.replaceAll("\n", "\r\n")],
    ["no newline at the end", base64(CA.trimEnd()), CA.trimEnd()],
  ])("%s", (_, text, pem) => {
    expect(parseCertificateAuthority(text)).toEqual({ pem, wasPlain: false });
  });

  it("plain PEM is taken as it is", () => {
    expect(parseCertificateAuthority(CA)).toEqual({ pem: CA, wasPlain: true });
  });
});

describe("parseCertificateAuthority() says what is wrong", () => {
  const notWhole = "holds a certificate that is not whole: its lines may be cut, or joined into one";
  it.each([
    ["nothing", "", "is not base64 of text"],
    ["other letters", "LS0t_", "is not base64 of text"],
    ["base64 cut off", base64(CA).slice(0, 5), "is not base64 of text"],
    ["bytes that are no text", base64("ff00ff", "hex"), "is not base64 of text"],
    ["Latin-1 around the certificate", base64(`# \u00fc\n${CA}`, "latin1"), "is not base64 of text"],
    ["base64 twice", base64(base64(CA)), "is base64 twice over"],
    ["base64 of something else", base64("hello"), 'is base64 of something that is not PEM (no line "-----BEGIN CERTIFICATE-----")'],
    ["a key", base64(CA.replaceAll("CERTIFICATE", "EC PRIVATE KEY")), 'holds PEM, but no certificate (no line "-----BEGIN CERTIFICATE-----")'],
    ["lines joined by a shell", CA.replaceAll("\n", " "), notWhole],
    ["cut in the middle", base64(CA.slice(0, 300)), notWhole],
    ["a second one begun", base64(`${CA}-----BEGIN CERTIFICATE-----\n`), notWhole],
    ["a line missing in the second", base64(CA + CA.replace(/^MII.*\n/m, "")), "holds a certificate, number 2, that is not whole: its lines may be cut, or some of them lost"],
  ])("%s", (_, text, fault) => {
    expect(parseCertificateAuthority(text)).toEqual({ fault });
  });
});

describe("faultOfCertificates()", () => {
  /** With a version that OpenSSL does not know the field of: whole, and no certificate all the same. */
  const broken = CA.replace(/-----BEGIN CERTIFICATE-----\n([^-]+)/, (_, body: string) => {
    const bytes = Buffer.from(body, "base64");
    // The tag of the signed part's serial number, after the version [0].
    bytes[bytes.indexOf(Buffer.from("020102", "hex")) + 3] = 0x04;
    return `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64")}\n`;
  });

  it("finds nothing against certificates that parse", () => {
    expect(faultOfCertificates(CA + CA)).toBeUndefined();
  });

  it("tells what is whole and does not parse", () => {
    expect(parseCertificateAuthority(base64(CA + broken))).toEqual({ pem: CA + broken, wasPlain: false });
    expect(faultOfCertificates(CA + broken)).toBe("holds a certificate, number 2, that does not parse: error:068000A8:asn1 encoding routines::wrong tag");
  });
});
