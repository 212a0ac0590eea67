import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import { valueAt } from "../lib/merge-json.ts";
import { CRI, CRI_IMAGES, CRI_RUNTIME } from "../resolve/containerd-places.ts";
import type { Containerd } from "../resolve/containerd.ts";
import { alternatives, type Finding, quote } from "./finding.ts";

/**
 * With what containerd reads, and yet does not serve kubelet: `containerd config dump` finds nothing wrong with it. A text that
 * replaces the agent's configuration is the operator's own affair.
 */
export function checkContainerdSettings({ config, configVersion, replacement, configSources }: Containerd): readonly Finding[] {
  if (replacement !== undefined) return [];
  const [images, runtime] = configVersion.value === 3 ? [CRI_IMAGES, CRI_RUNTIME] : [CRI, CRI];
  const source = configSources.join(", ");
  return [
    ...checkDefaultRuntime(objectAt(config.value, ["plugins", runtime, "containerd"]), source),
    ...checkRegistry(objectAt(config.value, ["plugins", images, "registry"]), source),
  ];
}

function checkDefaultRuntime({ default_runtime_name: name, runtimes }: JsonObject, source: string): readonly Finding[] {
  const known = isJsonObject(runtimes) ? Object.keys(runtimes) : [];
  if (typeof name === "string" && known.includes(name)) return [];
  return [{
    severity: "error",
    code: "containerd-default-runtime",
    message: `containerd has no runtime ${quote(name)}, which is its default_runtime_name: it knows ${alternatives(known)}`,
    source,
    remedy: `Add containerd.runtimes.${typeof name === "string" ? name : "NAME"} to spec.containerd.config, or name another.`,
  }];
}

function checkRegistry({ config_path: path, mirrors }: JsonObject, source: string): readonly Finding[] {
  if (!isFilled(path) || !isFilled(mirrors)) return [];
  return [{
    severity: "error",
    code: "containerd-mirrors",
    message: `containerd refuses registry.mirrors beside registry.config_path ${quote(path)}`,
    source,
    remedy: 'Put a hosts.toml for each registry below that path, or set config_path = "" in spec.containerd.config as well.',
  }];
}

function isFilled(value: JsonValue | undefined): boolean {
  return isJsonObject(value) ? Object.keys(value).length > 0 : value !== undefined && value !== "";
}

function objectAt(config: JsonObject, path: readonly string[]): JsonObject {
  const value = valueAt(config, path);
  return isJsonObject(value) ? value : {};
}
