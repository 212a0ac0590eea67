import { describe, expect, it } from "vitest";
import { PATHS } from "../../src/lib/paths.ts";
import { withoutProgram } from "../resolve/fixture.ts";
import { fileOf, kubelet, planOf } from "./fixture.ts";

describe("the image credential provider's config", () => {
  it("is whole, in the order in which people write it", () => {
    expect(fileOf(planOf({}, kubelet("1.26.0")), PATHS.credentialProviderConfig)?.contents).toBe(`{
  "kind": "CredentialProviderConfig",
  "apiVersion": "kubelet.config.k8s.io/v1alpha1",
  "providers": [
    {
      "name": "ecr-credential-provider",
      "matchImages": [
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
        "public.ecr.aws"
      ],
      "defaultCacheDuration": "12h0m0s",
      "apiVersion": "credentialprovider.kubelet.k8s.io/v1alpha1"
    }
  ]
}
`);
  });

  it("is not written without the program, before kubelet demands it", () => {
    expect(fileOf(planOf({}, { ...kubelet("1.28.0"), host: withoutProgram("ecr-credential-provider") }), PATHS.credentialProviderConfig)).toBeUndefined();
  });
});
