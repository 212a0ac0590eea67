import type { Credentials } from "../io/smithy.ts";

export type CallerIdentity = {
  /** The cluster's name, or its id on Outposts: signed, so that no other cluster takes the URL. */
  readonly cluster: string;
  readonly region: string;
  /** Of STS in the region. */
  readonly host: string;
  readonly credentials: Credentials;
  readonly now: Date;
};

/** Longest that authenticators take; STS itself goes by the date, and answers for 15 minutes. */
const EXPIRES_SECONDS = 60;

/** The URL by which whoever has it learns from STS whose the credentials are: GetCallerIdentity, signed in its query. */
export async function presignCallerIdentity({ cluster, region, host, credentials, now }: CallerIdentity): Promise<string> {
  const { presignedUrl } = await import("../io/smithy.ts");
  const url = `https://${host}/?Action=GetCallerIdentity&Version=2011-06-15`;
  return presignedUrl({ method: "GET", url, headers: { "x-k8s-aws-id": cluster }, service: "sts", region }, credentials, EXPIRES_SECONDS, now);
}
