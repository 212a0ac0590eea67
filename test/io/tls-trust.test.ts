import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { afterAll, expect, test } from "vitest";
import { amazonRoots } from "../../src/io/amazon-roots.ts";
import { CA_BUNDLES, readTrust } from "../../src/io/tls-trust.ts";

const CA = readFileSync("test/simulator/tls/ca.crt", "utf8");
const OTHER_CA = readFileSync("test/simulator/tls/cluster-ca.crt", "utf8");

const root = mkdtempSync(join(tmpdir(), "tls-trust-"));
const [redHat, debian, alpine] = CA_BUNDLES.map((path) => root + path) as [string, string, string];
const named = join(root, "named.crt");
const empty = join(root, "empty.crt");
mkdirSync(join(root, "/etc/ssl/certs"), { recursive: true });
mkdirSync(join(root, "/etc/pki/tls/certs"), { recursive: true });
writeFileSync(redHat, CA);
writeFileSync(debian, OTHER_CA);
writeFileSync(named, OTHER_CA);
writeFileSync(empty, "");
afterAll(() => rmSync(root, { recursive: true }));

test.each([
  ["AWS_CA_BUNDLE before all else", { AWS_CA_BUNDLE: named, SSL_CERT_FILE: redHat }, [redHat], [OTHER_CA], `${named} (AWS_CA_BUNDLE)`],
  ["SSL_CERT_FILE before the machine's bundle", { SSL_CERT_FILE: named }, [redHat], [OTHER_CA], `${named} (SSL_CERT_FILE)`],
  ["a variable that is set to nothing is not set", { AWS_CA_BUNDLE: "", SSL_CERT_FILE: "" }, [redHat], [CA], redHat],
  ["the first bundle that exists", {}, [alpine, redHat, debian], [CA], redHat],
  ["a bundle without a certificate is passed over", {}, [empty, debian], [OTHER_CA], debian],
  ["NODE_EXTRA_CA_CERTS adds", { NODE_EXTRA_CA_CERTS: named }, [redHat], [CA, OTHER_CA], `${redHat} and ${named} (NODE_EXTRA_CA_CERTS)`],
])("%s", async (_, environment, bundles, certificates, source) => {
  expect(await readTrust(environment, bundles)).toEqual({ certificates, likely: [], source, notes: [] });
});

test("without any bundle the built-in roots are trusted, with a note", async () => {
  expect(await readTrust({}, [alpine])).toEqual({
    certificates: rootCertificates,
    likely: rootCertificates.flatMap(amazonRoots),
    source: "roots built into Node.js",
    notes: [`No certificate bundle at ${alpine}: HTTPS trusts the roots built into the agent, which age with it`],
  });
});

test.each([
  ["AWS_CA_BUNDLE", "/nowhere/ca.crt", "there is no such file"],
  ["SSL_CERT_FILE", root, "EISDIR"],
  ["NODE_EXTRA_CA_CERTS", empty, "it has no line -----BEGIN CERTIFICATE-----"],
])("a file that %s names and that cannot be used is an error", async (variable, path, why) => {
  await expect(readTrust({ [variable]: path }, [redHat])).rejects.toMatchObject({
    code: "config-invalid",
    message: `Cannot use "${path}", named by ${variable}, as a bundle of certificate authorities: ${why}`,
    remedy: `Let ${variable} name a file of PEM certificates, or unset it to trust the machine's own bundle.`,
  });
});
