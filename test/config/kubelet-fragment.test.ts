import { describe, expect, it } from "vitest";
import { parseKubeletFragment } from "../../src/config/kubelet-fragment.ts";

const SOURCE = "option --kubelet-config-file (/k.yaml)";

describe("parseKubeletFragment() keeps the fields", () => {
  it.each([
    ['{"maxPods": 58, "evictionHard": {"memory.available": "5%"}}', { maxPods: 58, evictionHard: { "memory.available": "5%" } }],
    ["apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nmaxPods: 58\n", { maxPods: 58 }],
    ["# nothing yet\n{}", {}],
    ["clusterDNS: null\nserverTLSBootstrap: no", { clusterDNS: null, serverTLSBootstrap: false }],
  ])("%j", (text, value) => {
    expect(parseKubeletFragment(text, SOURCE)).toEqual({ fragment: { value, source: SOURCE }, notes: [] });
  });

  it("and remarks on keys that are there twice", () => {
    expect(parseKubeletFragment("maxPods: 1\nmaxPods: 2\n", SOURCE)).toEqual({
      fragment: { value: { maxPods: 2 }, source: SOURCE },
      notes: [{ code: "duplicate-key", message: `${SOURCE}, line 2: The key "maxPods" is there twice; the later value holds.` }],
    });
  });
});

describe("parseKubeletFragment() refuses what is none", () => {
  const expected = 'as kubelet\'s configuration: expected a mapping of fields, such as "maxPods: 58".';
  it.each([
    ["", [{ source: SOURCE, message: `Cannot use nothing ${expected}` }]],
    ["maxPods", [{ source: SOURCE, message: `Cannot use a string ${expected}` }]],
    ["- maxPods", [{ source: SOURCE, message: `Cannot use a list ${expected}` }]],
    ["a: 1\nb: [", [{ source: SOURCE, line: 2, message: "Cannot read this as JSON or YAML: Flow sequence in block collection must be sufficiently indented and end with a ]." }]],
    ["a: 1\n---\nb: 1", [{ source: SOURCE, message: "Cannot read this as JSON or YAML: There are 2 documents where one was expected." }]],
    [
      "apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: {}",
      [
        { source: SOURCE, line: 1, path: "apiVersion", message: 'Cannot use a document of apiVersion "node.eks.aws/v1alpha1" as kubelet\'s configuration: expected "kubelet.config.k8s.io/v1beta1", or no apiVersion.' },
        { source: SOURCE, line: 2, path: "kind", message: 'Cannot use a document of kind "NodeConfig" as kubelet\'s configuration: expected "KubeletConfiguration", or no kind.' },
      ],
    ],
    ["kind: [x]", [{ source: SOURCE, line: 1, path: "kind", message: 'Cannot use a document of kind "[\\"x\\"]" as kubelet\'s configuration: expected "KubeletConfiguration", or no kind.' }]],
  ])("%j", (text, problems) => {
    expect(parseKubeletFragment(text, SOURCE)).toEqual({ problems });
  });
});
