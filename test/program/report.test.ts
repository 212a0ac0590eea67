import { mkdirSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { XMLValidator } from "fast-xml-parser";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LastRun } from "../../src/report/last-run.ts";
import { parseLastRun } from "../../src/report/parse-last-run.ts";
import { startSimulator, type Simulator } from "../simulator/simulator.ts";
import { CLUSTER_CA_PEM, WORLD } from "../simulator/world.ts";
import { CAN_CHROOT, type Ended, makeNodeRoot, type NodeRoot, type RunOptions } from "./node-root.ts";

const PATH = "/var/lib/eks-node-agent/last-run.json";
const CA = Buffer.from(CLUSTER_CA_PEM).toString("base64");
const COMMAND = ["demo", "--b64-cluster-ca", CA, "--apiserver-endpoint", "https://ABC.gr7.us-west-2.eks.amazonaws.com", "--wait", "none"];
const ORDINARY_USER = 65534;

describe.skipIf(!CAN_CHROOT)("the record of a run (skipped without root: it changes the root directory)", () => {
  let simulator: Simulator;
  let node: NodeRoot;

  beforeEach(async () => {
    simulator = await startSimulator();
    node = makeNodeRoot();
  });
  afterEach(async () => {
    await simulator.close();
    node.remove();
  });

  const run = (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
    node.run(args, { ...options, environment: { ...simulator.environment, ...options.environment } });
  const record = (): LastRun => {
    const parsed = parseLastRun(node.read(PATH));
    if ("problems" in parsed) throw new Error(parsed.problems.join("\n"));
    return parsed.lastRun;
  };

  test("that went well says what was done, and is for root and its group", async () => {
    expect(await run([...COMMAND, "--kubelet-extra-args", "--node-labels=a=b"], { environment: { KUBELET_EXTRA_ARGS: "--v=4" } })).toMatchObject({ status: 0 });
    const { inputs, node: identity, phases, requests, commands, changes, result } = record();
    expect((statSync(node.path + PATH).mode & 0o7777).toString(8)).toBe("640");
    expect(inputs.commandLine).toEqual([...COMMAND, "--kubelet-extra-args", "--node-labels=a=b"]);
    expect(inputs.environment).toEqual(["KUBELET_EXTRA_ARGS"]);
    expect(identity).toEqual({ cluster: "demo", instanceId: WORLD.instanceId, instanceType: WORLD.instanceType, zone: WORLD.zone, kubeletVersion: "1.29.3" });
    expect(phases.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual(["config done", "facts done", "observe done", "apply done", "verify done"]);
    expect(requests.map(({ target, status }) => `${target} ${status}`)).toEqual(expect.arrayContaining(["/latest/api/token 200", "DescribeInstances 200"]));
    expect(commands.map(({ argv }) => argv.join(" "))).toEqual(expect.arrayContaining(["/usr/bin/kubelet --version", "/usr/bin/containerd --version"]));
    expect(changes.filter(({ outcome }) => outcome !== "done")).toEqual([]);
    const written = changes.filter(({ kind }) => kind === "write-file").map(({ subject }) => subject);
    expect(written.toSorted()).toEqual(Object.keys(node.managedFiles()).toSorted());
    expect(result).toEqual({ kind: "done", exitStatus: 0 });
  });

  test("holds no secret, whoever gave it and however the run ended", async () => {
    const login = Buffer.from("joe:hunter2").toString("base64");
    const secrets = ["--docker-config-json", JSON.stringify({ auths: { registry: { auth: login } } })];
    const environment = { AWS_ENDPOINT_URL_EC2: `${simulator.environment["AWS_ENDPOINT_URL_EC2"]}/`, HTTPS_PROXY: "http://joe:hunter2@127.0.0.1:1" };
    for (const fault of [[], [{ on: "DescribeInstances", kind: "error", status: 403, name: "AuthFailure", message: "token k8s-aws-v1.aHVudGVyMg" }] as const]) {
      simulator.setFaults(fault);
      await run([...COMMAND, ...secrets, "--deadline", "5s"], { environment });
      const text = node.read(PATH);
      expect(record().inputs.commandLine).toContain("--docker-config-json");
      const { accessKeyId, secretAccessKey, token } = WORLD.credentials;
      expect([accessKeyId, secretAccessKey, token, login, "hunter2", "aHVudGVyMg"].filter((secret) => text.includes(secret))).toEqual([]);
    }
  });

  test("that failed says why, with the remedy", async () => {
    expect(await run(["absent", "--wait", "none"])).toMatchObject({ status: 78 });
    const { phases, changes, result } = record();
    expect(phases.at(-1)).toMatchObject({ name: "facts", outcome: "failed" });
    expect(changes).toEqual([]);
    expect(result).toEqual({
      kind: "failed",
      exitStatus: 78,
      code: "cluster-not-found",
      message: 'Cannot describe EKS cluster "absent" in us-west-2 (account 111122223333): there is no such cluster (ResourceNotFoundException)',
      lines: [],
      remedy: "Check the name, and that the cluster is in this region and account: aws eks list-clusters --region us-west-2.",
    });
  });

  test("that failed half way names the changes that were not reached", async () => {
    node.write("/stubs/units/containerd.service/mode", "refuses");
    expect(await run(COMMAND)).toMatchObject({ status: 69 });
    const { changes, result } = record();
    expect(changes.filter(({ outcome }) => outcome !== "done").map(({ kind, subject, outcome }) => [kind, subject, outcome])).toEqual([
      ["start-unit", "containerd.service", "failed"],
      ["start-unit", "sandbox-image.service", "not reached"],
      ["start-unit", "kubelet.service", "not reached"],
    ]);
    expect(result).toMatchObject({ kind: "failed", code: "unit-not-up", exitStatus: 69 });
  });

  test("that a signal ended says by which, and what was under way", async () => {
    simulator.setFaults([{ on: "DescribeInstances", kind: "hang" }]);
    const asked = until(() => simulator.requests.some(({ target }) => target === "DescribeInstances"));
    expect(await run(COMMAND, { terminateAfter: asked })).toMatchObject({ status: null });
    const { requests, phases, result } = record();
    expect(result).toEqual({ kind: "stopped", signal: "SIGTERM" });
    expect(phases).toContainEqual(expect.objectContaining({ name: "facts", outcome: "failed" }));
    expect(requests.find(({ target }) => target === "DescribeInstances")).toMatchObject({ attempt: 1, failure: matching(/./) });
  });

  test("has tries again in it", async () => {
    simulator.setFaults([{ on: "/latest/meta-data/mac", kind: "status", status: 503, times: 2 }]);
    expect(await run(COMMAND)).toMatchObject({ status: 0 });
    const { requests, retries } = record();
    expect(requests.filter(({ target }) => target === "/latest/meta-data/mac").map(({ attempt, status }) => [attempt, status])).toEqual([[1, 503], [2, 503], [3, 200]]);
    expect(retries).toMatchObject([{ target: "/latest/meta-data/mac", failures: 1 }, { target: "/latest/meta-data/mac", failures: 2 }]);
  });

  test("is shown in each form", async () => {
    await run(COMMAND);
    expect(await run(["report"])).toMatchObject({ status: 0, stdout: matching(/^Run of eks-node-agent .*\nResult\n {2}done in \d+\S*, exit status 0\n$/s), stderr: "" });
    expect(await run(["report", "--output", "json"])).toMatchObject({ status: 0, stdout: node.read(PATH) });
    const svg = await run(["report", "--output", "svg", PATH]);
    expect([svg.status, XMLValidator.validate(svg.stdout)]).toEqual([0, true]);
  });

  test("is there after a dry run only if it was before, and after a run that was refused", async () => {
    const refused: readonly (readonly [args: readonly string[], status: number, uid: number])[] = [[[...COMMAND, "--dry-run"], 0, 0], [["demo", "--no-such-option"], 64, 0], [COMMAND, 77, ORDINARY_USER]];
    for (const [args, status, uid] of refused) expect(await run(args, { uid })).toMatchObject({ status });
    expect(await run(["report"])).toMatchObject({ status: 66, stderr: containing(`There is no run to report: ${PATH} does not exist`) });
    await run(["demo", "--b64-cluster-ca", "aGVsbG8="]);
    const before = node.read(PATH);
    for (const [args, status, uid] of refused) expect(await run(args, { uid })).toMatchObject({ status });
    expect(node.read(PATH)).toBe(before);
    expect(record().result).toMatchObject({ kind: "failed", code: "config-invalid", exitStatus: 78 });
  });

  test("is not for everyone", async () => {
    await run(COMMAND);
    expect(await run(["report"], { uid: ORDINARY_USER })).toMatchObject({ status: 77, stderr: containing(`Cannot read ${PATH}: permission denied`) });
  });

  test("that cannot be kept is a warning, and changes nothing about the run", async () => {
    mkdirSync(`${node.path}${PATH}/in-the-way`, { recursive: true });
    expect(await run(COMMAND)).toMatchObject({ status: 0, stderr: containing(`There is no record of this run for \`eks-node-agent report\`: Cannot write ${PATH}`) });
  });
});

function containing(text: string): unknown {
  return expect.stringContaining(text);
}

function matching(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}
