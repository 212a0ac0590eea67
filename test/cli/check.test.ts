import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { check } from "../../src/cli/check.ts";
import { parseCommandLine } from "../../src/cli/flags.ts";
import { AgentError } from "../../src/errors.ts";
import { type Entry, withTree } from "../gather/tree.ts";
import { showRequests } from "../simulator/log.ts";
import { startSimulator } from "../simulator/simulator.ts";
import { WORLD } from "../simulator/world.ts";
import { commandWorld } from "./command-world.ts";

const nodeConfig = (spec: object) => JSON.stringify({ apiVersion: "node.eks.aws/v1alpha1", kind: "NodeConfig", spec });
const GOOD = nodeConfig({ cluster: { name: "demo" } });
const PODS = nodeConfig({ kubelet: { config: { maxPods: 20 } } });
const BAD = "apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster:\n    nam: demo\n    cidr: 10.0.0.9/16\n  kubelet:\n    flags: [stray, 5]\n";
const MIME = `Content-Type: multipart/mixed; boundary=B\n\n--B\nContent-Type: application/node.eks.aws\n\n${GOOD}\n--B--\n`;

type Checked = { readonly status: number | string; readonly printed: string };

/** The exit status or the error, and what is printed, with "~" for the root. */
async function run(words: readonly string[], files: Readonly<Record<string, Entry>>, environment: Readonly<Record<string, string>> = {}): Promise<Checked> {
  return withTree(files, async (root) => {
    const show = (text: string) => text.replaceAll(root, "~");
    const command = await parseCommandLine(["check", ...words.map((word) => word.replace("~", root))], environment);
    if (command.kind !== "check") throw new Error(`expected check, got ${command.kind}`);
    const { world, printed } = commandWorld(environment);
    const status = await check(command.flags, { ...world, colour: false }).catch((error: unknown) => {
      if (error instanceof AgentError) return show(`${error.code}: ${error.message}`);
      throw error;
    });
    return { status, printed: show(printed().toString()) };
  });
}

describe("check FILE...", () => {
  it.each<[string, readonly string[], Readonly<Record<string, string>>, Checked]>([
    ["says that a good file is good", ["~/a.yaml"], { "/a.yaml": GOOD }, { status: 0, printed: "1 document: file ~/a.yaml\nNo problems.\n" }],
    ["takes one without the cluster's name, which others may give", ["~/a.yaml"], { "/a.yaml": PODS }, { status: 0, printed: "1 document: file ~/a.yaml\nNo problems.\n" }],
    ["takes files and folders", ["~/a.yaml", "~/d"], { "/a.yaml": GOOD, "/d/b.json": PODS, "/d/c": "x" }, { status: 0, printed: "2 documents: file ~/a.yaml, file ~/d/b.json\nNo problems.\n" }],
    ["takes user data as it is kept in a file", ["~/user-data.txt"], { "/user-data.txt": MIME }, { status: 0, printed: "1 document: file ~/user-data.txt part 1\nNo problems.\n" }],
    [
      "tells all that a bootstrap would refuse or note, in the order of reading",
      ["~/a.yaml", "~/b.yaml"],
      { "/a.yaml": BAD, "/b.yaml": "kind: Pod\n" },
      {
        status: 78,
        printed: [
          "file ~/a.yaml, line 5, spec.cluster.nam: There is no such field, so it does nothing; did you mean name?",
          'file ~/a.yaml, line 8, spec.kubelet.flags[1]: Cannot use 5: expected text, as in "5".',
          'file ~/a.yaml: Cannot use the word "stray": it is no flag, and no flag before it takes a value. Kubelet would take it for a command and exit. Quote values that hold spaces.',
          'file ~/b.yaml: This document is no NodeConfig, so it does nothing: expected apiVersion: node.eks.aws/v1alpha1 and kind: NodeConfig, and there is no apiVersion and kind "Pod".',
          'note: spec.cluster.cidr of file ~/a.yaml is taken as 10.0.0.0/16, although it is written "10.0.0.9/16".',
          "1 document: file ~/a.yaml",
          "4 problems.",
          "",
        ].join("\n"),
      },
    ],
    ["finds what contradicts in the whole", ["~/a.yaml"], { "/a.yaml": nodeConfig({ cluster: { enableOutpost: true, apiServerEndpoint: "https://a" } }) }, { status: 0, printed: "1 document: file ~/a.yaml\nNo problems.\n" }],
    [
      "tells of an expression for maxPods that can be right on no instance",
      ["~/a.yaml"],
      { "/a.yaml": nodeConfig({ kubelet: { maxPodsExpression: "99 - fake" } }) },
      {
        status: 78,
        printed: 'file ~/a.yaml, spec.kubelet.maxPodsExpression: Cannot use the expression "99 - fake": unknown variable: fake; there are default_enis, ips_per_eni, max_pods.\n1 document: file ~/a.yaml\n1 problem.\n',
      },
    ],
    ["takes an expression that some instance may make something of", ["~/a.yaml"], { "/a.yaml": nodeConfig({ kubelet: { maxPodsExpression: "max_pods - 8" } }) }, { status: 0, printed: "1 document: file ~/a.yaml\nNo problems.\n" }],
    ["takes an empty expression for none", ["~/a.yaml"], { "/a.yaml": nodeConfig({ kubelet: { maxPodsExpression: "" } }) }, { status: 0, printed: "1 document: file ~/a.yaml\nNo problems.\n" }],
    ["has nothing to do without a document", ["~/a.yaml"], { "/a.yaml": "" }, { status: "no-config: There is nothing to check: no source of configuration holds a NodeConfig", printed: "" }],
    ["names a file that is not there", ["~/b.yaml"], {}, { status: "source-unreadable: Cannot read ~/b.yaml (named to be checked): there is no such file", printed: "" }],
  ])("%s", async (_, words, files, expected) => {
    expect(await run(words, files)).toEqual(expected);
  });

  it("asks nobody", async () => {
    const simulator = await startSimulator({ world: { ...WORLD, userData: BAD } });
    try {
      expect(await run(["~/a.yaml"], { "/a.yaml": GOOD }, simulator.environment)).toMatchObject({ status: 0 });
      expect(simulator.requests).toEqual([]);
    } finally {
      await simulator.close();
    }
  });

  it("has no colours and no control characters of a hostile file", async () => {
    const { printed } = await run(["~/a.yaml"], { "/a.yaml": 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\n"\\e[31m\\u202e": 1\n' });
    expect(printed).not.toMatch(/[\u001b\u202e]/);
  });

  it("reads standard input for a dash", () => {
    const { status, stdout } = spawnSync(process.execPath, ["src/main.ts", "check", "-"], { input: GOOD, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "1 document: standard input\nNo problems.\n" });
  });
});

describe("check --output json", () => {
  it("is the same for a program", async () => {
    const { status, printed } = await run(["--output", "json", "~/a.yaml"], { "/a.yaml": BAD });
    expect(status).toBe(78);
    expect(JSON.parse(printed)).toEqual({
      documents: ["file ~/a.yaml"],
      problems: [
        { source: "file ~/a.yaml", path: "spec.cluster.nam", line: 5, message: "There is no such field, so it does nothing; did you mean name?" },
        { source: "file ~/a.yaml", path: "spec.kubelet.flags[1]", line: 8, message: 'Cannot use 5: expected text, as in "5".' },
        { source: "file ~/a.yaml", path: null, line: null, message: 'Cannot use the word "stray": it is no flag, and no flag before it takes a value. Kubelet would take it for a command and exit. Quote values that hold spaces.' },
      ],
      notes: [{ code: "cidr-masked", message: 'spec.cluster.cidr of file ~/a.yaml is taken as 10.0.0.0/16, although it is written "10.0.0.9/16".' }],
    });
  });
});

describe("check on a node", () => {
  const onNode = async (words: readonly string[], userData: string | undefined, files: Readonly<Record<string, Entry>> = {}) => {
    const simulator = await startSimulator({ world: { ...WORLD, userData } });
    try {
      return { ...(await run(["--root", "~", ...words], files, simulator.environment)), requests: showRequests(simulator.requests) };
    } finally {
      await simulator.close();
    }
  };
  const ASKED = ["PUT /latest/api/token", "GET /latest/user-data"];

  it("reads what a bootstrap would, and asks IMDS for user data alone", async () => {
    const files = { "/etc/eks/nodeadm.d/a.yaml": PODS, "/etc/eksctl/kubelet.env": "CLUSTER_NAME=demo" };
    expect(await onNode([], MIME, files)).toEqual({ status: 0, printed: "3 documents: user-data part 1, file /etc/eks/nodeadm.d/a.yaml, /etc/eksctl/kubelet.env\nNo problems.\n", requests: ASKED });
  });

  it("finds a broken multi-part, whatever names the cluster", async () => {
    const { status, printed } = await onNode([], MIME.replace("aws\n\n", "aws\n"), { "/etc/eksctl/kubelet.env": "CLUSTER_NAME=demo" });
    expect(status).toBe(78);
    expect(printed).toMatch(/^user-data part 1: Cannot read its headers: /);
  });

  it("reads the sources named instead", async () => {
    expect(await onNode(["--config-source", "file://~/a.yaml"], BAD, { "/a.yaml": GOOD })).toEqual({ status: 0, printed: "1 document: file ~/a.yaml\nNo problems.\n", requests: [] });
  });

  it("has nothing to do where there is no configuration", async () => {
    expect(await onNode([], undefined)).toEqual({ status: "no-config: There is nothing to check: no source of configuration holds a NodeConfig", printed: "", requests: ASKED });
  });
});

it("check takes files or sources, not both", async () => {
  await expect(run(["a.yaml", "--config-source", "file:///b"], {})).rejects.toMatchObject({ code: "usage", message: "--config-source goes without files" });
});
