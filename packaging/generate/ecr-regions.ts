import { generatedFile, valueConstant } from "./generated-file.ts";
import { minorOf } from "./table.ts";

type Tables = {
  readonly regions: readonly { readonly region: string; readonly account: string }[];
  readonly fallbacks: readonly { readonly match: string; readonly account: string; readonly region: string }[];
  readonly partitions: readonly Partition[];
  readonly api_endpoints: Readonly<Record<string, Endpoint>>;
  readonly credential_provider_match_images: readonly { readonly pattern: string; readonly partition: string }[];
};

type Partition = {
  readonly id: string;
  readonly regionRegex: string;
  readonly dnsSuffix: string;
  readonly dualStackDnsSuffix: string;
  readonly ecrDualStackRegistrySuffix: string | null;
};

type Endpoint = {
  readonly default: string;
  readonly dualstack: string;
  readonly fips: string | Readonly<Record<string, string>>;
  readonly fips_dualstack: string;
};

/** Text of src/data/ecr-regions.ts. */
export function generateEcrRegions(json: string): string {
  const tables = JSON.parse(json) as Tables;
  const constants = [
    valueConstant("ECR_ACCOUNTS", "Region to the account whose registry serves EKS's images there.", accounts(tables)),
    valueConstant("ECR_FALLBACKS", "For a region not in ECR_ACCOUNTS: the first whose pattern matches lends account and region, not the DNS suffix.", fallbacks(tables)),
    valueConstant("PARTITIONS", "AWS partitions; a region is in the first whose pattern matches.", partitions(tables)),
    valueConstant("API_ENDPOINTS", "Host name patterns of the AWS APIs; the FIPS ones by partition.", endpoints(tables)),
    valueConstant("CREDENTIAL_PROVIDER_IMAGES", "Image patterns that ECR's credential provider answers for, in order; `since` is the first kubelet minor of 1.x.", images(tables)),
  ];
  return generatedFile("ecr-regions.json", constants.join("\n"));
}

function accounts({ regions }: Tables): Record<string, string> {
  return Object.fromEntries(regions.map(({ region, account }) => [region, account]));
}

function fallbacks(tables: Tables): readonly unknown[] {
  return tables.fallbacks.map(({ match, account, region }) => ({ match, account, region }));
}

function partitions(tables: Tables): readonly unknown[] {
  return tables.partitions.map(({ id, regionRegex, dnsSuffix, dualStackDnsSuffix, ecrDualStackRegistrySuffix }) => {
    return { id, regionRegex, dnsSuffix, dualStackDnsSuffix, ecrDualStackRegistrySuffix: ecrDualStackRegistrySuffix ?? undefined };
  });
}

function endpoints(tables: Tables): Record<string, unknown> {
  return Object.fromEntries(Object.entries(tables.api_endpoints).map(([service, endpoint]) => [service, endpointOf(endpoint)]));
}

/** The patterns without the remarks that follow some of them in brackets. */
function endpointOf(endpoint: Endpoint): Record<string, unknown> {
  const fips = typeof endpoint.fips === "string" ? { other: endpoint.fips } : endpoint.fips;
  return {
    plain: endpoint.default,
    dualStack: endpoint.dualstack,
    fips: Object.fromEntries(Object.entries(fips).map(([partition, pattern]) => [partition, pattern.replace(/ \(.*/, "")])),
    fipsDualStack: endpoint.fips_dualstack,
  };
}

/** The table says "only with kubelet >= 1.32" in words, in the column that names the partition. */
function images(tables: Tables): readonly unknown[] {
  return tables.credential_provider_match_images.map(({ pattern, partition }) => {
    return { pattern, since: Number(minorOf(/kubelet >= (1\.\d+)/.exec(partition)?.[1] ?? "1.0")) };
  });
}
