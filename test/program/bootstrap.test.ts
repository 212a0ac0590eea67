import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { depthOf, mostInFlight } from "../simulator/log.ts";
import { startSimulator, type Simulator } from "../simulator/simulator.ts";
import { CLUSTER_CA_PEM, WORLD } from "../simulator/world.ts";
import { CAN_CHROOT, type Ended, makeNodeRoot, type NodeRoot, type RunOptions } from "./node-root.ts";

const CA = Buffer.from(CLUSTER_CA_PEM).toString("base64");
const ENDPOINT = "https://ABC.gr7.us-west-2.eks.amazonaws.com";
const COMMAND = ["demo", "--b64-cluster-ca", CA, "--apiserver-endpoint", ENDPOINT];
const EXTRA = ["--kubelet-extra-args", "--node-labels=a=b --register-with-taints=c=d:NoSchedule"];
const NO_WAIT = ["--wait", "none"];
const ORDINARY_USER = 65534;

describe.skipIf(!CAN_CHROOT)("the executable on a machine without Node.js (skipped without root: it changes the root directory)", () => {
  let simulator: Simulator;
  let node: NodeRoot;

  beforeEach(async () => {
    simulator = await startSimulator({ world: { ...WORLD, vpcIpv4Cidrs: ["192.168.0.0/16"] } });
    node = makeNodeRoot();
  });
  afterEach(async () => {
    await simulator.close();
    node.remove();
  });

  const run = (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
    node.run(args, { ...options, environment: { ...simulator.environment, ...options.environment } });
  const runWell = async (args: readonly string[], options: RunOptions = {}): Promise<Ended> => {
    const ended = await run(args, options);
    expect(ended, ended.stderr).toMatchObject({ status: 0 });
    return ended;
  };

  test("bootstrap.sh's command line writes every file", async () => {
    await runWell([...COMMAND, ...EXTRA, ...NO_WAIT]);
    const files = node.managedFiles();
    for (const [path, contents] of Object.entries(files)) await expect(contents).toMatchFileSnapshot(`golden${path}`);
    expect(Object.keys(files)).toEqual(goldenPaths());
  });

  test("bootstrap.sh's command line reloads systemd once, at the end of enable, and starts containerd before kubelet", async () => {
    await runWell([...COMMAND, ...EXTRA, ...NO_WAIT]);
    expect(node.systemctlCalls().filter((call) => !call.startsWith("show ") && !call.startsWith("list-jobs"))).toEqual([
      "--quiet enable -- containerd.service sandbox-image.service kubelet.service",
      "start --no-block -- containerd.service",
      "start --no-block -- sandbox-image.service kubelet.service",
    ]);
  });

  test("with endpoint and CA given EKS is not asked, and EC2 once", async () => {
    await runWell([...COMMAND, ...NO_WAIT]);
    expect(simulator.requests.map(({ target }) => target).filter((target) => !target.startsWith("/latest/"))).toEqual(["DescribeInstances"]);
  });

  test("IMDS is asked for everything at once: one token, four requests or more at a time, at most three one after the other", async () => {
    const slow = await startSimulator({ latency: { imdsMs: 50 } });
    await runWell([...COMMAND, ...NO_WAIT], { environment: slow.environment });
    const ofImds = slow.requests.filter(({ target }) => target.startsWith("/latest/"));
    await slow.close();
    expect(ofImds.filter(({ method }) => method === "PUT")).toHaveLength(1);
    expect(mostInFlight(ofImds)).toBeGreaterThanOrEqual(4);
    expect(depthOf(ofImds)).toBeLessThanOrEqual(3);
  });

  test("without endpoint and CA EKS is asked once, and EC2 once", async () => {
    await runWell(["demo", ...NO_WAIT]);
    expect(simulator.requests.map(({ target }) => target).filter((target) => !target.startsWith("/latest/")).sort()).toEqual(["DescribeCluster", "DescribeInstances"]);
  });

  test("the same command again changes nothing: no file, no reload, no restart", async () => {
    await runWell([...COMMAND, ...EXTRA, ...NO_WAIT]);
    const before = node.snapshot();
    node.systemctlCalls();
    const again = await runWell([...COMMAND, ...EXTRA, ...NO_WAIT]);
    expect(node.snapshot()).toEqual(before);
    expect(node.systemctlCalls().filter((call) => !/^show |^list-jobs/.test(call))).toEqual([]);
    expect(again.stdout).toMatch(/No changes\.\n$/);
  });

  test("an option that is no longer given takes its drop-in with it, and kubelet is restarted", async () => {
    await runWell([...COMMAND, ...EXTRA, ...NO_WAIT]);
    node.systemctlCalls();
    await runWell([...COMMAND, ...NO_WAIT]);
    expect(Object.keys(node.managedFiles())).not.toContain("/etc/systemd/system/kubelet.service.d/30-kubelet-extra-args.conf");
    expect(node.systemctlCalls().filter((call) => /^(daemon-reload|restart)/.test(call))).toEqual(["daemon-reload", "restart --no-block -- kubelet.service"]);
  });

  test.each(["--dry-run", "--wait=none"])("a configuration that containerd refuses stops the run before anything is written: %s", async (how) => {
    await runWell([...COMMAND, ...NO_WAIT]);
    node.write("/etc/eks/containerd/containerd-config.toml", "[plugins\n");
    node.write("/refusal", "containerd: failed to load TOML: (1, 2): unexpected token\n");
    const before = node.snapshot();
    const refused = await run([...COMMAND, how]);
    expect(node.snapshot()).toEqual(before);
    expect(refused.status).toBe(78);
    expect(refused.stderr).toContain(
      "containerd cannot use the configuration that is planned for /etc/containerd/config.toml: failed to load TOML: (1, 2): unexpected token (/etc/eks/containerd/containerd-config.toml).",
    );
  });

  test("another cluster leaves no trace of the first in any managed file", async () => {
    await runWell([...COMMAND, ...EXTRA, ...NO_WAIT]);
    await runWell(["other", "--b64-cluster-ca", CA, "--apiserver-endpoint", "https://XYZ.gr7.us-west-2.eks.amazonaws.com", ...NO_WAIT]);
    const traces = Object.entries(node.managedFiles()).filter(([, contents]) => /ABC|demo|a=b/.test(contents));
    expect(traces).toEqual([]);
  });

  test("a run without arguments repeats the command line of the run before, with its variables and fresh facts", async () => {
    await runWell([...COMMAND, ...NO_WAIT], { environment: { KUBELET_EXTRA_ARGS: "--v=4" } });
    simulator.setWorld({ ...WORLD, localIpv4: "10.0.1.99" });
    const again = await runWell(NO_WAIT);
    expect(again.stdout).toContain("recorded-command: This run repeats the command line");
    expect(node.read("/etc/systemd/system/kubelet.service.d/10-kubelet-args.conf")).toContain("--node-ip=10.0.1.99 ");
    expect(node.read("/etc/systemd/system/kubelet.service.d/30-kubelet-extra-args.conf")).toContain("KUBELET_EXTRA_ARGS=--v=4'");
  });

  test("the source of the node's name is repeated as well: EC2 is not asked, by neither run", async () => {
    await runWell([...COMMAND, "--node-name-source", "imds-if-canonical", ...NO_WAIT]);
    await runWell(NO_WAIT);
    expect(simulator.requests.map(({ target }) => target).filter((target) => !target.startsWith("/latest/") || target.includes("security-credentials"))).toEqual([]);
    expect(node.read("/etc/systemd/system/kubelet.service.d/10-kubelet-args.conf")).toContain("--hostname-override=ip-10-0-1-23.us-west-2.compute.internal");
  });

  test("--forget drops the recorded command line: nothing says anything then, and nothing changes", async () => {
    await runWell([...COMMAND, ...NO_WAIT]);
    const before = node.managedFiles();
    expect((await runWell(["--forget"])).stdout).toBe("No source of configuration says anything, and this node was configured before: nothing is changed.\n");
    expect((await runWell([])).stdout).toBe("No source of configuration says anything, and this node was configured before: nothing is changed.\n");
    expect(node.managedFiles()).toEqual(before);
  });

  test("without any configuration a machine that was never configured is exit 66", async () => {
    const ended = await run([]);
    expect(ended.status, ended.stderr).toBe(66);
    expect(ended.stderr).toContain("Nothing says which cluster this node shall join");
  });

  test("kubelet is waited for until it answers its health check", async () => {
    const healthz = createServer((_request, response) => response.end("ok")).listen(0, "127.0.0.1");
    await new Promise((done) => healthz.once("listening", done));
    node.write("/kubelet.json", JSON.stringify({ healthzPort: (healthz.address() as AddressInfo).port }));
    await runWell([...COMMAND, "--kubelet-config-file", "/kubelet.json"]);
    healthz.close();
  });

  test("a kubelet that dies again and again is exit 69 with its last words", async () => {
    node.write("/stubs/units/kubelet.service/mode", "dies-after-500");
    node.write("/stubs/units/kubelet.service/restart-ms", "500");
    node.write("/stubs/units/kubelet.service/journal", "E0101 kubelet: failed to run Kubelet: no such plugin\n");
    const ended = await run([...COMMAND, "--wait-timeout", "20s"]);
    expect(ended.status, ended.stderr).toBe(69);
    expect(ended.stderr).toContain("E0101 kubelet: failed to run Kubelet: no such plugin");
  });

  test("a dry run by an ordinary user writes nothing, starts nothing and exits 0", async () => {
    const before = node.snapshot();
    const ended = await runWell([...COMMAND, ...EXTRA, "--dry-run"], { uid: ORDINARY_USER });
    expect(node.snapshot()).toEqual(before);
    expect(node.systemctlCalls().filter((call) => !call.startsWith("show "))).toEqual([]);
    expect(ended.stdout).toContain("+++ /etc/kubernetes/kubelet/kubelet-config.json");
  });

  test("a dry run shows exactly the bytes that the run then writes", async () => {
    const dry = await runWell([...COMMAND, ...EXTRA, "--dry-run", "--output", "json"]);
    await runWell([...COMMAND, ...EXTRA, ...NO_WAIT]);
    const { files } = JSON.parse(dry.stdout) as { files: readonly { path: string; contents: string }[] };
    expect(Object.fromEntries(files.map(({ path, contents }) => [path, contents]))).toEqual(node.managedFiles());
  });

  test("--detailed-exit-code tells by 2 that something would change, and by 0 that nothing would", async () => {
    expect((await run([...COMMAND, "--dry-run", "--detailed-exit-code"])).status).toBe(2);
    await runWell([...COMMAND, ...NO_WAIT]);
    expect((await run([...COMMAND, "--dry-run", "--detailed-exit-code"])).status).toBe(0);
  });

  test("facts, printed and given back, lead to the same plan", async () => {
    const facts = await runWell(["facts", ...COMMAND]);
    node.write("/facts.json", facts.stdout);
    const live = await runWell([...COMMAND, "--dry-run", "--output", "json"]);
    const replayed = await runWell([...COMMAND, "--dry-run", "--output", "json", "--facts", "/facts.json"]);
    const filesOf = (ended: Ended): unknown => (JSON.parse(ended.stdout) as { files: unknown }).files;
    expect(filesOf(replayed)).toEqual(filesOf(live));
  });

  test("a reader that goes away does not change the exit status", async () => {
    const ended = await run([...COMMAND, "--dry-run"], { pipedInto: "head -n 1" });
    expect(ended.stderr.trim().split("\n").at(-1)).toBe("0");
  });

  type Refused = { readonly why: string; readonly args: readonly string[]; readonly status: number; readonly says: string; readonly uid?: number };
  const REFUSED: readonly Refused[] = [
    { why: "an ordinary user cannot configure the node", args: COMMAND, status: 77, says: "Cannot configure this node as an ordinary user", uid: ORDINARY_USER },
    { why: "an unknown option", args: [...COMMAND, "--b64-cluster-cert", "x"], status: 64, says: "--b64-cluster-cert" },
    { why: "a missing value", args: ["demo", "--b64-cluster-ca"], status: 64, says: "--b64-cluster-ca" },
    { why: "a second positional", args: ["demo", "prod"], status: 64, says: '"prod"' },
    { why: "an option of the agent among kubelet's", args: [...COMMAND, "--kubelet-extra-args", "--use-max-pods=false"], status: 64, says: "--use-max-pods" },
    { why: "a CA that is no certificate", args: ["demo", "--b64-cluster-ca", "aGVsbG8=", "--apiserver-endpoint", ENDPOINT], status: 78, says: "option --b64-cluster-ca" },
    { why: "an endpoint with two schemes", args: ["demo", "--b64-cluster-ca", CA, "--apiserver-endpoint", "https://https://a"], status: 78, says: "option --apiserver-endpoint" },
    { why: "a family against its CIDR", args: [...COMMAND, "--ip-family", "ipv4", "--service-ipv6-cidr", "fd00::/108"], status: 78, says: "contradict" },
    { why: "a CIDR out of range", args: [...COMMAND, "--service-ipv4-cidr", "10.100.0.0/33"], status: 78, says: "option --service-ipv4-cidr" },
    { why: "a DNS address that is none", args: [...COMMAND, "--dns-cluster-ip", "10.100.0"], status: 78, says: "option --dns-cluster-ip" },
    { why: "a word that belongs to no flag", args: [...COMMAND, "--kubelet-extra-args", "--v=2 stray"], status: 78, says: '"stray"' },
  ];
  test.each(REFUSED)("refused before any request, with nothing written: $why", async ({ args, status, says, uid = 0 }) => {
    const before = node.snapshot();
    const ended = await run(args, { uid });
    expect(ended.status, ended.stderr).toBe(status);
    expect(ended.stderr).toContain(says);
    expect(node.snapshot()).toEqual(before);
    expect(simulator.requests).toEqual([]);
  });

  test("all problems are told at once, and the files of an earlier run stay as they are", async () => {
    await runWell([...COMMAND, ...NO_WAIT]);
    const before = node.snapshot();
    const ended = await run(["demo", "--b64-cluster-ca", "aGVsbG8=", "--apiserver-endpoint", "https://https://a", "--dns-cluster-ip", "x"]);
    expect(ended.status).toBe(78);
    for (const option of ["--b64-cluster-ca", "--apiserver-endpoint", "--dns-cluster-ip"]) expect(ended.stderr).toContain(`option ${option}`);
    expect(node.snapshot()).toEqual(before);
  });

  test("a cluster that does not exist ends the run at once, naming cluster, region and account", async () => {
    const ended = await run(["absent"]);
    expect(ended.status, ended.stderr).toBe(78);
    expect(ended.stderr).toMatch(/absent.*us-west-2.*111122223333/s);
    expect(simulator.requests.filter(({ target }) => target === "DescribeCluster")).toHaveLength(1);
  });
});

function goldenPaths(): readonly string[] {
  const golden = new URL("golden", import.meta.url).pathname;
  return readdirSync(golden, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(golden.length))
    .sort();
}
