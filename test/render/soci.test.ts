import { describe, expect, it } from "vitest";
import { PATHS } from "../../src/lib/paths.ts";
import { parseToml } from "../../src/lib/toml.ts";
import type { Facts, HostFacts } from "../../src/resolve/facts.ts";
import { host } from "../resolve/fixture.ts";
import { containerd, fileOf, kubelet, planOf } from "./fixture.ts";

const UNIT = "/usr/lib/systemd/system/soci-snapshotter.service";
const able = (changes: Partial<HostFacts> = {}): HostFacts => host({ cpus: 4, memoryMiB: 7600, present: [UNIT], ...changes });
const fast = { features: { fastImagePull: { value: true, source: "user-data" } } };
const textOf = (path: string, known: Facts): string => fileOf(planOf(fast, known), path)?.contents ?? "";

describe("the SOCI snapshotter", () => {
  it("has its own configuration", () => {
    expect(textOf(PATHS.sociConfig, { host: able() })).toBe(`[content_store]
type = "containerd"

[cri_keychain]
enable_keychain = true
image_service_path = "/run/containerd/containerd.sock"

[pull_modes.parallel_pull_unpack]
enable = true
concurrent_download_chunk_size = "16mb"
discard_unpacked_layers = true
max_concurrent_downloads = -1
max_concurrent_downloads_per_image = 20
max_concurrent_unpacks = -1
max_concurrent_unpacks_per_image = 12

[pull_modes.parallel_pull_unpack.decompress_streams.gzip]
path = "/usr/bin/unpigz"
args = [ "-d", "-c" ]
`);
  });

  it.each([
    ["2.1.4", { plugins: { "io.containerd.cri.v1.images": { snapshotter: "soci", disable_snapshot_annotations: false, discard_unpacked_layers: true } } }],
    ["1.7.27", { plugins: { "io.containerd.grpc.v1.cri": { containerd: { snapshotter: "soci", disable_snapshot_annotations: false, discard_unpacked_layers: true } } } }],
  ])("is named to containerd %s", (version, settings) => {
    expect(parseToml(textOf(PATHS.containerdConfig, { ...containerd(version), host: able() }))).toMatchObject({
      value: { proxy_plugins: { soci: { type: "snapshot", address: PATHS.sociSocket, exports: { root: "/var/lib/soci-snapshotter-grpc" } } }, ...settings },
    });
  });

  it.each([
    ["1.27.1", `"imageServiceEndpoint": "unix://${PATHS.sociSocket}"`, false],
    ["1.26.9", "imageServiceEndpoint", true],
  ])("is where kubelet %s asks for images", (version, field, byFlag) => {
    const known = { ...kubelet(version), host: able() };
    const [config, args] = [textOf(PATHS.kubeletConfig, known), textOf(PATHS.kubeletArgs, known)];
    expect([config.includes(field), args.includes(`--image-service-endpoint=unix://${PATHS.sociSocket}`)]).toEqual([!byFlag, byFlag]);
  });

  it("is started before containerd, with its own configuration", () => {
    const { units } = planOf(fast, { host: able() });
    expect(units.slice(0, 2)).toMatchObject([
      { name: "soci-snapshotter.service", enable: true, failure: "error", whenDifferent: "restart", reads: [PATHS.sociConfig], startedWith: [] },
      { name: "containerd.service", enable: true, failure: "error", whenDifferent: "restart", reads: [PATHS.containerdConfig, PATHS.containerdBaseSpec, PATHS.containerdSlice, PATHS.containerdSoci], startedWith: ["containerd 2.1.4"] },
    ]);
  });
});

describe("containerd with the SOCI snapshotter", () => {
  const UNIT_SECTION = "[Unit]\nRequires=soci-snapshotter.service\nAfter=soci-snapshotter.service\n";
  const present = [UNIT, PATHS.pauseArchive];

  it.each<[string, Facts, string]>([
    ["needs it", { host: able() }, ""],
    ["has the image's sandbox image imported for it", { host: able({ present }) }, "\n[Service]\nExecStartPost=-/usr/bin/ctr --namespace k8s.io images import --snapshotter soci --local --discard-unpacked-layers=false /etc/eks/pause.tar\n"],
    ["1 as well, whose ctr has fewer options", { host: able({ present }), ...containerd("1.6.20") }, "\n[Service]\nExecStartPost=-/usr/bin/ctr --namespace k8s.io images import --snapshotter soci /etc/eks/pause.tar\n"],
    ["where that is not known", { host: able({ present, programs: {} }), ...kubelet("1.28.0") }, ""],
  ])("%s", (_, known, service) => {
    expect(textOf(PATHS.containerdSoci, known)).toBe(UNIT_SECTION + service);
  });
});

it("without the feature gate there is nothing of it", () => {
  const paths = planOf({}, { host: able() }).files.map(({ path }) => path);
  expect([PATHS.sociConfig, PATHS.containerdSoci].filter((path) => paths.includes(path))).toEqual([]);
});
