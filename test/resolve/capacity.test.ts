import { describe, expect, it } from "vitest";
import { sourced } from "../../src/lib/sourced.ts";
import { resolveCapacity } from "../../src/resolve/capacity.ts";
import { parseUserArguments } from "../../src/resolve/user-arguments.ts";
import { CONFIG_FILE, EXTRA_ARGS, FACTS, HOST, INSTANCE, kubeletConfig, kubeletFlags, nodeConfig, noted, option } from "./fixture.ts";

type Changes = Parameters<typeof nodeConfig>[0] & { readonly image?: { readonly maxPods: number } };

function capacity({ image, ...changes }: Changes = {}): ReturnType<typeof resolveCapacity> {
  const config = nodeConfig(changes);
  const imageConfig = image === undefined ? undefined : sourced(image, "the image");
  const user = parseUserArguments(config.kubelet.flags);
  return noted((add) => resolveCapacity({ config, facts: FACTS, instance: INSTANCE, host: HOST, user, imageConfig, evaluateMaxPods: undefined }, add)).result;
}

const useMaxPods = option(false, "use-max-pods");
const flagAndConfig = { ...kubeletFlags("--max-pods=20"), ...kubeletConfig({ maxPods: 30 }) };

describe("how many pods kubelet will have", () => {
  it.each<[string, Changes, number, string]>([
    ["the table's", {}, 29, "built-in table (m5.large)"],
    ["the flag's before the config's", { kubelet: flagAndConfig }, 20, EXTRA_ARGS],
    ["the config's before the table's", { kubelet: kubeletConfig({ maxPods: 30 }) }, 30, CONFIG_FILE],
    ["the last of repeated flags", { kubelet: kubeletFlags("--max-pods=20", "--max-pods=21") }, 21, EXTRA_ARGS],
    ["a flag that is no number does not count: preflight reports it", { kubelet: kubeletFlags("--max-pods=abc") }, 29, "built-in table (m5.large)"],
    ["null takes the agent's value out", { kubelet: kubeletConfig({ maxPods: null }) }, 110, `kubelet's default, by ${CONFIG_FILE}`],
    ["kubelet takes 0 in its config for no value", { kubelet: kubeletConfig({ maxPods: 0 }) }, 110, `kubelet's default, by ${CONFIG_FILE}`],
    ["--use-max-pods false", { kubelet: { useMaxPods } }, 110, "kubelet's default"],
    ["--use-max-pods false on an image that says one", { kubelet: { useMaxPods }, image: { maxPods: 44 } }, 44, "the image"],
    ["the table's before the image's", { image: { maxPods: 44 } }, 29, "built-in table (m5.large)"],
  ])("%s", (_, changes, value, source) => {
    expect(capacity(changes).effectiveMaxPods).toEqual({ value, source });
  });

  it("is not written with --use-max-pods false", () => {
    expect([capacity().maxPods?.value, capacity({ kubelet: { useMaxPods } }).maxPods]).toEqual([29, undefined]);
  });
});

describe("how many pods memory is reserved for", () => {
  const effective = { reserveFor: option("effective" as const, "reserve-for") };

  it.each<[string, Changes, number]>([
    ["the table's count, whatever kubelet is told", { kubelet: flagAndConfig }, 29],
    ["the table's count with --use-max-pods false", { kubelet: { useMaxPods } }, 29],
    ["the flag's with --reserve-for effective", { kubelet: { ...flagAndConfig, ...effective } }, 20],
    ["kubelet's default with both", { kubelet: { useMaxPods, ...effective } }, 110],
  ])("%s", (_, changes, pods) => {
    expect(capacity(changes).reserved).toMatchObject({ memoryMiB: 11 * pods + 255, pods: { value: pods } });
  });
});
