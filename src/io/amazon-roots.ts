/** Common names of the roots that AWS's endpoints have their certificates from. Source: Amazon Trust Services, repository. */
const NAMES = ["Amazon Root CA", "Starfield Services Root Certificate Authority"].map((name) => Buffer.from(name, "latin1"));

const CERTIFICATE = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g;

/**
 * The certificates of a bundle by which AWS's endpoints are known, found by their names; none where it has none of them. OpenSSL
 * takes 10 to 20 ms to read all of a bundle, and a moment for these.
 */
export function amazonRoots(bundle: string): readonly string[] {
  return [...bundle.matchAll(CERTIFICATE)].filter(([, body = ""]) => isOfAmazon(Buffer.from(body, "base64"))).map(([pem]) => `${pem}\n`);
}

function isOfAmazon(der: Buffer): boolean {
  return NAMES.some((name) => der.includes(name));
}
