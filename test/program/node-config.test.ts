import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startSimulator, type Simulator } from "../simulator/simulator.ts";
import { CLUSTER_CA_PEM, WORLD } from "../simulator/world.ts";
import { CAN_CHROOT, type Ended, makeNodeRoot, type NodeRoot, type RunOptions } from "./node-root.ts";

const CA = Buffer.from(CLUSTER_CA_PEM).toString("base64");
const ENDPOINT = "https://ABC.gr7.us-west-2.eks.amazonaws.com";
const COMMAND = ["demo", "--b64-cluster-ca", CA, "--apiserver-endpoint", ENDPOINT, "--service-ipv4-cidr", "172.20.0.0/16"];
const NODE = `apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster: {name: demo, apiServerEndpoint: "${ENDPOINT}", certificateAuthority: ${CA}, cidr: 172.20.0.0/16}\n`;
const LABELS = "apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  kubelet: {flags: [--node-labels=a=b]}\n";
const MIME = `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="//"\n\n${[NODE, LABELS].map((part) => `--//\nContent-Type: application/node.eks.aws\n\n${part}`).join("")}--//--\n`;
const NO_WAIT = ["--wait", "none"];
const FACTS = readFileSync(new URL("../golden/kubelet-1.33/facts.json", import.meta.url), "utf8");
const ORDINARY_USER = 65534;

describe.skipIf(!CAN_CHROOT)("the executable, told by NodeConfigs (skipped without root: it changes the root directory)", () => {
  let simulator: Simulator;
  let node: NodeRoot;

  beforeEach(async () => {
    simulator = await startSimulator({ world: { ...WORLD, userData: MIME } });
    node = makeNodeRoot();
  });
  afterEach(async () => {
    await simulator.close();
    node.remove();
  });

  const run = (args: readonly string[], options: RunOptions = {}): Promise<Ended> => node.run(args, { ...options, environment: simulator.environment });
  const extraArgs = () => node.read("/etc/systemd/system/kubelet.service.d/30-kubelet-extra-args.conf");
  const asked = () => simulator.requests.map(({ target }) => target);

  test("user data alone configures a node, and again after a reboot", async () => {
    expect((await run(NO_WAIT)).status).toBe(0);
    expect(extraArgs()).toContain("KUBELET_EXTRA_ARGS=--node-labels=a=b'");
    const files = node.managedFiles();
    const again = await run(NO_WAIT);
    expect(again.stdout).toMatch(/No changes\.\n$/);
    expect(node.managedFiles()).toEqual(files);
  });

  test("user data is asked over the same connection as the facts, once, and costs one request", async () => {
    await run(NO_WAIT);
    expect(asked().filter((target) => target === "/latest/user-data" || target === "/latest/api/token")).toEqual(["/latest/api/token", "/latest/user-data"]);
  });

  test("InstanceIdNodeName leaves EC2 alone", async () => {
    simulator.setWorld({ ...WORLD, userData: `${NODE}  featureGates: {InstanceIdNodeName: true}\n` });
    expect((await run(NO_WAIT)).status).toBe(0);
    expect(asked().filter((target) => !target.startsWith("/latest/"))).toEqual([]);
  });

  test("a broken multi-part beside a complete command line is a note, and the node is up", async () => {
    simulator.setWorld({ ...WORLD, userData: MIME.replace("aws\n\n", "aws\n") });
    const { status, stdout } = await run([...COMMAND, ...NO_WAIT]);
    expect(status).toBe(0);
    expect(stdout).toContain("user-data-ignored: All of the user data is left out");
    expect(Object.keys(node.managedFiles())).toContain("/var/lib/kubelet/kubeconfig");
  });

  test("the same alone is an error that names the part, and nothing is written", async () => {
    simulator.setWorld({ ...WORLD, userData: MIME.replace("aws\n\n", "aws\n") });
    const before = node.managedFiles();
    const { status, stderr } = await run(NO_WAIT);
    expect(status).toBe(78);
    expect(stderr).toContain("user-data part 1: Cannot read its headers:");
    expect(node.managedFiles()).toEqual(before);
  });

  test("a script as user data, and nothing else, is no configuration", async () => {
    simulator.setWorld({ ...WORLD, userData: "#!/bin/bash\necho hello\n" });
    expect((await run(NO_WAIT)).status).toBe(66);
  });

  test("what looks like a NodeConfig and is none is named there", async () => {
    simulator.setWorld({ ...WORLD, userData: MIME.replaceAll("application/node.eks.aws", "text/yaml") });
    const { status, stderr } = await run(NO_WAIT);
    expect(status).toBe(66);
    expect(stderr).toContain('user-data part 1: It looks like a NodeConfig and does nothing, because its type is "text/yaml"');
  });

  test("a dry run at a desk reads the file named and the facts, and asks nobody", async () => {
    node.write("/desk/node.yaml", NODE);
    node.write("/desk/m5.large.json", FACTS);
    node.write("/etc/eks/nodeadm.d/a.yaml", LABELS);
    const { status, stdout } = await run(["--dry-run", "--facts", "/desk/m5.large.json", "--config-source", "file:///desk/node.yaml"], { uid: ORDINARY_USER });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Inputs\n {2}file \/desk\/node.yaml\n/);
    expect(stdout).not.toContain("node-labels");
    expect(asked()).toEqual([]);
  });

  test("a configuration that the user may not read ends a dry run with 77", async () => {
    node.write("/etc/eks/node-agent.d/a.yaml", LABELS, 0o600);
    const { status, stderr } = await run(["--dry-run"], { uid: ORDINARY_USER });
    expect(status).toBe(77);
    expect(stderr).toContain("Cannot read /etc/eks/node-agent.d/a.yaml (a usual place): permission denied");
  });

  test("check judges strictly what a bootstrap would take", async () => {
    simulator.setWorld({ ...WORLD, userData: NODE.replace("cidr", "cidrs") });
    const { status, stdout } = await run(["check"], { uid: ORDINARY_USER });
    expect(status).toBe(78);
    expect(stdout).toContain("user-data, line 4, spec.cluster.cidrs: There is no such field, so it does nothing; did you mean cidr?\n");
    expect((await run(NO_WAIT)).status).toBe(0);
  });
});
