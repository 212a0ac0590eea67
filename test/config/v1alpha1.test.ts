import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseConfigText } from "../../src/config/config-text.ts";
import { EMPTY_NODE_CONFIG } from "../../src/config/node-config.ts";
import { showProblem } from "../../src/config/problems.ts";
import { configOf, type Part } from "../../src/config/settings.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { printToml } from "../../src/lib/toml.ts";
import { printYaml } from "../../src/lib/yaml-print.ts";
import { CLUSTER_CA_PEM } from "../simulator/world.ts";

const SOURCE = "file /n.yaml";
const from = <Value>(value: Value) => ({ value, source: SOURCE });

const layerOf = (text: string) => parseConfigText({ source: SOURCE, text, givenAs: "file" });
const read = (spec: JsonObject) => layerOf(JSON.stringify({ apiVersion: "node.eks.aws/v1alpha1", kind: "NodeConfig", spec }));

/** What is said, without where. */
function saidOf(spec: JsonObject): readonly string[] {
  const { problems, leniencies, notes } = read(spec);
  const shown = (problem: (typeof problems)[number]) => showProblem(problem).replace(/^file \/n\.yaml(, line 1)?(, spec\.?)?/, "");
  return [...problems.map(shown), ...leniencies.map((leniency) => `${leniency.code}: ${shown(leniency)}`), ...notes.map(({ code, message }) => `${code}: ${message}`)];
}

const CA = Buffer.from(CLUSTER_CA_PEM).toString("base64");

describe("every field becomes what it asks for", () => {
  it.each<[JsonObject, Part]>([
    [{}, {}],
    [{ cluster: { name: "a" } }, { cluster: { name: from("a") } }],
    [{ cluster: { apiServerEndpoint: "https://a.example/" } }, { cluster: { apiServerEndpoint: from("https://a.example") } }],
    [{ cluster: { certificateAuthority: CA } }, { cluster: { certificateAuthority: from(CLUSTER_CA_PEM) } }],
    [{ cluster: { cidr: "10.100.0.0/16" } }, { cluster: { serviceCidrs: [from("10.100.0.0/16")] } }],
    [{ cluster: { cidr: "fd30:1c53:5f8a::/108" } }, { cluster: { serviceCidrs: [from("fd30:1c53:5f8a::/108")] } }],
    [{ cluster: { enableOutpost: true, id: "id-1" } }, { cluster: { outpost: from(true), id: from("id-1") } }],
    [{ cluster: { enableOutpost: false } }, { cluster: { outpost: from(false) } }],
    [{ kubelet: { config: { maxPods: 0, a: { b: null }, c: null, d: "", e: [] } } }, { kubelet: { config: [from({ maxPods: 0, a: { b: null }, c: null, d: "", e: [] })] } }],
    [{ kubelet: { config: { apiVersion: "kubelet.config.k8s.io/v1beta1", kind: "KubeletConfiguration", maxPods: 1 } } }, { kubelet: { config: [from({ maxPods: 1 })] } }],
    [{ kubelet: { flags: ["--v=2"] } }, { kubelet: { flags: [from(["--v=2"])] } }],
    [{ kubelet: { flags: ['--node-labels="a=b,c=d"', "--max-pods 5  --v=2"] } }, { kubelet: { flags: [from(["--node-labels=a=b,c=d"]), from(["--max-pods", "5", "--v=2"])] } }],
    [{ kubelet: { flags: ["--x=%%"] } }, { kubelet: { flags: [from(["--x=%%"])] } }],
    [{ kubelet: { flags: [] } }, {}],
    [{ kubelet: { maxPodsExpression: "max_pods - 1" } }, { kubelet: { maxPodsExpression: from("max_pods - 1") } }],
    [{ containerd: { config: 'version = 2\n[plugins."a.b"]\nx = true\n' } }, { containerd: { config: [from({ version: 2, plugins: { "a.b": { x: true } } })] } }],
    [{ containerd: { baseRuntimeSpec: { process: { rlimits: [{ soft: 1 }], a: null }, b: null } } }, { containerd: { baseRuntimeSpec: [from({ process: { rlimits: [{ soft: 1 }] } })] } }],
    [{ instance: { localStorage: { strategy: "RAID0" } } }, { instance: { localDisks: from("raid0") } }],
    [{ instance: { localStorage: { strategy: "RAID10" } } }, { instance: { localDisks: from("raid10") } }],
    [{ instance: { localStorage: { strategy: "Mount", mountPath: "/mnt/k8s disks" } } }, { instance: { localDisks: from("mount"), localDisksMountPath: from("/mnt/k8s disks") } }],
    [{ instance: { localStorage: { disabledMounts: ["Containerd", "PodLogs", "SOCI"] } } }, { instance: { disabledMounts: from(["Containerd", "PodLogs", "SOCI"]) } }],
    [{ instance: { environment: { default: { A: "1", b_2: "" }, "kubelet.service": { C: 'x "%\\' } } } }, { instance: { environment: { default: { A: from("1"), b_2: from("") }, kubelet: { C: from('x "%\\') } } } }],
    [{ instance: { environment: { "kubelet": { A: "1" }, "kubelet.service": { B: "2" } } } }, { instance: { environment: { kubelet: { A: from("1"), B: from("2") } } } }],
    [{ instance: { network: { nameservers: ["10.0.0.2", "fd00::2", "1.1.1.1:53", "[fd00::1]:53%eth0#dns.example"], domains: ["example.com", "~."] } } }, { instance: { nameservers: from(["10.0.0.2", "fd00::2", "1.1.1.1:53", "[fd00::1]:53%eth0#dns.example"]), domains: from(["example.com", "~."]) } }],
    [{ instance: { network: { nameservers: [] } } }, { instance: { nameservers: from([]) } }],
    [{ featureGates: { InstanceIdNodeName: true, FastImagePull: true } }, { kubelet: { nodeName: from("instance-id") }, features: { fastImagePull: from(true) } }],
    [{ featureGates: { InstanceIdNodeName: false, FastImagePull: false } }, { kubelet: { nodeName: from("private-dns") }, features: { fastImagePull: from(false) } }],
  ])("%j", (spec, part) => {
    expect(read(spec).config).toEqual(configOf(part));
    expect(saidOf(spec)).toEqual([]);
  });

  it("and metadata and status are nothing", () => {
    const layer = layerOf("apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nmetadata:\n  creationTimestamp: null\n  name: x\n  labels: {a: b}\nspec: null\nstatus:\n  instance: {}\n");
    expect(layer).toEqual({ config: EMPTY_NODE_CONFIG, inputs: [SOURCE], problems: [], faults: [], leniencies: [], notes: [] });
  });
});

describe("null and empty text say nothing", () => {
  it.each<[JsonObject]>([
    [{ cluster: null, kubelet: null, containerd: null, instance: null, featureGates: null }],
    [{ cluster: { name: null, apiServerEndpoint: null, certificateAuthority: null, cidr: null, enableOutpost: null, id: null } }],
    [{ cluster: { name: "", apiServerEndpoint: "", certificateAuthority: "", cidr: "", id: "" } }],
    [{ kubelet: { config: null, flags: null, maxPodsExpression: null } }],
    [{ kubelet: { config: {}, flags: [null, ""], maxPodsExpression: "" } }],
    [{ containerd: { config: null, baseRuntimeSpec: null } }],
    [{ containerd: { config: "", baseRuntimeSpec: {} } }],
    [{ instance: { localStorage: null, environment: null, network: null } }],
    [{ instance: { localStorage: { strategy: null, mountPath: "", disabledMounts: null }, environment: {}, network: { nameservers: null, domains: null } } }],
    [{ featureGates: { InstanceIdNodeName: null, FastImagePull: null } }],
  ])("%j", (spec) => {
    expect(read(spec).config).toEqual(EMPTY_NODE_CONFIG);
    expect(saidOf(spec)).toEqual([]);
  });

  it("nor does an environment without values, but for the service's name", () => {
    expect(read({ instance: { environment: { default: null, kubelet: { A: null } } } }).config).toEqual(configOf({ instance: { environment: { default: {}, kubelet: {} } } }));
  });
});

describe("what cannot be used is refused", () => {
  const text = (value: string, like = "") => `Cannot use ${value}: expected text${like}.`;
  it.each<[JsonObject, string]>([
    [{ cluster: "a" }, 'cluster: Cannot use "a": expected a mapping of names to values.'],
    [{ cluster: [] }, "cluster: Cannot use a list: expected a mapping of names to values."],
    [{ cluster: { name: 123 } }, `cluster.name: ${text("123", ', as in "123"')}`],
    [{ cluster: { name: true } }, `cluster.name: ${text("true", ', as in "true"')}`],
    [{ cluster: { name: ["a"] } }, `cluster.name: ${text("a list")}`],
    [{ cluster: { name: "a b" } }, 'cluster.name: Cannot use "a b": expected at most 100 letters, digits, "-" and "_", of which the first is a letter or digit.'],
    [{ cluster: { apiServerEndpoint: "https://https://a" } }, 'cluster.apiServerEndpoint: Cannot use "https://https://a": the scheme is there twice.'],
    [{ cluster: { certificateAuthority: "eA==" } }, 'cluster.certificateAuthority: Cannot use "eA==": it is base64 of something that is not PEM (no line "-----BEGIN CERTIFICATE-----").'],
    [{ cluster: { cidr: "10.100.0.0" } }, 'cluster.cidr: Cannot use "10.100.0.0": expected an IPv4 block, such as "172.20.0.0/16".'],
    [{ cluster: { enableOutpost: "true" } }, 'cluster.enableOutpost: Cannot use "true": expected true or false, without quotes.'],
    [{ cluster: { id: "a b" } }, 'cluster.id: Cannot use "a b": expected an id without spaces.'],
    [{ kubelet: { config: "maxPods: 1" } }, 'kubelet.config: Cannot use "maxPods: 1": expected a mapping of names to values.'],
    [{ kubelet: { config: { kind: "Pod" } } }, 'kubelet.config.kind: Cannot use a document of kind "Pod" as kubelet\'s configuration: expected "KubeletConfiguration", or no kind.'],
    [{ kubelet: { flags: "--v=2" } }, 'kubelet.flags: Cannot use "--v=2": expected a list, each item on a line of its own after "- ".'],
    [{ kubelet: { flags: ["--v=2", 3] } }, `kubelet.flags[1]: ${text("3", ', as in "3"')}`],
    [{ kubelet: { flags: ["--a='\n'"] } }, 'kubelet.flags[0]: Cannot pass on "--a=\\n" to kubelet: it contains a line break (U+000A), which systemd refuses.'],
    [{ containerd: { config: "a = 1\nb = [\n" } }, "containerd.config: Cannot read this as TOML, line 3 of it: Invalid value."],
    [{ containerd: { config: { a: 1 } } }, `containerd.config: ${text("a mapping")}`],
    [{ containerd: { baseRuntimeSpec: "{}" } }, 'containerd.baseRuntimeSpec: Cannot use "{}": expected a mapping of names to values.'],
    [{ instance: { localStorage: { strategy: "raid0" } } }, 'instance.localStorage.strategy: Cannot use "raid0": expected RAID0, RAID10 or Mount.'],
    [{ instance: { localStorage: { mountPath: "mnt" } } }, 'instance.localStorage.mountPath: Cannot use "mnt": expected an absolute path.'],
    [{ instance: { localStorage: { mountPath: "/mnt\n[x]" } } }, 'instance.localStorage.mountPath: Cannot use "/mnt\\n[x]": expected an absolute path.'],
    [{ instance: { environment: { "../x": {} } } }, 'instance.environment["../x"]: Cannot use "../x" as the name of a service: expected "default", or a name such as "kubelet" or "containerd".'],
    [{ instance: { environment: { "": {} } } }, 'instance.environment[""]: Cannot use "" as the name of a service: expected "default", or a name such as "kubelet" or "containerd".'],
    [{ instance: { environment: { ".": {} } } }, 'instance.environment["."]: Cannot use "." as the name of a service: expected "default", or a name such as "kubelet" or "containerd".'],
    [{ instance: { environment: { default: ["secret"] } } }, "instance.environment.default: Cannot use this: expected a mapping of variables to their values."],
    [{ instance: { environment: { default: { "A-B": "secret" } } } }, 'instance.environment.default.A-B: Cannot use "A-B" as the name of a variable: it has letters, digits and "_", and begins with no digit.'],
    [{ instance: { environment: { default: { A: 5432 } } } }, 'instance.environment.default.A: Cannot use a value that is no text: put it in quotes, as in A: "…".'],
    [{ instance: { environment: { default: { A: "secret\nB=x" } } } }, "instance.environment.default.A: Cannot use this value: it contains a line break (U+000A), for which systemd would ignore the whole setting."],
    [{ instance: { environment: { default: { A: "secret\u0001" } } } }, "instance.environment.default.A: Cannot use this value: it contains a control character (U+0001), for which systemd would ignore the whole setting."],
    [{ instance: { network: { nameservers: ["10.0.0.2 10.0.0.3"] } } }, 'instance.network.nameservers[0]: Cannot use "10.0.0.2 10.0.0.3": expected the address of a name server.'],
    [{ instance: { network: { domains: ["a\nDNS=x"] } } }, 'instance.network.domains[0]: Cannot use "a\\nDNS=x": expected the name of a domain.'],
    [{ featureGates: { FastImagePull: "yes" } }, 'featureGates.FastImagePull: Cannot use "yes": expected true or false, without quotes.'],
  ])("%j", (spec, problem) => {
    expect(saidOf(spec)).toEqual([problem]);
    expect(read(spec).problems).toHaveLength(1);
  });
});

describe("what a peer would not mind is said", () => {
  it.each<[JsonObject, string]>([
    [{ clutser: {} }, "unknown-field: clutser: There is no such field, so it does nothing; did you mean cluster?"],
    [{ cluster: { certAuthority: "x" } }, "unknown-field: cluster.certAuthority: There is no such field, so it does nothing: the fields here are name, apiServerEndpoint, certificateAuthority, cidr, enableOutpost, id."],
    [{ cluster: { Name: "x" } }, "unknown-field: cluster.Name: There is no such field, so it does nothing; did you mean name?"],
    [{ kubelet: { maxPods: 5 } }, "unknown-field: kubelet.maxPods: There is no such field, so it does nothing: the fields here are config, flags, maxPodsExpression."],
    [{ featureGates: { FastImagePulls: true } }, "unknown-field: featureGates.FastImagePulls: There is no such field, so it does nothing; did you mean FastImagePull?"],
    [{ "a.b": null }, 'unknown-field: ["a.b"]: There is no such field, so it does nothing: the fields here are cluster, kubelet, containerd, instance, featureGates.'],
    [{ __proto__: null, constructor: 1 }, "unknown-field: constructor: There is no such field, so it does nothing: the fields here are cluster, kubelet, containerd, instance, featureGates."],
    [{ kubelet: { flags: ['--a="b'] } }, 'kubelet-arguments-quoting: kubelet.flags[0]: The quote " is opened and not closed: all that follows it is one argument.'],
    [{ instance: { localStorage: { disabledMounts: ["Podlogs"] } } }, 'unknown-mount: instance.localStorage.disabledMounts[0]: There is no mount "Podlogs" that could be disabled; did you mean PodLogs?'],
    [{ instance: { localStorage: { disabledMounts: ["Everything"] } } }, 'unknown-mount: instance.localStorage.disabledMounts[0]: There is no mount "Everything" that could be disabled: there are Containerd, PodLogs and SOCI.'],
    [{ instance: { network: { nameservers: ["dns.example"] } } }, 'no-address: instance.network.nameservers[0]: "dns.example" is no IP address, so no name will be asked of it.'],
    [{ cluster: { cidr: "10.100.3.4/16" } }, 'cidr-masked: spec.cluster.cidr of file /n.yaml is taken as 10.100.0.0/16, although it is written "10.100.3.4/16".'],
    [{ cluster: { apiServerEndpoint: "http://a" } }, "endpoint-without-tls: spec.cluster.apiServerEndpoint of file /n.yaml is http://a, which is reached without TLS: anyone on the way can read and change what is said."],
    [{ cluster: { certificateAuthority: CLUSTER_CA_PEM } }, "ca-not-base64: spec.cluster.certificateAuthority of file /n.yaml is PEM and not base64, and is taken as it is."],
  ])("%j", (spec, expected) => {
    expect(saidOf(spec)).toEqual([expected]);
    expect(read(spec).problems).toEqual([]);
  });

  it("of a thousand unknown fields a hundred are named", () => {
    const { leniencies } = read(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x${index}`, 1])));
    expect(leniencies).toHaveLength(101);
    expect(leniencies.at(-1)).toEqual({ code: "more-of-this", source: SOURCE, message: "There is more of this: 900 remarks are left out." });
  });
});

describe("lines", () => {
  it("are those of the key or the item, in the text", () => {
    const { problems, leniencies } = layerOf("# one\napiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster:\n    name: a\n    name: 5\n  kubelet:\n    flags:\n      - --v=2\n      - 7\n  instance: {network: {x: 1}}\n");
    expect([...problems, ...leniencies].map(({ path, line }) => [path, line])).toEqual([["spec.cluster.name", 7], ["spec.kubelet.flags[1]", 11], [undefined, 7], ["spec.instance.network.x", 12]]);
  });
});

describe("a file of configuration", () => {
  const said = (text: string) => layerOf(text).problems.map(showProblem);
  const expected = "This document is no NodeConfig, so it does nothing: expected apiVersion: node.eks.aws/v1alpha1 and kind: NodeConfig, and there is";
  it.each([
    ["", []],
    ["# nothing\n---\n", []],
    ["kind: ConfigMap\napiVersion: v1", [`${SOURCE}: ${expected} apiVersion "v1" and kind "ConfigMap".`]],
    ["kind: NodeConfig", [`${SOURCE}: ${expected} no apiVersion and kind "NodeConfig".`]],
    ["apiVersion: 1\nkind: [x]", [`${SOURCE}: ${expected} neither.`]],
    ["- a", [`${SOURCE}: ${expected} neither.`]],
    ["text\n---\n5", [`${SOURCE} document 1: ${expected} neither.`, `${SOURCE} document 2: ${expected} neither.`]],
    ["#!/bin/bash\necho", [`${SOURCE}: ${expected} neither.`]],
    ["\0", [`${SOURCE}: ${expected} neither.`]],
  ])("of %j", (text, problems) => {
    expect(said(text)).toEqual(problems);
  });
});

/** Whole numbers beyond these are refused, since a person who wrote one would not get it. */
const isKept = (value: number) => !Number.isInteger(value) || Number.isSafeInteger(value);
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isKept).map((value) => (Object.is(value, -0) ? 0 : value));
const scalar = fc.oneof(fc.string(), fc.boolean(), fc.integer(), number);
const json = fc.letrec<{ value: unknown; object: JsonObject }>((tie) => ({
  value: fc.oneof({ depthSize: "small" }, scalar, fc.array(tie("value"), { maxLength: 3 }), tie("object")),
  object: fc.dictionary(fc.string(), tie("value"), { maxKeys: 3 }) as fc.Arbitrary<JsonObject>,
})).object;
const isFilled = (object: JsonObject) => Object.keys(object).length > 0;

describe("parse(print(x)) is x", () => {
  it("for kubelet's configuration and the runtime spec", () => {
    fc.assert(
      fc.property(json.filter(isFilled), (object) => {
        const { apiVersion: _, kind: __, ...fields } = object;
        const text = printYaml({ apiVersion: "node.eks.aws/v1alpha1", kind: "NodeConfig", spec: { kubelet: { config: fields }, containerd: { baseRuntimeSpec: object } } });
        expect(layerOf(text).config).toEqual(configOf({ kubelet: { config: isFilled(fields) ? [from(fields)] : [] }, containerd: { baseRuntimeSpec: [from(object)] } }));
      }),
    );
  });

  it("for containerd's configuration, as TOML in YAML", () => {
    fc.assert(
      fc.property(json.filter(isFilled), (object) => {
        const text = printYaml({ apiVersion: "node.eks.aws/v1alpha1", kind: "NodeConfig", spec: { containerd: { config: printToml(object) } } });
        expect(layerOf(text).config.containerd.config).toEqual([from(object)]);
      }),
    );
  });

  it("for flags, each quoted as a unit file has it", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }).filter((word) => !/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u.test(word)), { minLength: 1 }), (words) => {
        const quoted = words.map((word) => `"${word.replace(/[\\"]/g, "\\$&")}"`).join(" ");
        expect(read({ kubelet: { flags: [quoted] } }).config.kubelet.flags).toEqual([from(words)]);
      }),
    );
  });
});
