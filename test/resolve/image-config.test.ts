import { describe, expect, it } from "vitest";
import { PATHS } from "../../src/lib/paths.ts";
import { resolveImageConfig } from "../../src/resolve/image-config.ts";
import { host, noted } from "./fixture.ts";

const source = "the image's /etc/kubernetes/kubelet/kubelet-config.json";
const imageConfig = (text?: string): unknown => noted((add) => resolveImageConfig(host(text === undefined ? {} : { files: { [PATHS.kubeletConfig]: text } }), add));

describe("the image's kubelet-config.json", () => {
  it.each([
    ["is kept as it is", '{"maxPods": 44}', { value: { maxPods: 44 }, source }],
    ["may be empty", " \n", undefined],
    ["may be missing", undefined, undefined],
  ])("%s", (_, text, result) => {
    expect(imageConfig(text)).toEqual({ result, notes: [] });
  });

  it.each(["{", "[]", "null", "maxPods: 44"])("%j is left out with a note", (text) => {
    expect(imageConfig(text)).toEqual({
      result: undefined,
      notes: [{ code: "image-config-unusable", message: "The image's /etc/kubernetes/kubelet/kubelet-config.json is no JSON object, so nothing of it is kept." }],
    });
  });
});
