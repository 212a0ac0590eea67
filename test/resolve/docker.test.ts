import { describe, expect, it } from "vitest";
import type { DockerConfig } from "../../src/config/node-config.ts";
import { PATHS } from "../../src/lib/paths.ts";
import { resolveContainerRuntime } from "../../src/resolve/container-runtime.ts";
import { resolveDocker } from "../../src/resolve/docker.ts";
import { host, nodeConfig, noted, option, version } from "./fixture.ts";

const DOCKERD = option("dockerd" as const, "container-runtime");

describe("the container runtime", () => {
  it.each<[number, DockerConfig, string, string]>([
    [24, {}, "containerd", "default, kubelet 1.24.1"],
    [23, {}, "dockerd", "default, kubelet 1.23.1"],
    [23, { runtime: option("containerd", "container-runtime") }, "containerd", "option --container-runtime"],
    [23, { runtime: DOCKERD }, "dockerd", "option --container-runtime"],
  ])("of kubelet 1.%i with %j is %s", (minor, docker, value, source) => {
    const { result, notes } = noted((add) => resolveContainerRuntime(nodeConfig({ docker }), version(minor), add));
    expect([result, notes]).toEqual([{ value, source }, []]);
  });

  it("is not Docker from 1.24 on", () => {
    expect(() => resolveContainerRuntime(nodeConfig({ docker: { runtime: DOCKERD } }), version(24), () => undefined)).toThrow(
      "Cannot use dockerd (option --container-runtime) with kubelet 1.24.1: containerd is the only container runtime from Kubernetes 1.24 on",
    );
  });

  it.each<[DockerConfig, readonly string[]]>([
    [{ configJson: option("{}", "docker-config-json") }, ["The option --docker-config-json is ignored: it is for Docker, and this node runs containerd."]],
    [{ enableBridge: option(true, "enable-docker-bridge") }, ["The option --enable-docker-bridge is ignored: it is for Docker, and this node runs containerd."]],
    [{ enableBridge: option(false, "enable-docker-bridge") }, []],
  ])("containerd has no use for %j", (docker, messages) => {
    expect(noted((add) => resolveContainerRuntime(nodeConfig({ docker }), version(33), add)).notes.map(({ message }) => message)).toEqual(messages);
  });
});

describe("Docker's configuration", () => {
  const DEFAULT = {
    bridge: "none",
    "log-driver": "json-file",
    "log-opts": { "max-size": "10m", "max-file": "10" },
    "live-restore": true,
    "max-concurrent-downloads": 10,
    "default-ulimits": { memlock: { Hard: -1, Name: "memlock", Soft: -1 } },
  };
  const own = { configJson: option('{"debug":true,"live-restore":true}', "docker-config-json") };
  const bridge = { enableBridge: option(true, "enable-docker-bridge") };

  it.each<[string, DockerConfig, string | undefined, unknown, boolean]>([
    ["the image's, left alone", {}, '{"debug":false}', undefined, false],
    ["as AL2's images had it, where there is none", {}, undefined, DEFAULT, false],
    ["the same at the second run, when an empty one is kept for the image's", {}, "{}\n", DEFAULT, false],
    ["the operator's, whole", own, '{"debug":false,"x":1}', { debug: true, "live-restore": true }, true],
    ["the image's with the bridge", bridge, '{"x":1,"bridge":"none"}', { x: 1, bridge: "docker0", "live-restore": false }, false],
    ["the operator's with the bridge", { ...own, ...bridge }, undefined, { debug: true, "live-restore": false, bridge: "docker0" }, true],
    ["the default with the bridge", bridge, undefined, { ...DEFAULT, bridge: "docker0", "live-restore": false }, false],
  ])("is %s", (_what, docker, image, daemonConfig, isSecret) => {
    const files: Record<string, string> = image === undefined ? {} : { [PATHS.dockerConfig]: image };
    expect(resolveDocker(nodeConfig({ docker }), "dockerd", host({ files }))).toEqual({ daemonConfig, isSecret });
  });

  it.each(["[]", "{", '"a"'])("is not %s, which is not shown", (text) => {
    const config = nodeConfig({ docker: { configJson: option(text, "docker-config-json") } });
    expect(() => resolveDocker(config, "dockerd", host())).toThrow(/^Cannot use the configuration of Docker from option --docker-config-json: it is no JSON object$/);
  });

  it("is nobody's under containerd", () => expect(resolveDocker(nodeConfig({ docker: own }), "containerd", host())).toBeUndefined());
});
