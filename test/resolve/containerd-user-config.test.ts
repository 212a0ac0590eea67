import { describe, expect, it } from "vitest";
import { AgentError } from "../../src/errors.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { sourced } from "../../src/lib/sourced.ts";
import { parseToml } from "../../src/lib/toml.ts";
import { userContainerdConfig } from "../../src/resolve/containerd-user-config.ts";
import { noted } from "./fixture.ts";

const SOURCE = "user-data part 1";

function dataOf(toml: string): JsonObject {
  const parsed = parseToml(toml);
  if ("fault" in parsed) throw new Error(parsed.fault);
  return parsed.value;
}

const given = (toml: string, version: 2 | 3): unknown => {
  const { result, notes } = noted((add) => userContainerdConfig([sourced(dataOf(toml), SOURCE)], version, "containerd 1.7.27", add));
  return { settings: result.map(({ value }) => value), notes: notes.map(({ message }) => message) };
};

describe("settings of version 2 on containerd 2", () => {
  it.each([
    ["the sandbox image", `[plugins."io.containerd.grpc.v1.cri"]\nsandbox_image = "x"`, `[plugins."io.containerd.cri.v1.images".pinned_images]\nsandbox = "x"`],
    ["the registries", `[plugins."io.containerd.grpc.v1.cri".registry]\nconfig_path = "/certs"`, `[plugins."io.containerd.cri.v1.images".registry]\nconfig_path = "/certs"`],
    ["downloads", `[plugins."io.containerd.grpc.v1.cri"]\nmax_concurrent_downloads = 9`, `[plugins."io.containerd.cri.v1.images"]\nmax_concurrent_downloads = 9`],
    ["the snapshotter", `[plugins."io.containerd.grpc.v1.cri".containerd]\nsnapshotter = "nydus"\ndisable_snapshot_annotations = false`, `[plugins."io.containerd.cri.v1.images"]\nsnapshotter = "nydus"\ndisable_snapshot_annotations = false`],
    ["layers", `[plugins."io.containerd.grpc.v1.cri".containerd]\ndiscard_unpacked_layers = false`, `[plugins."io.containerd.cri.v1.images"]\ndiscard_unpacked_layers = false`],
    ["a runtime", `[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]\nRoot = "/r"`, `[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]\nRoot = "/r"`],
    ["the default runtime", `[plugins."io.containerd.grpc.v1.cri".containerd]\ndefault_runtime_name = "kata"`, `[plugins."io.containerd.cri.v1.runtime".containerd]\ndefault_runtime_name = "kata"`],
    ["a runtime's sandboxer", `[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.kata]\nsandbox_mode = "shim"`, `[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.kata]\nsandboxer = "shim"`],
    ["CNI", `[plugins."io.containerd.grpc.v1.cri".cni]\nmax_conf_num = 2`, `[plugins."io.containerd.cri.v1.runtime".cni]\nmax_conf_num = 2`],
    ["what only the runtime reads", `[plugins."io.containerd.grpc.v1.cri"]\nenable_selinux = true`, `[plugins."io.containerd.cri.v1.runtime"]\nenable_selinux = true`],
    ["what stays with the server", `[plugins."io.containerd.grpc.v1.cri"]\nstream_server_port = "10010"`, `[plugins."io.containerd.grpc.v1.cri"]\nstream_server_port = "10010"`],
    ["what is of no plugin", `version = 2\noom_score = -5\n[metrics]\naddress = "127.0.0.1:1338"`, `oom_score = -5\n[metrics]\naddress = "127.0.0.1:1338"`],
    ["a plugin of another name", `[plugins."io.containerd.internal.v1.restart"]\ninterval = "5s"`, `[plugins."io.containerd.monitor.container.v1.restart"]\ninterval = "5s"`],
    ["another plugin", `[plugins."io.containerd.gc.v1.scheduler"]\npause_threshold = 0.03`, `[plugins."io.containerd.gc.v1.scheduler"]\npause_threshold = 0.03`],
    ["version 3's place is stronger", `[plugins."io.containerd.grpc.v1.cri"]\nsandbox_image = "x"\n[plugins."io.containerd.cri.v1.images".pinned_images]\nsandbox = "y"`, `[plugins."io.containerd.cri.v1.images".pinned_images]\nsandbox = "y"`],
  ])("%s", (_, toml, inVersion3) => {
    expect(given(toml, 3)).toEqual({ settings: [dataOf(inVersion3)], notes: [] });
  });

  it("a key that is in no document is put where containerd's own migration puts it, with a note", () => {
    expect(given(`[plugins."io.containerd.grpc.v1.cri"]\nsystemd_cgroup = true`, 3)).toEqual({
      settings: [dataOf(`[plugins."io.containerd.cri.v1.runtime"]\nsystemd_cgroup = true`)],
      notes: [
        'It is not known where containerd 2 has systemd_cgroup of plugins."io.containerd.grpc.v1.cri" (user-data part 1), so it is put into plugins."io.containerd.cri.v1.runtime", as containerd\'s own migration does.',
      ],
    });
  });

  it("a table that is none is left to containerd to refuse", () => {
    expect(given(`[plugins]\n"io.containerd.grpc.v1.cri" = 5`, 3)).toEqual({ settings: [dataOf(`[plugins]\n"io.containerd.grpc.v1.cri" = 5`)], notes: [] });
  });
});

describe("settings on containerd 1", () => {
  it("of version 2 are taken as they are, but for their version", () => {
    const toml = `[plugins."io.containerd.grpc.v1.cri"]\nsandbox_image = "x"`;
    expect(given(`version = 3\n${toml}`, 2)).toEqual({ settings: [dataOf(toml)], notes: [] });
  });

  it("of version 3 are refused, all at once", () => {
    const settings = [`[plugins."io.containerd.cri.v1.images"]\nsnapshotter = "x"`, "oom_score = 1", `[plugins."io.containerd.cri.v1.runtime"]\nenable_cdi = true`];
    const layers = settings.map((toml, index) => sourced(dataOf(toml), `user-data part ${index + 1}`));
    let thrown: unknown;
    try {
      userContainerdConfig(layers, 2, "containerd 1.7.27", () => undefined);
    } catch (error) {
      thrown = error;
    }
    const why = 'spec.containerd.config: Cannot use these settings for containerd 1.7.27: they name io.containerd.cri.v1.images or io.containerd.cri.v1.runtime, which are of containerd 2, and containerd 1 would ignore them. It has plugins."io.containerd.grpc.v1.cri" for both.';
    expect(thrown).toBeInstanceOf(AgentError);
    expect(thrown).toMatchObject({ code: "config-invalid", lines: [`user-data part 1, ${why}`, `user-data part 3, ${why}`] });
  });
});
