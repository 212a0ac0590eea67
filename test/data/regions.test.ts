import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiHost, type EndpointVariant, partitionOf } from "../../src/data/ecr-region-lookup.ts";
import { ECR_ACCOUNTS } from "../../src/data/ecr-regions.ts";
import { noteList } from "../../src/resolve/notes.ts";
import { resolveSandboxImage } from "../../src/resolve/sandbox-image.ts";
import { host, INSTANCE } from "../resolve/fixture.ts";

/** One in each pattern of the fall-backs, and one of a partition that is not known. */
const UNKNOWN = ["us-gov-north-9", "cn-south-9", "us-iso-north-9", "us-isob-north-9", "us-isof-north-9", "eu-isoe-north-9", "eusc-fr-west-9", "me-west-9", "mars-north-9"];

const VARIANTS: readonly EndpointVariant[] = ["plain", "dualStack", "fips", "fipsDualStack"];

/** Where a node of the region finds what it needs, in all the ways there are. */
function describeRegion(region: string): string {
  const dnsSuffix = partitionOf(region)?.dnsSuffix ?? "aws.example";
  const instance = { ...INSTANCE, region, dnsSuffix };
  const { notes, add } = noteList();
  const image = (fips: boolean): string => {
    const known = fips ? { resolves: new Proxy({}, { get: () => true }) } : {};
    return resolveSandboxImage({}, known, host({ fips }), instance, add).value;
  };
  const services = (["eks", "ec2", "ecr_api", "sts"] as const).map((service) => `  ${service}: ${VARIANTS.map((variant) => apiHost(service, region, variant) ?? "-").join(" ")}\n`);
  return [`${region} (${partitionOf(region)?.id ?? "no partition"})\n`, `  image: ${image(false)}\n  image with FIPS: ${image(true)}\n`, ...services, ...notes.map(({ code }) => `  note: ${code}\n`)].join("");
}

test("every region, and every fall-back, is as the text that was read and compared with its sources", () => {
  const text = [...Object.keys(ECR_ACCOUNTS), ...UNKNOWN].map(describeRegion).join("");
  const path = join(import.meta.dirname, "regions.txt");
  if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(path, text);
  expect(text).toBe(readFileSync(path, "utf8"));
});

test("the table has the regions of the facts that it is made from", () => {
  const { regions } = JSON.parse(readFileSync("packaging/facts/ecr-regions.json", "utf8")) as { readonly regions: readonly { readonly region: string; readonly account: string }[] };
  expect(ECR_ACCOUNTS).toEqual(Object.fromEntries(regions.map(({ region, account }) => [region, account])));
});
