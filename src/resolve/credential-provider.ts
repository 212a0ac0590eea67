import type { NodeConfig } from "../config/node-config.ts";
import { credentialProviderImages } from "../data/ecr-region-lookup.ts";
import { PATHS } from "../lib/paths.ts";
import type { HostFacts } from "./facts.ts";
import type { KubeletVersion } from "./kubelet-version.ts";
import type { AddNote } from "./notes.ts";

/** Kubelet's built-in ECR credentials went in 1.27, and the flags of the plugin have been there for good since 1.24. */
const FLAGS_SINCE = 24;
const STABLE_API_SINCE = 27;
/** From here on a missing program is no longer made up for by anything. */
const REQUIRED_SINCE = 29;

/** How kubelet gets credentials for ECR. */
export type CredentialProvider = {
  /** Absolute path of the program. */
  readonly path: string;
  readonly isExecutable: boolean;
  readonly name: string;
  readonly binDir: string;
  readonly configApiVersion: string;
  readonly providerApiVersion: string;
  readonly matchImages: readonly string[];
};

/**
 * Undefined when the program is missing, with a note below 1.29; from there on preflight makes an error of it, and the
 * flags stay, so that what is shown is what kubelet needs.
 */
export function resolveCredentialProvider(config: NodeConfig, host: HostFacts, version: KubeletVersion, addNote: AddNote): CredentialProvider | undefined {
  const path = config.kubelet.credentialProvider?.value ?? PATHS.credentialProvider;
  const isExecutable = host.programs["ecr-credential-provider"] === path;
  if (isExecutable || version.minor >= REQUIRED_SINCE) return provider(path, isExecutable, version);
  if (version.minor >= FLAGS_SINCE) {
    addNote("no-credential-provider", `The image credential provider ${path} is not there or not executable, so kubelet's flags for it are left out. Private images on ECR need it.`);
  }
  return undefined;
}

function provider(path: string, isExecutable: boolean, version: KubeletVersion): CredentialProvider {
  const slash = path.lastIndexOf("/");
  const api = version.minor >= STABLE_API_SINCE ? "v1" : "v1alpha1";
  return {
    path,
    isExecutable,
    name: path.slice(slash + 1),
    binDir: path.slice(0, slash),
    configApiVersion: `kubelet.config.k8s.io/${api}`,
    providerApiVersion: `credentialprovider.kubelet.k8s.io/${api}`,
    matchImages: credentialProviderImages(version.minor),
  };
}
