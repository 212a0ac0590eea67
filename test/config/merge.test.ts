import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeNodeConfigs } from "../../src/config/merge.ts";
import { EMPTY_NODE_CONFIG, type NodeConfig } from "../../src/config/node-config.ts";
import { configOf } from "../../src/config/settings.ts";

const from = <Value>(source: string, value: Value) => ({ value, source });

describe("mergeNodeConfigs()", () => {
  it("of no layers asks for nothing", () => {
    expect(mergeNodeConfigs([])).toEqual(EMPTY_NODE_CONFIG);
  });

  it("takes scalars of the later layer, with their source, and keeps what it does not name", () => {
    const earlier = configOf({ cluster: { name: from("a", "one"), id: from("a", "id") }, image: { version: from("a", "3.5") } });
    const later = configOf({ cluster: { name: from("b", "two") } });
    expect(mergeNodeConfigs([earlier, later])).toEqual(configOf({ cluster: { name: from("b", "two"), id: from("a", "id") }, image: { version: from("a", "3.5") } }));
  });

  it("appends kubelet's flags and the config fragments", () => {
    const earlier = configOf({ kubelet: { flags: [from("a", ["--v=2"])], config: [from("a", { maxPods: 1 })] }, containerd: { config: [from("a", { x: 1 })] } });
    const later = configOf({ kubelet: { flags: [from("b", ["--v=4"])], config: [from("b", { maxPods: null })] }, containerd: { baseRuntimeSpec: [from("b", {})] } });
    expect(mergeNodeConfigs([earlier, later])).toEqual(
      configOf({
        kubelet: { flags: [from("a", ["--v=2"]), from("b", ["--v=4"])], config: [from("a", { maxPods: 1 }), from("b", { maxPods: null })] },
        containerd: { config: [from("a", { x: 1 })], baseRuntimeSpec: [from("b", {})] },
      }),
    );
  });

  it("replaces lists, the service blocks as a whole", () => {
    const earlier = configOf({ cluster: { serviceCidrs: [from("a", "10.0.0.0/16"), from("a", "fd00::/108")] }, instance: { domains: from("a", ["x", "y"]) } });
    const later = configOf({ cluster: { serviceCidrs: [from("b", "172.20.0.0/16")] }, instance: { domains: from("b", ["z"]) } });
    expect(mergeNodeConfigs([earlier, later])).toEqual(later);
  });

  it("merges environments variable by variable", () => {
    const earlier = configOf({ instance: { environment: { default: { A: from("a", "1"), B: from("a", "2") }, kubelet: { C: from("a", "3") } } } });
    const later = configOf({ instance: { environment: { default: { B: from("b", "4") }, containerd: { D: from("b", "5") }, kubelet: {} } } });
    expect(mergeNodeConfigs([earlier, later]).instance.environment).toEqual({
      default: { A: from("a", "1"), B: from("b", "4") },
      kubelet: { C: from("a", "3") },
      containerd: { D: from("b", "5") },
    });
  });
});

const sourced = <Value>(value: fc.Arbitrary<Value>) => fc.record({ value, source: fc.constantFrom("a", "b", "c") });
const text = sourced(fc.string({ maxLength: 3 }));
const truth = sourced(fc.boolean());
const fragments = fc.array(sourced(fc.dictionary(fc.constantFrom("p", "q"), fc.integer(), { maxKeys: 2 })), { maxLength: 2 });
const part = <Value extends object>(shape: { [Key in keyof Value]: fc.Arbitrary<Value[Key]> }) => fc.record(shape, { requiredKeys: [] });

const config: fc.Arbitrary<NodeConfig> = fc
  .record({
    cluster: part({ name: text, id: text, outpost: truth, serviceCidrs: fc.array(text, { maxLength: 2 }), dnsAddresses: sourced(fc.array(fc.ipV4())) }),
    kubelet: part({ config: fragments, flags: fc.array(sourced(fc.array(fc.string({ maxLength: 3 }))), { maxLength: 2 }), useMaxPods: truth }),
    containerd: part({ config: fragments, baseRuntimeSpec: fragments, configFile: text }),
    instance: part({ environment: fc.dictionary(fc.constantFrom("default", "kubelet"), fc.dictionary(fc.constantFrom("A", "B"), text)), mountBpfFs: truth }),
    image: part({ reference: text, version: text }),
    docker: part({ configJson: text, enableBridge: truth }),
    features: part({ fastImagePull: truth }),
  })
  .map((parts) => configOf(parts));

describe("for all layers", () => {
  it("merging is associative", () => {
    fc.assert(
      fc.property(config, config, config, (a, b, c) => {
        const together = mergeNodeConfigs([a, b, c]);
        expect(mergeNodeConfigs([mergeNodeConfigs([a, b]), c])).toEqual(together);
        expect(mergeNodeConfigs([a, mergeNodeConfigs([b, c])])).toEqual(together);
      }),
    );
  });

  it("a layer that asks for nothing changes nothing, wherever it is", () => {
    fc.assert(
      fc.property(config, (a) => {
        expect(mergeNodeConfigs([a])).toEqual(a);
        expect(mergeNodeConfigs([EMPTY_NODE_CONFIG, a, EMPTY_NODE_CONFIG])).toEqual(a);
      }),
    );
  });

  it("the same layers give the same text", () => {
    fc.assert(
      fc.property(config, config, (a, b) => {
        expect(JSON.stringify(mergeNodeConfigs([structuredClone(a), b]))).toBe(JSON.stringify(mergeNodeConfigs([a, structuredClone(b)])));
      }),
    );
  });
});
