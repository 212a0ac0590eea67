import { describe, expect, it } from "vitest";
import type { Sources } from "../../src/cli/config-sources.ts";
import { parseCommandLine } from "../../src/cli/flags.ts";
import { loadConfig } from "../../src/cli/load-config.ts";
import { AgentError } from "../../src/errors.ts";
import { mergeJson } from "../../src/lib/merge-json.ts";
import { noteList } from "../../src/resolve/notes.ts";
import { type Entry, withTree } from "../gather/tree.ts";

const nodeConfig = (spec: object) => JSON.stringify({ apiVersion: "node.eks.aws/v1alpha1", kind: "NodeConfig", spec });
const named = (name: string, maxPods = 1) => nodeConfig({ cluster: { name }, kubelet: { config: { maxPods }, flags: [`--node-labels=from=${name}`] } });

const MIME = `Content-Type: multipart/mixed; boundary=B\n\n--B\nContent-Type: application/node.eks.aws\n${named("user-data")}\n--B--\n`;
const UNREACHABLE = new AgentError("unreachable", "Cannot read user data from IMDS", { remedy: "Look for it." });

type Case = {
  readonly words?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, Entry>>;
  readonly userData?: string | Error;
  /** As with --facts. */
  readonly isElsewhere?: boolean;
};

type Loaded = { readonly name: string; readonly inputs: readonly string[]; readonly maxPods: unknown; readonly flags: readonly string[]; readonly notes: readonly string[] };

/** What is loaded, "nothing", or the error; with "~" for the root. */
async function load({ words = [], environment = {}, files = {}, userData, isElsewhere = false }: Case): Promise<Loaded | string> {
  return withTree(files, async (root) => {
    const show = (text: string) => text.replaceAll(root, "~");
    const command = await parseCommandLine(words.map((word) => word.replace("~", root)), environment);
    if (command.kind !== "bootstrap") throw new Error(`expected bootstrap, got ${command.kind}`);
    const sources: Sources = { root: isElsewhere ? undefined : root, userData: () => (userData instanceof Error ? Promise.reject(userData) : Promise.resolve(userData === undefined ? undefined : Buffer.from(userData))) };
    const { notes, add } = noteList();
    try {
      const loaded = await loadConfig(command.flags, sources, add);
      if (loaded === undefined) return "nothing";
      const { cluster, kubelet } = loaded.config;
      return {
        name: show(`${cluster.name?.value} from ${cluster.name?.source}`),
        inputs: loaded.inputs.map(show),
        maxPods: mergeJson(kubelet.config).value["maxPods"],
        flags: kubelet.flags.flatMap(({ value }) => value),
        notes: notes.map(({ code, message }) => show(`${code}: ${message}`)),
      };
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      return show([`${error.code}: ${error.message}`, ...error.lines].join("\n"));
    }
  });
}

const USER_DATA = { name: "user-data from user-data", inputs: ["user-data"], maxPods: 1, flags: ["--node-labels=from=user-data"], notes: [] };

describe("the sources", () => {
  it("are user data, nodeadm's folder and the agent's, each stronger than the one before", async () => {
    const files = { "/etc/eks/nodeadm.d/a.yaml": named("nodeadm", 2), "/etc/eks/node-agent.d/a.yaml": named("agent", 3) };
    expect(await load({ userData: named("user-data"), files })).toEqual({
      name: "agent from file /etc/eks/node-agent.d/a.yaml",
      inputs: ["user-data", "file /etc/eks/nodeadm.d/a.yaml", "file /etc/eks/node-agent.d/a.yaml"],
      maxPods: 3,
      flags: ["--node-labels=from=user-data", "--node-labels=from=nodeadm", "--node-labels=from=agent"],
      notes: [],
    });
  });

  it("that are named take the place of the usual ones, in the order given", async () => {
    const files = { "/b.yaml": named("b", 2), "/d/1.yaml": named("d1", 3), "/d/2.yaml": named("d2", 4), "/etc/eks/nodeadm.d/a.yaml": named("nodeadm") };
    const words = ["--config-source", "file://~/d", "--config-source", "imds://user-data", "--config-source", "file://~/b.yaml"];
    expect(await load({ words, userData: named("user-data"), files })).toEqual({
      name: "b from file ~/b.yaml",
      inputs: ["file ~/d/1.yaml", "file ~/d/2.yaml", "user-data", "file ~/b.yaml"],
      maxPods: 2,
      flags: ["d1", "d2", "user-data", "b"].map((name) => `--node-labels=from=${name}`),
      notes: [],
    });
  });

  it("are beaten by eksctl's files, those by variables, those by options, and all by --kubelet-config-file", async () => {
    const files = {
      "/etc/eksctl/kubelet.env": "CLUSTER_NAME=eksctl\nNODE_LABELS=from=eksctl\n",
      "/etc/eksctl/kubelet-extra.json": '{"maxPods": 2}',
      "/k.json": '{"maxPods": 3}',
    };
    const eksctl = { inputs: ["user-data", "/etc/eksctl/kubelet.env", "/etc/eksctl/kubelet-extra.json"], maxPods: 2, notes: [] };
    const flags = ["--node-labels=from=user-data", "--node-labels=from=eksctl"];
    expect(await load({ userData: named("user-data"), files })).toEqual({ ...eksctl, name: "eksctl from CLUSTER_NAME of /etc/eksctl/kubelet.env", flags });
    const words = ["demo", "--kubelet-extra-args", "--v=4", "--kubelet-config-file", "~/k.json"];
    expect(await load({ words, environment: { KUBELET_EXTRA_ARGS: "--v=3" }, userData: named("user-data"), files })).toEqual({
      name: "demo from command line",
      inputs: [...eksctl.inputs, "environment KUBELET_EXTRA_ARGS", "command line: demo", "option --kubelet-extra-args", "option --kubelet-config-file ~/k.json"],
      maxPods: 3,
      flags: [...flags, "--v=3", "--v=4"],
      notes: [],
    });
  });

  it("of a run about another machine are those named", async () => {
    const files = { "/etc/eks/nodeadm.d/a.yaml": named("nodeadm"), "/etc/eksctl/kubelet.env": "CLUSTER_NAME=eksctl\n", "/b.yaml": named("b") };
    expect(await load({ isElsewhere: true, userData: named("user-data"), files })).toBe("nothing");
    expect(await load({ isElsewhere: true, words: ["--config-source", "imds://user-data"], userData: named("user-data"), files })).toEqual(USER_DATA);
    expect(await load({ isElsewhere: true, words: ["--config-source", "file://~/b.yaml"], files })).toMatchObject({ inputs: ["file ~/b.yaml"] });
  });
});

describe("nothing is what is loaded", () => {
  it.each<[string, Case]>([
    ["without a source", {}],
    ["from a script in user data", { userData: "#!/bin/sh\n" }],
    ["from an empty file", { files: { "/etc/eks/nodeadm.d/a.yaml": "" } }],
    ["from eksctl's fields for kubelet alone", { files: { "/etc/eksctl/kubelet-extra.json": '{"maxPods": 2}' } }],
    ["from variables alone", { environment: { B64_CLUSTER_CA: "x" } }],
  ])("%s", async (_, given) => {
    expect(await load(given)).toBe("nothing");
  });
});

describe("user data that cannot be read", () => {
  const ignored = 'user-data-ignored: All of the user data is left out, as something else names the cluster. user-data part 1: Cannot read its headers: "{';
  const readable = (loaded: Loaded | string) => (typeof loaded === "string" ? loaded : loaded.notes.map((note) => note.slice(0, ignored.length)));

  it.each<[string, Case]>([
    ["the command line", { words: ["demo"] }],
    ["a file", { files: { "/etc/eks/nodeadm.d/a.yaml": named("nodeadm") } }],
    ["eksctl", { files: { "/etc/eksctl/kubelet.env": "CLUSTER_NAME=eksctl" } }],
  ])("is a note where %s names the cluster", async (_, given) => {
    expect(readable(await load({ ...given, userData: MIME }))).toEqual([ignored]);
    expect(await load({ ...given, userData: UNREACHABLE })).toMatchObject({ notes: ["user-data-ignored: All of the user data is left out, as something else names the cluster. Cannot read user data from IMDS"] });
  });

  it("is left out as a whole", async () => {
    expect(await load({ words: ["demo"], userData: MIME.replace("--B\n", `--B\nContent-Type: application/node.eks.aws\n\n${named("good")}\n--B\n`) })).toMatchObject({ inputs: ["command line: demo"], flags: [] });
  });

  it.each<[string, Case]>([
    ["nothing names the cluster", {}],
    ["nothing but itself does", { files: { "/etc/eks/nodeadm.d/a.yaml": nodeConfig({ kubelet: { config: { maxPods: 2 } } }) } }],
    ["--strict is given", { words: ["demo", "--strict"] }],
  ])("is an error where %s", async (_, given) => {
    expect(await load({ ...given, userData: MIME })).toMatch(/^config-invalid: Cannot use the configuration: 1 problem\nuser-data part 1: Cannot read its headers: /);
    expect(await load({ ...given, userData: UNREACHABLE })).toBe("unreachable: Cannot read user data from IMDS");
  });

  it("is not forgiven for a bug", async () => {
    await expect(load({ words: ["demo"], userData: new TypeError("a bug") })).rejects.toThrow(new TypeError("a bug"));
  });
});

describe("a document that can be read, and has a wrong value,", () => {
  it("is an error, whoever names the cluster", async () => {
    expect(await load({ words: ["demo"], userData: nodeConfig({ cluster: { cidr: "x" } }) })).toBe(
      'config-invalid: Cannot use the configuration: 1 problem\nuser-data, line 1, spec.cluster.cidr: Cannot use "x": expected an IPv4 block, such as "172.20.0.0/16".',
    );
  });
});

describe("what a peer would not mind", () => {
  const files = { "/etc/eks/nodeadm.d/a.yaml": nodeConfig({ cluster: { name: "a", nam: "b" } }) };
  const said = "file /etc/eks/nodeadm.d/a.yaml, line 1, spec.cluster.nam: There is no such field, so it does nothing; did you mean name?";

  it("is a note", async () => {
    expect(await load({ files })).toMatchObject({ name: "a from file /etc/eks/nodeadm.d/a.yaml", notes: [`unknown-field: ${said}`] });
  });

  it("is an error with --strict", async () => {
    expect(await load({ words: ["--strict"], files })).toBe(`config-invalid: Cannot use the configuration: 1 problem\n${said}`);
  });
});

describe("errors", () => {
  it("of the command line are told before any source is read", async () => {
    const words = ["demo", "--dns-cluster-ip", "x", "--kubelet-extra-args", "stray", "--config-source", "file://~/nothing"];
    expect(await load({ words, userData: UNREACHABLE })).toBe(
      [
        "config-invalid: Cannot use the configuration: 2 problems",
        'option --dns-cluster-ip: Cannot use "x": "x" is no IP address.',
        'option --kubelet-extra-args: Cannot use the word "stray": it is no flag, and no flag before it takes a value. Kubelet would take it for a command and exit. Quote values that hold spaces.',
      ].join("\n"),
    );
  });

  it("of all documents are told at once, in the order of reading", async () => {
    const files = { "/etc/eks/nodeadm.d/a.yaml": "a: [", "/etc/eks/node-agent.d/a.yaml": nodeConfig({ cluster: { name: "a b" }, kubelet: { flags: ["stray"] } }), "/etc/eksctl/kubelet-extra.json": "[]" };
    const loaded = await load({ files, userData: nodeConfig({ cluster: { cidr: "x" } }) });
    expect(typeof loaded === "string" ? loaded.split("\n").map((line) => line.replace(/: Cannot.*/, "")) : loaded).toEqual([
      "config-invalid",
      "user-data, line 1, spec.cluster.cidr",
      "file /etc/eks/node-agent.d/a.yaml, line 1, spec.cluster.name",
      "file /etc/eks/node-agent.d/a.yaml",
      "/etc/eksctl/kubelet-extra.json",
      "file /etc/eks/nodeadm.d/a.yaml, line 1",
    ]);
  });

  it("name the cluster's name when no source does", async () => {
    expect(await load({ userData: nodeConfig({}) })).toBe(
      "config-invalid: Cannot use the configuration: 1 problem\nall sources: Cannot join a cluster without its name. Name it on the command line, as in `eks-node-agent bootstrap my-cluster`, or as spec.cluster.name in a NodeConfig.",
    );
  });

  it("name a source that is not there", async () => {
    expect(await load({ words: ["demo", "--config-source", "file://~/nothing"] })).toBe("source-unreadable: Cannot read ~/nothing (option --config-source): there is no such file");
  });
});

describe("an expression for maxPods that can be right on no instance", () => {
  const userData = nodeConfig({ cluster: { name: "demo" }, kubelet: { maxPodsExpression: "99 - fake" } });

  it("is an error with --strict", async () => {
    expect(await load({ words: ["--strict"], userData })).toBe(
      'config-invalid: Cannot use the configuration: 1 problem\nuser-data, spec.kubelet.maxPodsExpression: Cannot use the expression "99 - fake": unknown variable: fake; there are default_enis, ips_per_eni, max_pods.',
    );
  });

  it("is left to the node otherwise, which notes what it takes instead", async () => {
    expect(await load({ userData })).toMatchObject({ name: "demo from user-data", notes: [] });
  });
});
