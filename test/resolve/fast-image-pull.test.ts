import { describe, expect, it } from "vitest";
import type { HostFacts } from "../../src/resolve/facts.ts";
import { resolveSnapshotter } from "../../src/resolve/fast-image-pull.ts";
import { host, noted, option } from "./fixture.ts";

const gate = (value: boolean): { readonly fastImagePull: { readonly value: boolean; readonly source: string } } => ({ fastImagePull: { value, source: "user-data" } });
const able: Partial<HostFacts> = { cpus: 4, memoryMiB: 7168, present: ["/usr/lib/systemd/system/soci-snapshotter.service"] };

const snapshotter = (of: Partial<HostFacts>, replacement?: string): unknown =>
  noted((add) => resolveSnapshotter(gate(true), host(of), replacement === undefined ? undefined : option(replacement, "containerd-config-file"), add));

describe("FastImagePull", () => {
  it.each([
    ["is off unless asked for", {}, { value: "overlayfs", source: "default" }],
    ["is off when that is asked for", gate(false), { value: "overlayfs", source: "user-data" }],
    ["is on when asked for, from 4 CPUs and 7 GiB on", gate(true), { value: "soci", source: "user-data" }],
  ])("%s", (_, features, result) => {
    expect(noted((add) => resolveSnapshotter(features, host(able), undefined, add))).toEqual({ result, notes: [] });
  });

  it.each<[string, Partial<HostFacts>, string | undefined, string]>([
    ["3 CPUs", { ...able, cpus: 3 }, undefined, "that takes 4 CPUs and 7168 MiB of memory, and this instance has 3 and 7168"],
    ["less than 7 GiB", { ...able, memoryMiB: 7167 }, undefined, "that takes 4 CPUs and 7168 MiB of memory, and this instance has 4 and 7167"],
    ["no unit of the snapshotter", { ...able, present: [] }, undefined, "the image has no soci-snapshotter.service"],
    ["a config that replaces the agent's", able, "version = 2", "option --containerd-config-file replaces the agent's /etc/containerd/config.toml, which would name the SOCI snapshotter"],
  ])("is not done with %s, which is noted", (_, of, replacement, why) => {
    expect(snapshotter(of, replacement)).toEqual({
      result: { value: "overlayfs", source: "default" },
      notes: [{ code: "no-fast-image-pull", message: `Images are pulled in containerd's own way, although user-data asks for FastImagePull: ${why}.` }],
    });
  });
});
