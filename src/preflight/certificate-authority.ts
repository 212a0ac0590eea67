import { faultOfCertificates } from "../lib/pem.ts";
import type { Sourced } from "../lib/sourced.ts";
import type { Finding } from "./finding.ts";

/** kubelet does not start with a client CA that it cannot read, and trusts no API server by it. */
export function checkCertificateAuthority({ value, source }: Sourced<string>): readonly Finding[] {
  const fault = faultOfCertificates(value);
  if (fault === undefined) return [];
  return [{ severity: "error", code: "certificate-authority-unreadable", message: `The cluster's certificate authority ${fault}`, source, remedy: "Take it anew from `aws eks describe-cluster --query cluster.certificateAuthority.data`." }];
}
