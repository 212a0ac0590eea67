import type { NodeConfig } from "../config/node-config.ts";
import { AgentError } from "../errors.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { KubeletVersion } from "./kubelet-version.ts";
import type { AddNote } from "./notes.ts";

export type ContainerRuntime = "containerd" | "dockerd";

/** Kubelet's own way to Docker went in 1.24; below it bootstrap.sh's default is Docker. */
const CONTAINERD_SINCE = 24;

/** @throws AgentError "config-invalid" for Docker under a kubelet that does not know it any more */
export function resolveContainerRuntime(config: NodeConfig, version: KubeletVersion, addNote: AddNote): Sourced<ContainerRuntime> {
  const runtime = config.docker.runtime ?? sourced(version.minor < CONTAINERD_SINCE ? "dockerd" : "containerd", `default, kubelet ${version.text}`);
  if (runtime.value === "containerd") noteUnused(config, addNote);
  else if (version.minor >= CONTAINERD_SINCE) throw refused(runtime, version);
  return runtime;
}

function refused({ source }: Sourced<ContainerRuntime>, { text }: KubeletVersion): AgentError {
  return new AgentError("config-invalid", `Cannot use dockerd (${source}) with kubelet ${text}: containerd is the only container runtime from Kubernetes 1.${CONTAINERD_SINCE} on`, {
    remedy: "Leave --container-runtime out, or give containerd.",
  });
}

function noteUnused({ docker: { configJson, enableBridge } }: NodeConfig, addNote: AddNote): void {
  for (const option of [configJson, enableBridge?.value === true ? enableBridge : undefined]) {
    if (option !== undefined) addNote("docker-option-ignored", `The ${option.source} is ignored: it is for Docker, and this node runs containerd.`);
  }
}
