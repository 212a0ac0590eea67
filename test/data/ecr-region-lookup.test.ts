import { expect, test } from "vitest";
import { apiHost, credentialProviderImages, ecrRegistry, partitionOf } from "../../src/data/ecr-region-lookup.ts";

test.each([
  ["us-west-2", "602401143452"],
  ["us-gov-west-1", "013241004608"],
  ["il-central-1", "066635153087"],
  ["cn-north-1", "918309763551"],
  ["us-isob-west-1", "321162350305"],
  ["eusc-de-east-1", "877088126301"],
])("%s has a registry of its own, in account %s", (region, account) => {
  expect(ecrRegistry(region)).toEqual({ account, region, isFallback: false });
});

test.each([
  ["us-gov-north-9", "013241004608", "us-gov-west-1"],
  ["cn-south-9", "961992271922", "cn-northwest-1"],
  ["us-iso-north-9", "725322719131", "us-iso-east-1"],
  ["us-isob-north-9", "187977181151", "us-isob-east-1"],
  ["eu-isoe-north-9", "249663109785", "eu-isoe-west-1"],
  ["eusc-fr-west-9", "877088126301", "eusc-de-east-1"],
  ["us-isof-north-9", "676585237158", "us-isof-south-1"],
  ["ap-north-9", "602401143452", "us-west-2"],
  ["toString", "602401143452", "us-west-2"],
])("%s, in no table, falls back to account %s in %s", (region, account, fallback) => {
  expect(ecrRegistry(region)).toEqual({ account, region: fallback, isFallback: true });
});

test.each([
  ["mx-central-1", "aws", "amazonaws.com", "on.aws"],
  ["cn-northwest-1", "aws-cn", "amazonaws.com.cn", "on.amazonwebservices.com.cn"],
  ["us-gov-east-1", "aws-us-gov", "amazonaws.com", "on.aws"],
  ["eusc-de-east-1", "aws-eusc", "amazonaws.eu", undefined],
  ["us-iso-east-1", "aws-iso", "c2s.ic.gov", undefined],
  ["us-isob-east-1", "aws-iso-b", "sc2s.sgov.gov", undefined],
  ["eu-isoe-west-1", "aws-iso-e", "cloud.adc-e.uk", undefined],
  ["us-isof-south-1", "aws-iso-f", "csp.hci.ic.gov", undefined],
  ["mars-1", undefined, undefined, undefined],
])("%s is in partition %s", (region, id, dnsSuffix, ecrDualStackRegistrySuffix) => {
  const partition = partitionOf(region);
  expect([partition?.id, partition?.dnsSuffix, partition?.ecrDualStackRegistrySuffix]).toEqual([id, dnsSuffix, ecrDualStackRegistrySuffix]);
});

test.each([
  ["eks", "eu-west-1", "plain", "eks.eu-west-1.amazonaws.com"],
  ["eks", "eu-west-1", "dualStack", "eks.eu-west-1.api.aws"],
  ["eks", "us-east-1", "fips", "fips.eks.us-east-1.amazonaws.com"],
  ["eks", "us-gov-east-1", "fips", "eks.us-gov-east-1.amazonaws.com"],
  ["eks", "cn-north-1", "fips", "eks-fips.cn-north-1.amazonaws.com.cn"],
  ["eks", "us-east-1", "fipsDualStack", "eks-fips.us-east-1.api.aws"],
  ["ec2", "eusc-de-east-1", "plain", "ec2.eusc-de-east-1.amazonaws.eu"],
  ["ec2", "us-gov-west-1", "fips", "ec2.us-gov-west-1.amazonaws.com"],
  ["ecr_api", "us-west-1", "fips", "api.ecr-fips.us-west-1.amazonaws.com"],
  ["sts", "cn-north-1", "plain", "sts.cn-north-1.amazonaws.com.cn"],
  ["sts", "mars-1", "plain", undefined],
] as const)("%s in %s, %s, is at %s", (service, region, variant, host) => {
  expect(apiHost(service, region, variant)).toBe(host);
});

const IMAGES_BEFORE_1_32 = [
  "*.dkr.ecr.*.amazonaws.com",
  "*.dkr-ecr.*.on.aws",
  "*.dkr.ecr.*.amazonaws.com.cn",
  "*.dkr-ecr.*.on.amazonwebservices.com.cn",
  "*.dkr.ecr-fips.*.amazonaws.com",
  "*.dkr-ecr-fips.*.on.aws",
  "*.dkr.ecr.*.c2s.ic.gov",
  "*.dkr.ecr.*.sc2s.sgov.gov",
  "*.dkr.ecr.*.cloud.adc-e.uk",
  "*.dkr.ecr.*.csp.hci.ic.gov",
  "*.dkr.ecr.*.amazonaws.eu",
  "public.ecr.aws",
];

test.each([
  [21, IMAGES_BEFORE_1_32],
  [31, IMAGES_BEFORE_1_32],
  [32, [...IMAGES_BEFORE_1_32, "ecr-public.aws.com"]],
  [36, [...IMAGES_BEFORE_1_32, "ecr-public.aws.com"]],
])("kubelet 1.%i asks the credential provider for its images in this order", (minor, images) => {
  expect(credentialProviderImages(minor)).toEqual(images);
});
