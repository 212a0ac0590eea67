import { describe, expect, it } from "vitest";
import { EMPTY_NODE_CONFIG } from "../../src/config/node-config.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { sourced } from "../../src/lib/sourced.ts";
import { preflight } from "../../src/preflight/preflight.ts";
import { resolveNode } from "../../src/resolve/node.ts";
import { facts, nodeConfig, option } from "../resolve/fixture.ts";

const CRI = "io.containerd.grpc.v1.cri";
const [IMAGES, RUNTIME] = ["io.containerd.cri.v1.images", "io.containerd.cri.v1.runtime"];

function findings(plugins: JsonObject, version = "2.1.4", replaced = false): unknown {
  const containerd = { ...EMPTY_NODE_CONFIG.containerd, config: [sourced({ plugins }, "user-data")], ...(replaced ? { configFile: option("version = 2\n", "containerd-config-file") } : {}) };
  const known = facts({ containerdVersion: { value: { version, source: "containerd --version" } } });
  return preflight(resolveNode(nodeConfig({ containerd }), known)).map(({ code, message, source }) => `${code}: ${message} (${source})`);
}

const MIRRORS = { mirrors: { "docker.io": { endpoint: ["https://mirror.example"] } } };

describe("settings that containerd reads, and does not serve kubelet with", () => {
  it.each<[string, string, JsonObject, readonly string[]]>([
    ["a default runtime that is none", "2.1.4", { [RUNTIME]: { containerd: { default_runtime_name: "kata" } } }, ['containerd-default-runtime: containerd has no runtime "kata", which is its default_runtime_name: it knows runc (user-data)']],
    ["the same in version 2", "1.7.27", { [CRI]: { containerd: { default_runtime_name: "kata" } } }, ['containerd-default-runtime: containerd has no runtime "kata", which is its default_runtime_name: it knows runc (user-data)']],
    ["a default runtime that is there", "2.1.4", { [CRI]: { containerd: { default_runtime_name: "kata", runtimes: { kata: { runtime_type: "io.containerd.kata.v2" } } } } }, []],
    ["mirrors beside the path that the agent sets", "2.1.4", { [CRI]: { registry: MIRRORS } }, ['containerd-mirrors: containerd refuses registry.mirrors beside registry.config_path "/etc/containerd/certs.d:/etc/docker/certs.d" (user-data)']],
    ["the same in version 2", "1.7.27", { [CRI]: { registry: MIRRORS } }, ['containerd-mirrors: containerd refuses registry.mirrors beside registry.config_path "/etc/containerd/certs.d:/etc/docker/certs.d" (user-data)']],
    ["mirrors instead of the path", "2.1.4", { [IMAGES]: { registry: { ...MIRRORS, config_path: "" } } }, []],
    ["no mirrors", "1.7.27", { [CRI]: { registry: { mirrors: {} } } }, []],
  ])("%s on containerd %s", (_, version, plugins, expected) => {
    expect(findings(plugins, version)).toEqual(expected);
  });

  it("are not looked for where the operator's own text replaces them", () => {
    expect(findings({ [CRI]: { registry: MIRRORS } }, "1.7.27", true)).toEqual([]);
  });
});
