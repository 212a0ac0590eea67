import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/lib/json.ts";
import { sourced } from "../../src/lib/sourced.ts";
import { resolveCapacity } from "../../src/resolve/capacity.ts";
import { resolveCluster } from "../../src/resolve/cluster.ts";
import type { ContainerRuntime } from "../../src/resolve/container-runtime.ts";
import type { HostFacts } from "../../src/resolve/facts.ts";
import { resolveIdentity } from "../../src/resolve/identity.ts";
import { resolveKubeletConfig } from "../../src/resolve/kubelet-config.ts";
import { parseUserArguments } from "../../src/resolve/user-arguments.ts";
import { CONFIG_FILE, EXTRA_ARGS, FACTS, host, INSTANCE, nodeConfig, noted, option } from "./fixture.ts";

type Case = { readonly minor?: number; readonly user?: readonly JsonObject[]; readonly flags?: readonly string[]; readonly image?: JsonObject; readonly of?: Partial<HostFacts>; readonly useMaxPods?: boolean; readonly containerRuntime?: ContainerRuntime };

function resolved({ minor = 33, user = [], flags = [], image, of = {}, useMaxPods = true, containerRuntime = "containerd" }: Case = {}): { config: JsonObject; sourceOf: (path: string) => string | undefined; notes: readonly string[] } {
  const userConfig = user.map((fragment) => sourced(fragment, CONFIG_FILE));
  const config = nodeConfig({ kubelet: { config: userConfig, flags: [sourced(flags, EXTRA_ARGS)], useMaxPods: option(useMaxPods, "use-max-pods") } });
  const imageConfig = image === undefined ? undefined : sourced(image, "the image");
  const { result, notes } = noted((add) => {
    const world = { config, facts: FACTS, instance: INSTANCE, host: host(of), version: { minor, text: `1.${minor}.1` }, user: parseUserArguments(config.kubelet.flags), imageConfig, userConfig, evaluateMaxPods: undefined, imageServiceEndpoint: undefined, containerRuntime };
    const cluster = resolveCluster(config, FACTS, option("demo", "name"), () => undefined);
    const capacity = resolveCapacity(world, add);
    return resolveKubeletConfig({ ...world, cluster, identity: resolveIdentity({ ...world, cluster }, add), ...capacity }, add);
  });
  return { config: result.value, sourceOf: result.sourceOf, notes: notes.map(({ message }) => message) };
}

const pick = (of: Case, ...keys: readonly string[]): unknown => {
  const { config } = resolved(of);
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(config, key)).map((key) => [key, config[key]]));
};

const GATE_ROTATE = { RotateKubeletServerCertificate: true };
const GATES_33 = { ...GATE_ROTATE, DynamicResourceAllocation: true };

describe("the kubelet configuration of kubelet 1.33 when nothing is asked for", () => {
  it("is the base and the computed values, in a fixed order", () => {
    const { config, notes } = resolved();
    expect(notes).toEqual([]);
    expect(JSON.stringify(config)).toBe(
      JSON.stringify({
        kind: "KubeletConfiguration",
        apiVersion: "kubelet.config.k8s.io/v1beta1",
        address: "0.0.0.0",
        authentication: { anonymous: { enabled: false }, webhook: { cacheTTL: "2m0s", enabled: true }, x509: { clientCAFile: "/etc/kubernetes/pki/ca.crt" } },
        authorization: { mode: "Webhook", webhook: { cacheAuthorizedTTL: "5m0s", cacheUnauthorizedTTL: "30s" } },
        clusterDomain: "cluster.local",
        hairpinMode: "hairpin-veth",
        readOnlyPort: 0,
        cgroupRoot: "/",
        protectKernelDefaults: true,
        serverTLSBootstrap: true,
        serializeImagePulls: false,
        tlsCipherSuites: [
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
          "TLS_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_RSA_WITH_AES_256_GCM_SHA384",
        ],
        cgroupDriver: "systemd",
        clusterDNS: ["10.100.0.10"],
        providerID: "aws:///us-east-1a/i-0123456789abcdef0",
        maxPods: 29,
        kubeReserved: { cpu: "70m", "ephemeral-storage": "1Gi", memory: "574Mi" },
        evictionHard: { "memory.available": "100Mi", "nodefs.available": "10%", "nodefs.inodesFree": "5%" },
        systemReservedCgroup: "/system",
        kubeReservedCgroup: "/runtime",
        containerRuntimeEndpoint: "unix:///run/containerd/containerd.sock",
        featureGates: GATES_33,
      }),
    );
  });
});

describe("what depends on kubelet's version", () => {
  it.each([
    [21, {}],
    [22, { kubeAPIQPS: 10, kubeAPIBurst: 20 }],
    [23, { kubeAPIQPS: 10, kubeAPIBurst: 20 }],
    [26, { kubeAPIQPS: 10, kubeAPIBurst: 20 }],
    [27, {}],
    [36, {}],
  ])("API QPS of 1.%i: %j", (minor, expected) => {
    expect(pick({ minor }, "kubeAPIQPS", "kubeAPIBurst")).toEqual(expected);
  });

  it.each<[string, Case, unknown]>([
    ["the operator's", { user: [{ kubeAPIQPS: 50 }] }, { kubeAPIQPS: 50, kubeAPIBurst: 20 }],
    ["the image's, as with bootstrap.sh", { image: { kubeAPIQPS: 30, kubeAPIBurst: 60 } }, { kubeAPIQPS: 30, kubeAPIBurst: 60 }],
    ["null, for kubelet's own", { user: [{ kubeAPIQPS: null, kubeAPIBurst: null }] }, {}],
  ])("API QPS are left alone when set: %s", (_, of, expected) => {
    expect(pick({ minor: 26, ...of }, "kubeAPIQPS", "kubeAPIBurst")).toEqual(expected);
    expect(resolved({ minor: 26, ...of }).notes).toEqual([]);
  });

  it.each([
    [32, GATE_ROTATE, {}],
    [33, GATES_33, {}],
    [34, { ...GATES_33, MutableCSINodeAllocatableCount: true }, { shutdownGracePeriod: "2m30s", shutdownGracePeriodCriticalPods: "30s" }],
    [36, { ...GATES_33, MutableCSINodeAllocatableCount: true }, { shutdownGracePeriod: "2m30s", shutdownGracePeriodCriticalPods: "30s" }],
  ])("feature gates and shutdown of 1.%i", (minor, featureGates, shutdown) => {
    expect(pick({ minor }, "featureGates", "shutdownGracePeriod", "shutdownGracePeriodCriticalPods")).toEqual({ featureGates, ...shutdown });
  });

  it.each([
    [25, {}],
    [26, { providerID: "aws:///us-east-1a/i-0123456789abcdef0" }],
    [27, { providerID: "aws:///us-east-1a/i-0123456789abcdef0", containerRuntimeEndpoint: "unix:///run/containerd/containerd.sock" }],
  ])("provider id and containerd's socket of 1.%i", (minor, expected) => {
    expect(pick({ minor }, "providerID", "containerRuntimeEndpoint")).toEqual(expected);
  });
});

describe("the operator's configuration", () => {
  it.each<[string, Case, readonly string[], unknown]>([
    ["wins", { user: [{ maxPods: 20, clusterDomain: "corp" }] }, ["maxPods", "clusterDomain"], { maxPods: 20, clusterDomain: "corp" }],
    ["merges maps deep", { user: [{ evictionHard: { "memory.available": "5%" } }] }, ["evictionHard"], { evictionHard: { "memory.available": "5%", "nodefs.available": "10%", "nodefs.inodesFree": "5%" } }],
    ["replaces lists", { user: [{ clusterDNS: ["169.254.20.10"] }] }, ["clusterDNS"], { clusterDNS: ["169.254.20.10"] }],
    ["null removes the agent's value", { user: [{ maxPods: null, kubeReserved: { cpu: null } }] }, ["maxPods", "kubeReserved"], { kubeReserved: { "ephemeral-storage": "1Gi", memory: "574Mi" } }],
    ["an empty map erases nothing", { user: [{ kubeReserved: {} }] }, ["kubeReserved"], { kubeReserved: { cpu: "70m", "ephemeral-storage": "1Gi", memory: "574Mi" } }],
    ["later fragments win", { user: [{ maxPods: 20 }, { maxPods: 21 }] }, ["maxPods"], { maxPods: 21 }],
    ["feature gates add up", { user: [{ featureGates: { Foo: true, DynamicResourceAllocation: false } }] }, ["featureGates"], { featureGates: { ...GATE_ROTATE, DynamicResourceAllocation: false, Foo: true } }],
  ])("%s", (_, of, keys, expected) => {
    expect(pick(of, ...keys)).toEqual(expected);
    expect(resolved(of).notes).toEqual([]);
  });

  it("a key __proto__ is only a key", () => {
    const hostile = JSON.parse('{"__proto__": {"maxPods": 1}, "constructor": {"a": 1}}') as JsonObject;
    const { config } = resolved({ user: [hostile] });
    expect([config["maxPods"], Object.keys(config).slice(-2)]).toEqual([29, ["__proto__", "constructor"]]);
    expect(JSON.stringify(config)).toContain('"__proto__":{"maxPods":1}');
  });

  it("each value remembers its source", () => {
    const { sourceOf } = resolved({ user: [{ maxPods: 20, evictionHard: { "memory.available": "5%" } }] });
    expect(["maxPods", "evictionHard.memory.available", "evictionHard.nodefs.available", "kubeReserved.cpu", "clusterDomain", "featureGates.DynamicResourceAllocation"].map(sourceOf)).toEqual([
      CONFIG_FILE, CONFIG_FILE, "default", "2 CPUs, 29 pods", "default", "kubelet 1.33.1",
    ]);
  });

  it("without max pods kubelet has its default", () => {
    expect(pick({ useMaxPods: false }, "maxPods")).toEqual({});
  });
});

describe("computed defaults that kubelet refuses beside what is asked for are dropped", () => {
  const cgroups = { systemReservedCgroup: "/system", kubeReservedCgroup: "/runtime" };
  const grace = { shutdownGracePeriod: "2m30s", shutdownGracePeriodCriticalPods: "30s" };
  const byPriority = { shutdownGracePeriodByPodPriority: [{ priority: 0, shutdownGracePeriodSeconds: 60 }] };

  it.each<[string, Case, unknown]>([
    ["nothing asked for", {}, cgroups],
    ["--reserved-cpus", { flags: ["--reserved-cpus=0-1"] }, {}],
    ["--reserved-cpus, empty", { flags: ["--reserved-cpus="] }, cgroups],
    ["reservedSystemCPUs", { user: [{ reservedSystemCPUs: "0-1" }] }, {}],
    ["reservedSystemCPUs, empty", { user: [{ reservedSystemCPUs: "" }] }, cgroups],
    ["reservedSystemCPUs of the image", { image: { reservedSystemCPUs: "0-1" } }, {}],
    ["reservedSystemCPUs of the image, taken out", { image: { reservedSystemCPUs: "0-1" }, user: [{ reservedSystemCPUs: null }] }, cgroups],
    ["--reserved-cpus on an image made from a node", { image: cgroups, flags: ["--reserved-cpus=0-1"] }, {}],
    ["the operator's own cgroups stay: preflight judges them", { user: [cgroups], flags: ["--reserved-cpus=0"] }, cgroups],
  ])("reserved cgroups: %s", (_, of, expected) => {
    expect(pick(of, ...Object.keys(cgroups))).toEqual(expected);
  });

  it.each<[string, Case, unknown]>([
    ["nothing asked for", {}, grace],
    ["grace periods by priority", { user: [byPriority] }, {}],
    ["grace periods by priority, of the image", { image: byPriority }, {}],
    ["no grace periods by priority", { user: [{ shutdownGracePeriodByPodPriority: [] }] }, grace],
    ["another grace period", { user: [{ shutdownGracePeriod: "60s" }] }, { ...grace, shutdownGracePeriod: "60s" }],
    ["none", { user: [{ shutdownGracePeriod: null, shutdownGracePeriodCriticalPods: null }] }, {}],
  ])("shutdown: %s", (_, of, expected) => {
    expect(pick({ minor: 34, ...of }, ...Object.keys(grace))).toEqual(expected);
  });

  it("what is taken out of the image's file is noted", () => {
    expect(resolved({ image: cgroups, flags: ["--reserved-cpus=0-1"] }).notes).toEqual([
      `The image's /etc/kubernetes/kubelet/kubelet-config.json sets systemReservedCgroup to "/system"; it is left out.`,
      `The image's /etc/kubernetes/kubelet/kubelet-config.json sets kubeReservedCgroup to "/runtime"; it is left out.`,
    ]);
  });
});

describe("the image's kubelet-config.json", () => {
  it("is over the base, and under what is computed or asked for", () => {
    const image = { readOnlyPort: 10255, maxPods: 44, clusterDomain: "image", containerLogMaxSize: "50Mi" };
    const of = { image, user: [{ clusterDomain: "corp" }] };
    expect(pick(of, "readOnlyPort", "maxPods", "clusterDomain", "containerLogMaxSize")).toEqual({ readOnlyPort: 10255, maxPods: 29, clusterDomain: "corp", containerLogMaxSize: "50Mi" });
    expect(resolved(of).notes).toEqual(["The image's /etc/kubernetes/kubelet/kubelet-config.json sets maxPods to 44; this node gets 29."]);
  });

  it("with the values that the agent computes, too, is silent", () => {
    expect(resolved({ image: { cgroupDriver: "systemd", featureGates: GATE_ROTATE, evictionHard: { "nodefs.available": "10%" } } }).notes).toEqual([]);
  });

  it("a value inside a map is noted by its whole path", () => {
    expect(resolved({ image: { evictionHard: { "memory.available": "5%", "imagefs.available": "1%" } } }).notes).toEqual([
      `The image's /etc/kubernetes/kubelet/kubelet-config.json sets evictionHard.memory.available to "5%"; this node gets "100Mi".`,
    ]);
  });
});

describe("protectKernelDefaults, with which kubelet exits where the kernel differs", () => {
  const differing = { sysctls: { "vm.overcommit_memory": 0, "kernel.panic": 10, "kernel.panic_on_oops": 0, "vm.panic_on_oom": 0 } };
  const note =
    "protectKernelDefaults is written false, since kubelet would refuse to start: vm.overcommit_memory is 0 and not 1, kernel.panic_on_oops is 0 and not 1. Kubelet sets them itself then.";

  it.each<[string, Case, unknown, readonly string[]]>([
    ["is true where the kernel is as it demands", {}, true, []],
    ["is false with a note where it is not", { of: differing }, false, [note]],
    ["is true where the kernel lacks the settings", { of: { sysctls: {} } }, true, []],
    ["is what the operator says: preflight judges", { of: differing, user: [{ protectKernelDefaults: true }] }, true, []],
    ["is kubelet's default on null", { of: differing, user: [{ protectKernelDefaults: null }] }, undefined, []],
    ["is left to the operator's flag", { of: differing, flags: ["--protect-kernel-defaults"] }, true, []],
    ["is the image's false, without a note", { of: differing, image: { protectKernelDefaults: false } }, false, []],
    ["is not the image's true", { of: differing, image: { protectKernelDefaults: true } }, false, [note]],
  ])("%s", (_, of, value, notes) => {
    const { config, notes: found } = resolved(of);
    expect([config["protectKernelDefaults"], found]).toEqual([value, notes]);
  });
});
