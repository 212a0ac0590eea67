import { describe, expect, it } from "vitest";
import { resolveCredentialProvider } from "../../src/resolve/credential-provider.ts";
import { HOST, nodeConfig, noted, version, withoutProgram } from "./fixture.ts";

const missing = withoutProgram("ecr-credential-provider");

const MATCH_IMAGES = [
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

function provider(minor: number, host = HOST, path?: string): ReturnType<typeof noted<ReturnType<typeof resolveCredentialProvider>>> {
  const config = nodeConfig({ kubelet: path === undefined ? {} : { credentialProvider: { value: path, source: "variable ECR_CREDENTIAL_PROVIDER_BIN_PATH" } } });
  return noted((add) => resolveCredentialProvider(config, host, version(minor), add));
}

describe("the image credential provider", () => {
  it.each([
    [23, "v1alpha1"],
    [26, "v1alpha1"],
    [27, "v1"],
    [31, "v1"],
  ])("of kubelet 1.%i speaks %s", (minor, api) => {
    expect(provider(minor)).toEqual({
      result: {
        path: "/etc/eks/image-credential-provider/ecr-credential-provider",
        isExecutable: true,
        name: "ecr-credential-provider",
        binDir: "/etc/eks/image-credential-provider",
        configApiVersion: `kubelet.config.k8s.io/${api}`,
        providerApiVersion: `credentialprovider.kubelet.k8s.io/${api}`,
        matchImages: MATCH_IMAGES,
      },
      notes: [],
    });
  });

  it("answers for public ECR's other name from 1.32 on", () => {
    expect(provider(32).result?.matchImages).toEqual([...MATCH_IMAGES, "ecr-public.aws.com"]);
  });

  it("is the one that the operator names", () => {
    const host = { ...HOST, programs: { ...HOST.programs, "ecr-credential-provider": "/opt/ecr/provider" } };
    expect(provider(33, host, "/opt/ecr/provider").result).toMatchObject({ path: "/opt/ecr/provider", isExecutable: true, name: "provider", binDir: "/opt/ecr" });
  });

  it("in another place than the one named does not count", () => {
    expect(provider(33, HOST, "/opt/ecr/provider").result).toMatchObject({ path: "/opt/ecr/provider", isExecutable: false });
  });

  it.each([
    [23, 0],
    [24, 1],
    [28, 1],
  ])("missing at 1.%i is left out, with %i notes", (minor, count) => {
    const { result, notes } = provider(minor, missing);
    expect(result).toBeUndefined();
    expect(notes).toEqual(
      Array.from({ length: count }, () => ({
        code: "no-credential-provider",
        message: "The image credential provider /etc/eks/image-credential-provider/ecr-credential-provider is not there or not executable, so kubelet's flags for it are left out. Private images on ECR need it.",
      })),
    );
  });

  it.each([29, 36])("missing at 1.%i stays, for preflight to refuse", (minor) => {
    expect(provider(minor, missing)).toMatchObject({ result: { isExecutable: false }, notes: [] });
  });
});
