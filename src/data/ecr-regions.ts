// Generated from packaging/facts/ecr-regions.json by `npm run generate`. Do not edit.

/**
 * Region to the account whose registry serves EKS's images there.
 */
export const ECR_ACCOUNTS = {
  "af-south-1": "877085696533",
  "ap-east-1": "800184023465",
  "ap-east-2": "533267051163",
  "ap-northeast-1": "602401143452",
  "ap-northeast-2": "602401143452",
  "ap-northeast-3": "602401143452",
  "ap-south-1": "602401143452",
  "ap-south-2": "900889452093",
  "ap-southeast-1": "602401143452",
  "ap-southeast-2": "602401143452",
  "ap-southeast-3": "296578399912",
  "ap-southeast-4": "491585149902",
  "ap-southeast-5": "151610086707",
  "ap-southeast-6": "333609536671",
  "ap-southeast-7": "121268973566",
  "ca-central-1": "602401143452",
  "ca-west-1": "761377655185",
  "cn-north-1": "918309763551",
  "cn-northwest-1": "961992271922",
  "eu-central-1": "602401143452",
  "eu-central-2": "900612956339",
  "eu-isoe-west-1": "249663109785",
  "eu-north-1": "602401143452",
  "eu-south-1": "590381155156",
  "eu-south-2": "455263428931",
  "eu-west-1": "602401143452",
  "eu-west-2": "602401143452",
  "eu-west-3": "602401143452",
  "eusc-de-east-1": "877088126301",
  "il-central-1": "066635153087",
  "me-central-1": "759879836304",
  "me-south-1": "558608220178",
  "mx-central-1": "730335286997",
  "sa-east-1": "602401143452",
  "us-east-1": "602401143452",
  "us-east-2": "602401143452",
  "us-gov-east-1": "151742754352",
  "us-gov-west-1": "013241004608",
  "us-iso-east-1": "725322719131",
  "us-iso-west-1": "608367168043",
  "us-isob-east-1": "187977181151",
  "us-isob-west-1": "321162350305",
  "us-isof-east-1": "171035529773",
  "us-isof-south-1": "676585237158",
  "us-west-1": "602401143452",
  "us-west-2": "602401143452",
} as const;

/**
 * For a region not in ECR_ACCOUNTS: the first whose pattern matches lends account and region, not the DNS suffix.
 */
export const ECR_FALLBACKS = [
  { match: "us-gov-*", account: "013241004608", region: "us-gov-west-1" },
  { match: "cn-*", account: "961992271922", region: "cn-northwest-1" },
  { match: "us-iso-*", account: "725322719131", region: "us-iso-east-1" },
  { match: "us-isob-*", account: "187977181151", region: "us-isob-east-1" },
  { match: "eu-isoe-*", account: "249663109785", region: "eu-isoe-west-1" },
  { match: "eusc-*", account: "877088126301", region: "eusc-de-east-1" },
  { match: "us-isof-*", account: "676585237158", region: "us-isof-south-1" },
  { match: "*", account: "602401143452", region: "us-west-2" },
] as const;

/**
 * AWS partitions; a region is in the first whose pattern matches.
 */
export const PARTITIONS = [
  { id: "aws", regionRegex: "^(us|eu|ap|sa|ca|me|af|il|mx)\\-\\w+\\-\\d+$", dnsSuffix: "amazonaws.com", dualStackDnsSuffix: "api.aws", ecrDualStackRegistrySuffix: "on.aws" },
  { id: "aws-cn", regionRegex: "^cn\\-\\w+\\-\\d+$", dnsSuffix: "amazonaws.com.cn", dualStackDnsSuffix: "api.amazonwebservices.com.cn", ecrDualStackRegistrySuffix: "on.amazonwebservices.com.cn" },
  { id: "aws-eusc", regionRegex: "^eusc\\-(de)\\-\\w+\\-\\d+$", dnsSuffix: "amazonaws.eu", dualStackDnsSuffix: "api.amazonwebservices.eu", ecrDualStackRegistrySuffix: undefined },
  { id: "aws-iso", regionRegex: "^us\\-iso\\-\\w+\\-\\d+$", dnsSuffix: "c2s.ic.gov", dualStackDnsSuffix: "api.aws.ic.gov", ecrDualStackRegistrySuffix: undefined },
  { id: "aws-iso-b", regionRegex: "^us\\-isob\\-\\w+\\-\\d+$", dnsSuffix: "sc2s.sgov.gov", dualStackDnsSuffix: "api.aws.scloud", ecrDualStackRegistrySuffix: undefined },
  { id: "aws-iso-e", regionRegex: "^eu\\-isoe\\-\\w+\\-\\d+$", dnsSuffix: "cloud.adc-e.uk", dualStackDnsSuffix: "api.cloud-aws.adc-e.uk", ecrDualStackRegistrySuffix: undefined },
  { id: "aws-iso-f", regionRegex: "^us\\-isof\\-\\w+\\-\\d+$", dnsSuffix: "csp.hci.ic.gov", dualStackDnsSuffix: "api.aws.hci.ic.gov", ecrDualStackRegistrySuffix: undefined },
  { id: "aws-us-gov", regionRegex: "^us\\-gov\\-\\w+\\-\\d+$", dnsSuffix: "amazonaws.com", dualStackDnsSuffix: "api.aws", ecrDualStackRegistrySuffix: "on.aws" },
] as const;

/**
 * Host name patterns of the AWS APIs; the FIPS ones by partition.
 */
export const API_ENDPOINTS = {
  "eks": { plain: "eks.{region}.{dnsSuffix}", dualStack: "eks.{region}.{dualStackDnsSuffix}", fips: { aws: "fips.eks.{region}.amazonaws.com", "aws-us-gov": "eks.{region}.amazonaws.com", other: "eks-fips.{region}.{dnsSuffix}" }, fipsDualStack: "eks-fips.{region}.{dualStackDnsSuffix}" },
  "ec2": { plain: "ec2.{region}.{dnsSuffix}", dualStack: "ec2.{region}.{dualStackDnsSuffix}", fips: { "aws-us-gov": "ec2.{region}.amazonaws.com", other: "ec2-fips.{region}.{dnsSuffix}" }, fipsDualStack: "ec2-fips.{region}.{dualStackDnsSuffix}" },
  "ecr_api": { plain: "api.ecr.{region}.{dnsSuffix}", dualStack: "ecr.{region}.{dualStackDnsSuffix}", fips: { other: "api.ecr-fips.{region}.{dnsSuffix}" }, fipsDualStack: "ecr-fips.{region}.{dualStackDnsSuffix}" },
  "sts": { plain: "sts.{region}.{dnsSuffix}", dualStack: "sts.{region}.{dualStackDnsSuffix}", fips: { "aws-us-gov": "sts.{region}.amazonaws.com", other: "sts-fips.{region}.{dnsSuffix}" }, fipsDualStack: "sts-fips.{region}.{dualStackDnsSuffix}" },
} as const;

/**
 * Image patterns that ECR's credential provider answers for, in order; `since` is the first kubelet minor of 1.x.
 */
export const CREDENTIAL_PROVIDER_IMAGES = [
  { pattern: "*.dkr.ecr.*.amazonaws.com", since: 0 },
  { pattern: "*.dkr-ecr.*.on.aws", since: 0 },
  { pattern: "*.dkr.ecr.*.amazonaws.com.cn", since: 0 },
  { pattern: "*.dkr-ecr.*.on.amazonwebservices.com.cn", since: 0 },
  { pattern: "*.dkr.ecr-fips.*.amazonaws.com", since: 0 },
  { pattern: "*.dkr-ecr-fips.*.on.aws", since: 0 },
  { pattern: "*.dkr.ecr.*.c2s.ic.gov", since: 0 },
  { pattern: "*.dkr.ecr.*.sc2s.sgov.gov", since: 0 },
  { pattern: "*.dkr.ecr.*.cloud.adc-e.uk", since: 0 },
  { pattern: "*.dkr.ecr.*.csp.hci.ic.gov", since: 0 },
  { pattern: "*.dkr.ecr.*.amazonaws.eu", since: 0 },
  { pattern: "public.ecr.aws", since: 0 },
  { pattern: "ecr-public.aws.com", since: 32 },
] as const;
