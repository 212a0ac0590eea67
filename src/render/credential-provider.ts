import { printJson } from "../lib/json.ts";
import { PATHS } from "../lib/paths.ts";
import type { PlannedFile } from "../plan/plan.ts";
import type { Node } from "../resolve/node.ts";
import { plannedFile } from "./file.ts";

const CACHE_DURATION = "12h0m0s";

/** Which images kubelet asks the ECR credential provider for; no file without the program. */
export function renderCredentialProvider(node: Node): readonly PlannedFile[] {
  const provider = node.credentialProvider;
  if (provider === undefined) return [];
  const config = {
    kind: "CredentialProviderConfig",
    apiVersion: provider.configApiVersion,
    providers: [{ name: provider.name, matchImages: provider.matchImages, defaultCacheDuration: CACHE_DURATION, apiVersion: provider.providerApiVersion }],
  };
  return [plannedFile(PATHS.credentialProviderConfig, printJson(config), { comparedAs: "json" })];
}
