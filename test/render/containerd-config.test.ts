import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { EMPTY_NODE_CONFIG } from "../../src/config/node-config.ts";
import { PATHS } from "../../src/lib/paths.ts";
import type { Facts } from "../../src/resolve/facts.ts";
import { host, HOST, option } from "../resolve/fixture.ts";
import { containerd, fileOf, kubelet, planOf } from "./fixture.ts";

const IMAGE = "602401143452.dkr.ecr.us-east-1.amazonaws.com/eks/pause:3.5";
const GPU = host({ nvidiaDevice: true, programs: { ...HOST.programs, "nvidia-container-runtime": "/usr/bin/nvidia-container-runtime" } });

const configOf = (known: Facts, asked: Partial<typeof EMPTY_NODE_CONFIG.containerd> = {}): string =>
  fileOf(planOf({ containerd: { ...EMPTY_NODE_CONFIG.containerd, ...asked } }, known), PATHS.containerdConfig)?.contents ?? "";

describe("containerd's config", () => {
  it("in version 3, for containerd 2", () => {
    expect(configOf({})).toBe(`version = 3
root = "/var/lib/containerd"
state = "/run/containerd"
imports = [ "/etc/containerd/config.d/*.toml" ]

[grpc]
address = "/run/containerd/containerd.sock"

[plugins."io.containerd.cri.v1.images"]
discard_unpacked_layers = true

[plugins."io.containerd.cri.v1.images".pinned_images]
sandbox = "${IMAGE}"

[plugins."io.containerd.cri.v1.images".registry]
config_path = "/etc/containerd/certs.d:/etc/docker/certs.d"

[plugins."io.containerd.cri.v1.runtime"]
enable_cdi = true

[plugins."io.containerd.cri.v1.runtime".cni]
bin_dir = "/opt/cni/bin"
conf_dir = "/etc/cni/net.d"

[plugins."io.containerd.cri.v1.runtime".containerd]
default_runtime_name = "runc"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
base_runtime_spec = "/etc/containerd/base-runtime-spec.json"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
SystemdCgroup = true
`);
  });

  it("in version 2, for containerd 1, with the NVIDIA runtime, before CDI", () => {
    expect(configOf({ ...containerd("1.7.27"), ...kubelet("1.31.0"), host: GPU })).toBe(`version = 2
root = "/var/lib/containerd"
state = "/run/containerd"
imports = [ "/etc/containerd/config.d/*.toml" ]

[grpc]
address = "/run/containerd/containerd.sock"

[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "${IMAGE}"

[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "/opt/cni/bin"
conf_dir = "/etc/cni/net.d"

[plugins."io.containerd.grpc.v1.cri".containerd]
default_runtime_name = "nvidia"
discard_unpacked_layers = true

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia]
runtime_type = "io.containerd.runc.v2"
base_runtime_spec = "/etc/containerd/base-runtime-spec.json"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia.options]
BinaryName = "/usr/bin/nvidia-container-runtime"
SystemdCgroup = true

[plugins."io.containerd.grpc.v1.cri".registry]
config_path = "/etc/containerd/certs.d:/etc/docker/certs.d"
`);
  });

  it("has the operator's settings merged in", () => {
    const config = [{ value: { oom_score: -999, grpc: { max_recv_message_size: 1 }, imports: ["/x.toml"] }, source: "user-data" }];
    const merged = parse(configOf({}, { config }));
    expect(merged).toMatchObject({ oom_score: -999, grpc: { address: PATHS.containerdSocket, max_recv_message_size: 1 }, imports: ["/x.toml"] });
  });
});

describe("a text that replaces containerd's config", () => {
  const configFile = option('a = "SANDBOX_IMAGE"\nb = "SANDBOX_IMAGE"\n', "containerd-config-file");

  it("has SANDBOX_IMAGE replaced wherever it is, and nothing else", () => {
    expect(configOf({}, { configFile })).toBe(`a = "${IMAGE}"\nb = "${IMAGE}"\n`);
  });

  it("takes an image's name with a dollar as it is", () => {
    const plan = planOf({ containerd: { ...EMPTY_NODE_CONFIG.containerd, configFile }, image: { reference: option("x/$&:1", "x") } });
    expect(fileOf(plan, PATHS.containerdConfig)?.contents).toBe('a = "x/$&:1"\nb = "x/$&:1"\n');
  });

  it("leaves the base runtime spec out unless it names it", () => {
    const naming = option(`base_runtime_spec = "${PATHS.containerdBaseSpec}"\n`, "containerd-config-file");
    const has = (file: typeof naming): boolean => fileOf(planOf({ containerd: { ...EMPTY_NODE_CONFIG.containerd, configFile: file } }), PATHS.containerdBaseSpec) !== undefined;
    expect([has(configFile), has(naming)]).toEqual([false, true]);
  });
});

describe("the base runtime spec", () => {
  it("has the operator's merged in, lists replaced", () => {
    const baseRuntimeSpec = [{ value: { process: { rlimits: [] }, hostname: null, annotations: { a: "b" } }, source: "user-data" }];
    const plan = planOf({ containerd: { ...EMPTY_NODE_CONFIG.containerd, baseRuntimeSpec } });
    expect(JSON.parse(fileOf(plan, PATHS.containerdBaseSpec)?.contents ?? "")).toMatchObject({ ociVersion: "1.1.0", process: { cwd: "/", rlimits: [] }, annotations: { a: "b" } });
  });
});
