import { expect, test } from "vitest";
import { parseEcrHost } from "../../src/data/ecr-host.ts";

test.each([
  ["602401143452.dkr.ecr.us-west-2.amazonaws.com", "us-west-2", "plain", "amazonaws.com"],
  ["602401143452.dkr.ecr-fips.us-east-1.amazonaws.com", "us-east-1", "fips", "amazonaws.com"],
  ["602401143452.dkr-ecr.eu-west-1.on.aws", "eu-west-1", "dualStack", "on.aws"],
  ["602401143452.dkr-ecr-fips.us-west-1.on.aws", "us-west-1", "fipsDualStack", "on.aws"],
  ["918309763551.dkr.ecr.cn-north-1.amazonaws.com.cn", "cn-north-1", "plain", "amazonaws.com.cn"],
  ["725322719131.dkr.ecr.us-iso-east-1.c2s.ic.gov", "us-iso-east-1", "plain", "c2s.ic.gov"],
  ["249663109785.dkr.ecr.eu-isoe-west-1.cloud.adc-e.uk", "eu-isoe-west-1", "plain", "cloud.adc-e.uk"],
])("%s is a registry in %s, %s", (host, region, variant, suffix) => {
  expect(parseEcrHost(host)).toEqual({ account: host.slice(0, 12), region, variant, suffix });
});

test.each(["public.ecr.aws", "registry.k8s.io", "localhost", "docker.io", "1.dkr.ecr.us-west-2.amazonaws.com", "602401143452.dkr.ecr.us-west-2.amazonaws.com:443", "x602401143452.dkr.ecr.us-west-2.amazonaws.com"])("%s is none", (host) => {
  expect(parseEcrHost(host)).toBeUndefined();
});
