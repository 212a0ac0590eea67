import { X509Certificate } from "node:crypto";
import { isWholeCertificate } from "./der.ts";

export type CertificateAuthority =
  | {
      /** The text as it was before base64, byte for byte. */
      readonly pem: string;
      /** Whether it was given without base64. */
      readonly wasPlain: boolean;
    }
  /** The end of a sentence that begins with "it" or with the value: "is not base64". */
  | { readonly fault: string };

/**
 * Certificates in PEM, in base64 with any white space and with or without padding, or plain. Text around the certificates
 * is kept; each must be whole, and there must be one.
 */
export function parseCertificateAuthority(text: string): CertificateAuthority {
  const wasPlain = text.includes("-----BEGIN");
  const pem = wasPlain ? text : decodeBase64(text);
  if (pem === undefined) return { fault: "is not base64 of text" };
  const fault = faultOf(pem);
  return fault === undefined ? { pem, wasPlain } : { fault };
}

function decodeBase64(encoded: string): string | undefined {
  const digits = encoded.replace(/\s/g, "").replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9+/]+$/.test(digits) || digits.length % 4 === 1) return undefined;
  const bytes = Buffer.from(digits, "base64");
  const text = bytes.toString("utf8");
  // Other encodings would not come out byte for byte.
  return Buffer.from(text, "utf8").equals(bytes) ? text : undefined;
}

const BEGIN = "-----BEGIN CERTIFICATE-----";
const CERTIFICATE = /^-----BEGIN CERTIFICATE-----\s*?\n[^-]*?\n-----END CERTIFICATE-----\s*?$/gm;

function faultOf(pem: string): string | undefined {
  const begun = pem.split(BEGIN).length - 1;
  const certificates = pem.match(CERTIFICATE) ?? [];
  if (begun === 0) return faultWithout(pem);
  if (begun !== certificates.length) return "holds a certificate that is not whole: its lines may be cut, or joined into one";
  const torn = certificates.findIndex((certificate) => !isWholeCertificate(bodyOf(certificate)));
  return torn === -1 ? undefined : `holds a certificate, number ${torn + 1}, that is not whole: its lines may be cut, or some of them lost`;
}

function bodyOf(certificate: string): Uint8Array {
  return Buffer.from(certificate.replace(/-----[^-]+-----/g, ""), "base64");
}

function faultWithout(text: string): string {
  if (/^LS0tLS1CRUdJTi/.test(text.trim())) return "is base64 twice over";
  if (text.includes("-----BEGIN")) return `holds PEM, but no certificate (no line "${BEGIN}")`;
  return `is base64 of something that is not PEM (no line "${BEGIN}")`;
}

/** What OpenSSL says against certificates that are whole: the end of a sentence that begins with the value. */
export function faultOfCertificates(pem: string): string | undefined {
  return (pem.match(CERTIFICATE) ?? []).map((certificate, index) => faultOfCertificate(certificate, index + 1)).find((fault) => fault !== undefined);
}

function faultOfCertificate(certificate: string, number: number): string | undefined {
  try {
    new X509Certificate(certificate);
    return undefined;
  } catch (error) {
    return `holds a certificate, number ${number}, that does not parse: ${error instanceof Error ? error.message : String(error)}`;
  }
}
