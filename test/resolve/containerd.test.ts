import { describe, expect, it } from "vitest";
import type { ContainerdConfig } from "../../src/config/node-config.ts";
import { EMPTY_NODE_CONFIG } from "../../src/config/node-config.ts";
import { PATHS } from "../../src/lib/paths.ts";
import { valueAt } from "../../src/lib/merge-json.ts";
import { sourced } from "../../src/lib/sourced.ts";
import { type Containerd, resolveContainerd } from "../../src/resolve/containerd.ts";
import type { Facts, HostFacts } from "../../src/resolve/facts.ts";
import type { Note } from "../../src/resolve/notes.ts";
import { facts, host, nodeConfig, noted, option, version } from "./fixture.ts";

type Case = { readonly containerdVersion?: NonNullable<Facts["containerdVersion"]>; readonly of?: Partial<HostFacts>; readonly minor?: number; readonly asked?: Partial<ContainerdConfig> };

function containerd({ containerdVersion, of = {}, minor = 33, asked = {} }: Case = {}): { readonly result: Containerd; readonly notes: readonly Note[] } {
  const config = nodeConfig({ containerd: { ...EMPTY_NODE_CONFIG.containerd, ...asked } });
  const known = containerdVersion === undefined ? facts() : facts({ containerdVersion });
  return noted((add) => resolveContainerd({ config, facts: known, host: host(of), version: version(minor), sandboxImage: sourced("pause:1", "table") }, add));
}

describe("the version of containerd's config", () => {
  it.each([
    ["1.7.27", 2],
    ["v1.6.0", 2],
    ["2.0.0", 3],
    ["2.1.4+unknown", 3],
    ["3.0.0-rc.1", 3],
  ])("containerd %s reads version %i", (text, value) => {
    const { result, notes } = containerd({ containerdVersion: { value: { version: text, source: "containerd --version" } } });
    expect([result.configVersion, result.versionText, notes]).toEqual([{ value, source: `containerd ${text} (containerd --version)` }, text, []]);
  });

  it.each<[NonNullable<Facts["containerdVersion"]>, string, string]>([
    [{ failure: "/usr/bin/containerd does not exist" }, "/usr/bin/containerd does not exist", "unknown"],
    [{ value: { version: "latest", source: "the file" } }, '"latest" from the file is no version', "latest"],
  ])("is 2, which all read, when containerd's is not known: %j", (containerdVersion, why, text) => {
    const { result, notes } = containerd({ containerdVersion });
    expect([result.configVersion.value, result.versionText]).toEqual([2, text]);
    expect(notes).toEqual([{ code: "containerd-version-unknown", message: `containerd's version is not known (${why}), so its config is written in version 2, which 1.x and 2.x read.` }]);
  });
});

describe("the operator's settings", () => {
  const config = [{ value: { plugins: { "io.containerd.cri.v1.images": { pinned_images: { sandbox: "own/pause:1" } } } }, source: "user-data" }];

  it("of version 3 decide where containerd's version is not known", () => {
    const { result, notes } = containerd({ containerdVersion: { failure: "there is no containerd" }, asked: { config } });
    expect(result.configVersion).toEqual({ value: 3, source: "user-data" });
    expect(notes).toEqual([
      {
        code: "containerd-version-unknown",
        message: "containerd's version is not known (there is no containerd), so its config is written in version 3, for which the settings from user-data are.",
      },
    ]);
  });

  it("may name the sandbox image, which is then kubelet's as well", () => {
    expect([containerd({ asked: { config } }).result.sandboxImage, containerd().result.sandboxImage]).toEqual([
      { value: "own/pause:1", source: "user-data" },
      { value: "pause:1", source: "table" },
    ]);
  });

  it("are where an error of containerd's is looked for", () => {
    expect(containerd({ asked: { config } }).result.configSources).toEqual(["user-data"]);
  });
});

describe("CDI", () => {
  it.each([
    [31, undefined],
    [32, true],
  ])("is on from kubelet 1.32: 1.%i: %s", (minor, on) => {
    expect(valueAt(containerd({ minor }).result.config.value, ["plugins", "io.containerd.cri.v1.runtime", "enable_cdi"])).toBe(on);
  });
});

describe("a text that replaces the agent's config", () => {
  const ofImage = { files: { [PATHS.imageContainerdConfig]: "version = 2\n" } };
  const configFile = option("version = 3\n", "containerd-config-file");

  it.each<[string, Case, unknown]>([
    ["none", {}, undefined],
    ["the image's", { of: ofImage }, { value: "version = 2\n", source: "/etc/eks/containerd/containerd-config.toml" }],
    ["the operator's before the image's", { of: ofImage, asked: { configFile } }, configFile],
  ])("%s", (_, of, replacement) => {
    expect(containerd(of)).toMatchObject({ result: { replacement }, notes: [] });
  });

  it("leaves settings that would be merged without effect, which is noted", () => {
    expect(containerd({ of: ofImage, asked: { config: [{ value: { debug: {} }, source: "user-data" }] } }).notes).toEqual([
      {
        code: "containerd-config-unused",
        message: "The settings for containerd from user-data have no effect: /etc/eks/containerd/containerd-config.toml replaces the agent's configuration of it, and they are merged into that alone.",
      },
    ]);
  });
});

describe("whether the image's unit runs containerd in runtime.slice", () => {
  const unit = "[Service]\nSlice=runtime.slice\n";

  it.each<[string, Record<string, string>, boolean]>([
    ["no unit", {}, false],
    ["a unit without", { "/usr/lib/systemd/system/containerd.service": "[Service]\n" }, false],
    ["a unit with", { "/usr/lib/systemd/system/containerd.service": unit }, true],
    ["spaces around =", { "/lib/systemd/system/containerd.service": "Slice = runtime.slice \n" }, true],
    ["another slice", { "/usr/lib/systemd/system/containerd.service": "Slice=system.slice\n" }, false],
    ["a comment", { "/usr/lib/systemd/system/containerd.service": "#Slice=runtime.slice\n" }, false],
    ["the unit in /etc is the one in force", { "/etc/systemd/system/containerd.service": "[Service]\n", "/usr/lib/systemd/system/containerd.service": unit }, false],
  ])("%s", (_, files, has) => {
    expect(containerd({ of: { files } }).result.unitHasSlice).toBe(has);
  });
});
