import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { executable } from "../build.ts";
import { startSimulator, type Simulator } from "../simulator/simulator.ts";
import { WORLD } from "../simulator/world.ts";

const folder = mkdtempSync(join(tmpdir(), "eks-node-agent-links-"));
let simulator: Simulator;

beforeAll(async () => {
  for (const name of ["imds", "max-pods-calculator.sh"]) symlinkSync(executable, join(folder, name));
  simulator = await startSimulator();
});

afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true });
});

type Ended = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** By a shell, which finds programs in the folder of the links. */
async function shell(words: string, variables: Readonly<Record<string, string>> = simulator.environment): Promise<Ended> {
  const child = spawn("/bin/sh", ["-c", words], { env: { PATH: `${folder}:/usr/bin:/bin`, ...variables } });
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) child[stream].setEncoding("utf8").on("data", (text: string) => (output[stream] += text));
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { status, ...output };
}

describe("the executable by the names of AL2's scripts", () => {
  it.each([
    ["imds latest/meta-data/instance-id", `${WORLD.instanceId}\n`],
    [`${folder}/imds /latest/meta-data/placement/region`, `${WORLD.region}\n`],
    ["max-pods-calculator.sh --instance-type-from-imds --cni-version 1.18.3", "29\n"],
    [`exec ${folder}/max-pods-calculator.sh --instance-type c5.18xlarge --cni-version 1.18.3-eksbuild.1 --cni-prefix-delegation-enabled`, "250\n"],
  ])("%s", async (words, stdout) => {
    expect(await shell(words)).toEqual({ status: 0, stdout, stderr: "" });
  });

  it.each([
    ["imds", "error: The path is missing\nremedy: Give one, as in `imds meta-data/instance-id`, or `imds token`.\ncode: usage, exit status 1\n"],
    [
      "max-pods-calculator.sh --instance-type m5.large",
      "error: The version of the VPC CNI is missing\nremedy: Give it, as in --cni-version 1.18.3.\ncode: usage, exit status 1\n",
    ],
  ])("%s exits with 1, as the script does", async (words, stderr) => {
    expect(await shell(words)).toEqual({ status: 1, stdout: "", stderr });
  });

  it("prints nothing for a value that is not there, and exits with 1", async () => {
    const { status, stdout, stderr } = await shell("imds meta-data/ipv6");
    expect([status, stdout, stderr.split("\n")[0]?.replace(/127\.0\.0\.1:\d+/, "SIMULATOR")]).toEqual([1, "", 'error: IMDS at http://SIMULATOR has nothing at "meta-data/ipv6" (404)']);
  });
});

describe("the executable as kubelet calls it", () => {
  it("prints an ExecCredential of the version that is asked for, with nothing but two variables", async () => {
    const environment = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "secret", KUBERNETES_EXEC_INFO: '{"apiVersion":"client.authentication.k8s.io/v1"}' };
    const { status, stdout, stderr } = await shell(`${executable} token --cluster demo --region us-west-2`, environment);
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status: { token: expect.stringMatching(/^k8s-aws-v1\./) as string } });
  });

  it("exits with the number that says why", async () => {
    const environment = { KUBERNETES_EXEC_INFO: '{"apiVersion":"client.authentication.k8s.io/v1alpha1"}' };
    expect((await shell(`${executable} token --cluster demo --region us-west-2`, environment)).status).toBe(64);
  });
});
