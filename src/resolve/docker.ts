import type { NodeConfig } from "../config/node-config.ts";
import { AgentError } from "../errors.ts";
import { isJsonObject, type JsonObject, parseJson } from "../lib/json.ts";
import { mergeJson } from "../lib/merge-json.ts";
import { PATHS } from "../lib/paths.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { ContainerRuntime } from "./container-runtime.ts";
import type { HostFacts } from "./facts.ts";

/** What decides Docker's configuration. */
export type Docker = {
  /** Undefined leaves the image's file as it is. */
  readonly daemonConfig: JsonObject | undefined;
  /** The operator's own may hold logins. */
  readonly isSecret: boolean;
};

/**
 * Undefined under containerd. The operator's configuration, else the image's, else the one that AL2's images had; the bridge
 * is added to whichever it is.
 *
 * @throws AgentError "config-invalid" for a configuration that is no JSON object
 */
export function resolveDocker(config: NodeConfig, runtime: ContainerRuntime, host: HostFacts): Docker | undefined {
  if (runtime !== "dockerd") return undefined;
  const { configJson, enableBridge } = config.docker;
  const image = host.files[PATHS.dockerConfig];
  const isImagesOwn = image !== undefined && !isEmpty(image);
  if (configJson === undefined && enableBridge?.value !== true && isImagesOwn) return { daemonConfig: undefined, isSecret: false };
  const base = configJson ?? (isImagesOwn ? sourced(image, `the image's ${PATHS.dockerConfig}`) : undefined);
  const layers = [base === undefined ? sourced(DEFAULT, "default") : { ...base, value: parse(base) }, ...(enableBridge?.value === true ? [{ ...enableBridge, value: BRIDGE }] : [])];
  return { daemonConfig: mergeJson(layers).value, isSecret: configJson !== undefined };
}

/** With live-restore Docker does not make its bridge anew when it is restarted. */
const BRIDGE: JsonObject = { bridge: "docker0", "live-restore": false };

/** Pods have the network of the CNI, and logs an end. */
const DEFAULT: JsonObject = {
  bridge: "none",
  "log-driver": "json-file",
  "log-opts": { "max-size": "10m", "max-file": "10" },
  "live-restore": true,
  "max-concurrent-downloads": 10,
  "default-ulimits": { memlock: { Hard: -1, Name: "memlock", Soft: -1 } },
};

/** What stands for an image without a file, after the first run. */
function isEmpty(text: string): boolean {
  return /^\s*(\{\s*\})?\s*$/.test(text);
}

/** The text is not shown: it may hold secrets. */
function parse({ value, source }: Sourced<string>): JsonObject {
  const parsed = parseJson(value);
  if (isJsonObject(parsed)) return parsed;
  throw new AgentError("config-invalid", `Cannot use the configuration of Docker from ${source}: it is no JSON object`, { remedy: `Correct it; it becomes ${PATHS.dockerConfig}.` });
}
