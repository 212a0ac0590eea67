import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/lib/json.ts";
import { mergeJson } from "../../src/lib/merge-json.ts";
import { sourced } from "../../src/lib/sourced.ts";
import { resolveHealthz } from "../../src/resolve/healthz.ts";
import { userArguments } from "./fixture.ts";

describe("where kubelet answers for its health", () => {
  it.each<[string, JsonObject, readonly string[], string, number]>([
    ["kubelet's default", {}, [], "127.0.0.1", 10248],
    ["the configuration's", { healthzBindAddress: "0.0.0.0", healthzPort: 10300 }, [], "0.0.0.0", 10300],
    ["the flags'", { healthzBindAddress: "0.0.0.0", healthzPort: 10300 }, ["--healthz-bind-address=::", "--healthz-port", "10301"], "::", 10301],
    ["nowhere with port 0", { healthzPort: 0 }, [], "127.0.0.1", 0],
    ["nowhere with the flag's port 0", { healthzPort: 10300 }, ["--healthz-port=0"], "127.0.0.1", 0],
    ["an empty address is none", { healthzBindAddress: "" }, [], "127.0.0.1", 10248],
    ["a port that is none: preflight reports it", { healthzPort: "http" }, [], "127.0.0.1", 10248],
  ])("%s", (_, config, words, address, port) => {
    expect(resolveHealthz(userArguments(...words).arguments, mergeJson([sourced(config, "test")]))).toEqual({ address, port });
  });
});
