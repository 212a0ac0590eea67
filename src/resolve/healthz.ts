import type { MergedJson } from "../lib/merge-json.ts";
import { type Argument, lastValue } from "./user-arguments.ts";

/** Where kubelet answers /healthz. Port 0: nowhere. */
export type Healthz = { readonly address: string; readonly port: number };

const KUBELET_DEFAULTS: Healthz = { address: "127.0.0.1", port: 10248 };

/** Flags beat the configuration, which beats kubelet's defaults. */
export function resolveHealthz(flags: readonly Argument[], config: MergedJson): Healthz {
  const address = lastValue(flags, "healthz-bind-address")?.value ?? config.value["healthzBindAddress"];
  const port = lastValue(flags, "healthz-port")?.value ?? config.value["healthzPort"];
  return {
    // Kubelet takes an empty text in its configuration for "not set".
    address: typeof address === "string" && address !== "" ? address : KUBELET_DEFAULTS.address,
    port: isPort(port) ? Number(port) : KUBELET_DEFAULTS.port,
  };
}

function isPort(value: unknown): boolean {
  return /^\d{1,5}$/.test(String(value));
}
