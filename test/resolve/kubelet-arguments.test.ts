import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/lib/json.ts";
import { mergeJson } from "../../src/lib/merge-json.ts";
import { sourced } from "../../src/lib/sourced.ts";
import { resolveCluster } from "../../src/resolve/cluster.ts";
import type { ContainerRuntime } from "../../src/resolve/container-runtime.ts";
import { resolveCredentialProvider } from "../../src/resolve/credential-provider.ts";
import { resolveIdentity } from "../../src/resolve/identity.ts";
import { keyedItem, NODE_LABELS } from "../../src/resolve/keyed-list.ts";
import { resolveKubeletArguments } from "../../src/resolve/kubelet-arguments.ts";
import { showArgument } from "../../src/resolve/user-arguments.ts";
import { CONFIG_FILE, EXTRA_ARGS, FACTS, GIVEN, HOST, INSTANCE, nodeConfig, noted, option, userArguments, version, withoutProgram } from "./fixture.ts";

type Case = { readonly minor?: number; readonly words?: readonly string[]; readonly config?: JsonObject; readonly labels?: readonly string[]; readonly outpost?: boolean; readonly provider?: boolean; readonly containerRuntime?: ContainerRuntime };

function resolved({ minor = 33, words = [], config = {}, labels = [], outpost = false, provider = true, containerRuntime = "containerd" }: Case): { agent: readonly string[]; extra: readonly string[]; notes: readonly string[] } {
  const nodes = nodeConfig({ cluster: outpost ? { ...GIVEN, outpost: option(true, "enable-local-outpost"), id: option("c0ffee", "cluster-id") } : GIVEN });
  const cluster = resolveCluster(nodes, FACTS, option("demo", "name"), () => undefined);
  const user = userArguments(...words);
  const identity = resolveIdentity({ config: nodes, facts: FACTS, instance: INSTANCE, cluster, version: version(minor), user }, () => undefined);
  const credentialProvider = resolveCredentialProvider(nodes, provider ? HOST : withoutProgram("ecr-credential-provider"), version(minor), () => undefined);
  const { result, notes } = noted((add) =>
    resolveKubeletArguments(
      {
        version: version(minor), containerRuntime, cluster, identity, credentialProvider, user,
        sandboxImage: sourced("registry/pause:3.5", "default"),
        imageServiceEndpoint: undefined,
        labels: labels.map((label) => keyedItem(NODE_LABELS, label, "NVIDIA device")),
        kubeletConfig: mergeJson([sourced(config, CONFIG_FILE)]),
      },
      add,
    ),
  );
  return { agent: result.agent.map(showArgument), extra: result.extra.map(showArgument), notes: notes.map(({ message }) => message) };
}

const NODE = ["--node-ip=192.168.10.20", "--hostname-override=ip-192-168-10-20.ec2.internal"];
const PAUSE = "--pod-infra-container-image=registry/pause:3.5";
const CGROUPS = "--runtime-cgroups=/runtime.slice/containerd.service";
const PROVIDER = ["--image-credential-provider-config=/etc/eks/image-credential-provider/config.json", "--image-credential-provider-bin-dir=/etc/eks/image-credential-provider"];
const CONFIGS = ["--config=/etc/kubernetes/kubelet/kubelet-config.json", "--kubeconfig=/var/lib/kubelet/kubeconfig"];
const OLD_RUNTIME = ["--container-runtime=remote", "--container-runtime-endpoint=unix:///run/containerd/containerd.sock"];

describe("the agent's flags, in a fixed order", () => {
  it.each<[string, Case, readonly string[]]>([
    ["1.23: no image credential provider", { minor: 23 }, [NODE[0]!, "--v=2", PAUSE, ...OLD_RUNTIME, CGROUPS, ...CONFIGS]],
    ["1.24: with it", { minor: 24 }, [NODE[0]!, "--v=2", PAUSE, ...OLD_RUNTIME, CGROUPS, ...PROVIDER, ...CONFIGS]],
    ["1.26: named by the agent", { minor: 26 }, [...NODE, "--v=2", PAUSE, ...OLD_RUNTIME, CGROUPS, ...PROVIDER, ...CONFIGS]],
    ["1.27: the runtime's socket is in the configuration", { minor: 27 }, [...NODE, "--v=2", PAUSE, CGROUPS, ...PROVIDER, ...CONFIGS]],
    ["1.34: still told the sandbox image", { minor: 34 }, [...NODE, "--v=2", PAUSE, CGROUPS, ...PROVIDER, ...CONFIGS]],
    ["1.35: no longer", { minor: 35 }, [...NODE, "--v=2", CGROUPS, ...PROVIDER, ...CONFIGS]],
    ["1.28 without the credential provider's program", { minor: 28, provider: false }, [...NODE, "--v=2", PAUSE, CGROUPS, ...CONFIGS]],
    ["1.29 without it: preflight makes an error of it", { minor: 29, provider: false }, [...NODE, "--v=2", PAUSE, CGROUPS, ...PROVIDER, ...CONFIGS]],
    ["on Outposts", { outpost: true }, [...NODE, "--v=2", PAUSE, CGROUPS, ...PROVIDER, ...CONFIGS, "--bootstrap-kubeconfig=/var/lib/kubelet/bootstrap-kubeconfig"]],
    ["with a label of its own", { labels: ["gpu=true"] }, [...NODE, "--v=2", PAUSE, CGROUPS, ...PROVIDER, ...CONFIGS, "--node-labels=gpu=true"]],
    ["with the verbosity in the configuration, which the flag would beat", { config: { logging: { verbosity: 4 } } }, [...NODE, PAUSE, CGROUPS, ...PROVIDER, ...CONFIGS]],
  ])("%s", (_, of, agent) => {
    expect(resolved(of)).toEqual({ agent, extra: [], notes: [] });
  });
});

describe("the user's flags", () => {
  it.each<[string, Case, readonly string[], readonly string[]]>([
    ["come in their order", { words: ["--v=4", "--root-dir", "/data", "--register-node"] }, ["--v=4", "--root-dir=/data", "--register-node"], []],
    ["repeated ones stay repeated", { words: ["--v=4", "--v=5"] }, ["--v=4", "--v=5"], []],
    ["labels are one flag, where the first was", { words: ["--node-labels=a=1", "--v=4", "--node-labels=b=2,a=1"] }, ["--node-labels=a=1,b=2", "--v=4"], []],
    ["the agent's labels are among them", { words: ["--node-labels=a=1"], labels: ["gpu=true"] }, ["--node-labels=gpu=true,a=1"], []],
    ["the user's label beats the agent's", { words: ["--node-labels=gpu=no"], labels: ["gpu=true"] }, ["--node-labels=gpu=no"], [`The node label "gpu=true" (NVIDIA device) is replaced by "gpu=no" (${EXTRA_ARGS}).`]],
    ["no labels, no flag", { words: ["--node-labels=", "--v=4"] }, ["--v=4"], []],
    ["no user's labels leave the agent's", { words: ["--node-labels="], labels: ["gpu=true"] }, ["--node-labels=gpu=true"], []],
    ["taints of flags and configuration are one flag", { words: ["--register-with-taints=a=1:NoSchedule"], config: { registerWithTaints: [{ key: "b", effect: "NoExecute" }] } }, ["--register-with-taints=b=:NoExecute,a=1:NoSchedule"], []],
    ["the flag's taint beats the configuration's", { words: ["--register-with-taints=a=1:NoSchedule"], config: { registerWithTaints: [{ key: "a", value: "0", effect: "NoSchedule" }] } }, ["--register-with-taints=a=1:NoSchedule"], [`The taint "a=0:NoSchedule" (${CONFIG_FILE}) is replaced by "a=1:NoSchedule" (${EXTRA_ARGS}).`]],
    ["taints twice, with another effect", { words: ["--register-with-taints=a=1:NoSchedule", "--register-with-taints=a=1:NoExecute"] }, ["--register-with-taints=a=1:NoSchedule,a=1:NoExecute"], []],
    ["an empty flag of taints leaves the configuration's", { words: ["--register-with-taints="], config: { registerWithTaints: [{ key: "a", value: "1", effect: "NoSchedule" }] } }, ["--register-with-taints=a=1:NoSchedule"], []],
    ["taints of the configuration alone stay there, even twice", { config: { registerWithTaints: [{ key: "a", value: "1", effect: "NoSchedule" }, { key: "a", value: "2", effect: "NoSchedule" }] } }, [], []],
    ["--container-runtime=remote is dropped from 1.27 on", { words: ["--container-runtime=remote"] }, [], [`The flag --container-runtime=remote (${EXTRA_ARGS}) is left out: kubelet 1.27 removed it, and containerd is the only runtime left.`]],
    ["and stays before", { minor: 26, words: ["--container-runtime=remote"] }, ["--container-runtime=remote"], []],
    ["another runtime stays: preflight refuses it", { words: ["--container-runtime=docker"] }, ["--container-runtime=docker"], []],
  ])("%s", (_, of, extra, notes) => {
    const { extra: found, notes: noticed } = resolved(of);
    expect([found, noticed]).toEqual([extra, notes]);
  });
});

describe("the user's identity flags", () => {
  it("take the place of the agent's, once, with a note each", () => {
    const words = ["--hostname-override=me", "--kubeconfig=/k", "--node-ip=10.0.0.1", "--node-ip=10.0.0.2", "--config=/c", "--cloud-provider=aws", "--v=4"];
    expect(resolved({ words })).toEqual({
      agent: ["--node-ip=10.0.0.2", "--hostname-override=me", "--v=2", PAUSE, CGROUPS, ...PROVIDER, "--config=/c", "--kubeconfig=/k"],
      extra: ["--v=4"],
      notes: ["--hostname-override=me", "--kubeconfig=/k", "--node-ip=10.0.0.2", "--config=/c", "--cloud-provider=aws"].map(
        (flag) => `The flag ${flag} (${EXTRA_ARGS}) takes the place of the agent's own.`,
      ),
    });
  });

  it("an empty host name is left out with a note", () => {
    expect(resolved({ words: ["--hostname-override="] })).toEqual({
      agent: [...NODE, "--v=2", PAUSE, CGROUPS, ...PROVIDER, ...CONFIGS],
      extra: [],
      notes: [`The flag --hostname-override (${EXTRA_ARGS}) is empty and left out: kubelet would take the host name of the operating system, by which no control plane knows the node.`],
    });
  });
});
