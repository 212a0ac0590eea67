import { expect, test } from "vitest";
import { checkCertificateAuthority } from "../../src/preflight/certificate-authority.ts";
import { CA } from "../certificate-authority.ts";

test("a certificate authority that parses is no finding", () => {
  expect(checkCertificateAuthority({ value: CA, source: "option --b64-cluster-ca" })).toEqual([]);
});

test("one that kubelet cannot read is an error, with where it came from", () => {
  const value = CA.replace(/-----BEGIN CERTIFICATE-----\n([^-]+)/, "-----BEGIN CERTIFICATE-----\nMAA=\n");
  expect(checkCertificateAuthority({ value, source: "option --b64-cluster-ca" })).toEqual([
    {
      severity: "error",
      code: "certificate-authority-unreadable",
      message: expect.stringMatching(/^The cluster's certificate authority holds a certificate, number 1, that does not parse: error:/) as string,
      source: "option --b64-cluster-ca",
      remedy: "Take it anew from `aws eks describe-cluster --query cluster.certificateAuthority.data`.",
    },
  ]);
});
