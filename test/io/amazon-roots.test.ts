import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { rootCertificates } from "node:tls";
import { expect, test } from "vitest";
import { amazonRoots } from "../../src/io/amazon-roots.ts";

test("of a bundle they are the roots of Amazon's, each as it is there", () => {
  const bundle = rootCertificates.map((pem) => `# a comment\n${pem}\n`).join("");
  const names = amazonRoots(bundle).map((pem) => /^CN=(.*)$/m.exec(new X509Certificate(pem).subject)?.[1]);
  expect(names.toSorted()).toEqual(["Amazon Root CA 1", "Amazon Root CA 2", "Amazon Root CA 3", "Amazon Root CA 4", "Starfield Services Root Certificate Authority - G2"]);
});

test("a bundle without them has none", () => {
  expect(amazonRoots(readFileSync("test/simulator/tls/ca.crt", "utf8"))).toEqual([]);
});
