import { PATHS } from "../lib/paths.ts";
import { printYaml } from "../lib/yaml-print.ts";
import type { PlannedFile, UnwantedFile } from "../plan/plan.ts";
import type { Node } from "../resolve/node.ts";
import { plannedFile } from "./file.ts";

/**
 * How kubelet reaches and convinces the API server. In a local cluster on Outposts it is a bootstrap kubeconfig, from
 * which kubelet makes its own.
 */
export function renderKubeconfig(node: Node): PlannedFile {
  const path = node.cluster.isLocalOutpost.value ? PATHS.bootstrapKubeconfig : PATHS.kubeconfig;
  const { command, args } = node.authenticator.value;
  const contents = printYaml({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "kubernetes", cluster: { "certificate-authority": PATHS.certificateAuthority, server: node.cluster.endpoint.value } }],
    contexts: [{ name: "kubelet", context: { cluster: "kubernetes", user: "kubelet" } }],
    "current-context": "kubelet",
    users: [{ name: "kubelet", user: { exec: { apiVersion: "client.authentication.k8s.io/v1beta1", command, args } } }],
  });
  return plannedFile(path, contents);
}

/**
 * On Outposts kubelet makes its kubeconfig itself, and only where there is none: one that leads elsewhere, or that still
 * has a plugin make the tokens, would keep it from that.
 */
export function unwantedKubeconfig({ cluster }: Node): readonly UnwantedFile[] {
  if (!cluster.isLocalOutpost.value) return [];
  return [{ path: PATHS.kubeconfig, unless: { hasLine: `server: ${cluster.endpoint.value}`, lacksLine: "exec:" } }];
}
