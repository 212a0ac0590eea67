import { describe, expect, it } from "vitest";
import { parseCommandLine } from "../../src/cli/flags.ts";
import { printMaxPods } from "../../src/cli/max-pods.ts";
import { told } from "../gather/fixture.ts";
import { showRequests } from "../simulator/log.ts";
import { startSimulator, type SimulatorOptions } from "../simulator/simulator.ts";
import { WORLD } from "../simulator/world.ts";
import { commandWorld } from "./command-world.ts";

type Called = { readonly printed: string; readonly error: string | undefined; readonly logged: readonly string[]; readonly requests: readonly string[] };

async function maxPods(argv: readonly string[], options: SimulatorOptions = {}, variables: Record<string, string> = {}): Promise<Called> {
  const simulator = await startSimulator(options);
  const environment = { ...simulator.environment, ...variables };
  const command = await parseCommandLine(["max-pods", ...argv], environment);
  if (command.kind !== "max-pods") throw new Error(`expected max-pods, got ${command.kind}`);
  const world = commandWorld(environment);
  const run = printMaxPods(command.flags, world.world);
  try {
    const error = await run.then(
      () => undefined,
      async () => told(run),
    );
    return { printed: world.printed().toString(), error, logged: world.logged(), requests: showRequests(simulator.requests) };
  } finally {
    await simulator.close();
  }
}

describe("a type of the table", () => {
  it.each<[string, number, string]>([
    ["--instance-type m5.large --cni-version 1.7.5", 29, "the example of the EKS guide"],
    ["--instance-type m5.large --cni-version 1.9.0 --cni-prefix-delegation-enabled", 110, "the ceiling below 31 vCPUs"],
    ["--instance-type m5.large --cni-version 1.8.9 --cni-prefix-delegation-enabled", 29, "the CNI has no prefixes yet"],
    ["--instance-type m5.large --cni-version 1.9.0 --cni-prefix-delegation-enabled --show-max-allowed", 434, "no ceiling"],
    ["--instance-type m5.large --cni-version 1.9.0 --cni-custom-networking-enabled", 20, ""],
    ["--instance-type m5.large --cni-version 1.9.0 --cni-max-eni 1", 11, ""],
    ["--instance-type m5.large --cni-version 1.9.0 --cni-max-eni=", 29, "empty is not given"],
    ["--instance-type c5.18xlarge --cni-version 1.9.0 --cni-prefix-delegation-enabled", 250, "the ceiling above 30 vCPUs"],
    ["--instance-type c5.metal --cni-version 1.9.0 --cni-prefix-delegation-enabled --show-max-allowed", 737, "the script takes bare metal for no Nitro"],
    ["--instance-type t2.large --cni-version 1.9.0 --cni-prefix-delegation-enabled", 35, "Xen"],
    ["--instance-type c7g-flex.large --cni-version 1.18.3", 29, "unknown processors that do not matter"],
  ])("%s: %i (%s)", async (words, pods) => {
    expect(await maxPods(words.split(" "))).toEqual({ printed: `${pods}\n`, error: undefined, logged: [], requests: [] });
  });

  it("is that of this instance on request, whatever else is named", async () => {
    const { printed, requests } = await maxPods(["--instance-type-from-imds", "--instance-type", "c5.18xlarge", "--cni-version", "1.9"]);
    expect([printed, requests]).toEqual(["29\n", ["PUT /latest/api/token", "GET /latest/meta-data/instance-type"]]);
  });
});

describe("a type that the table does not know", () => {
  const TWO_CARDS = ["--instance-type", "z9.twocards", "--cni-version", "1.18.3"];

  it.each<[readonly string[], string]>([
    [[], "234\n"],
    [["--cni-prefix-delegation-enabled"], "250\n"],
    [["--cni-prefix-delegation-enabled", "--show-max-allowed"], "3714\n"],
  ])("is asked of EC2: %j", async (more, printed) => {
    const called = await maxPods([...TWO_CARDS, ...more]);
    expect([called.printed, called.error, called.requests.filter((request) => request.startsWith("Describe"))]).toEqual([printed, undefined, ["DescribeInstanceTypes"]]);
  });

  it("without a hypervisor is no Nitro", async () => {
    const world = { ...WORLD, instanceTypes: WORLD.instanceTypes.map((type) => ({ ...type, hypervisor: undefined })) };
    expect((await maxPods([...TWO_CARDS, "--cni-prefix-delegation-enabled", "--show-max-allowed"], { world })).printed).toBe("234\n");
  });

  it("is asked for in the region of the environment, with its credentials, and IMDS is left alone", async () => {
    const { accessKeyId, secretAccessKey, token } = WORLD.credentials;
    const environment = { AWS_REGION: WORLD.region, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token };
    expect(await maxPods([...TWO_CARDS, "--profile", "prod"], {}, environment)).toEqual({
      printed: "234\n",
      error: undefined,
      logged: ['warn The profile "prod" is not used: EC2 is asked with the credentials of the environment or the instance'],
      requests: ["DescribeInstanceTypes"],
    });
  });

  it("nor EC2, is an error", async () => {
    const { printed, error } = await maxPods(["--instance-type", "z9.none", "--cni-version", "1.18.3"]);
    expect([printed, error]).toEqual([
      "",
      'config-invalid: Cannot describe instance type "z9.none" in us-west-2 (ec2:DescribeInstanceTypes): it refuses the request (InvalidInstanceType: The following supplied instance types do not exist: [z9.none])',
    ]);
  });
});

describe("the command line", () => {
  it("may have any words, as the script's, and tells of those that mean nothing", async () => {
    const { printed, logged } = await maxPods(["m5.large", "--instance-type", "m5.large", "--cni-version", "1.9", "--cni-max-enis", "2"]);
    expect([printed, logged]).toEqual(["29\n", ["m5.large", "--cni-max-enis", "2"].map((word) => `warn "${word}" means nothing to max-pods, and is ignored`)]);
  });

  it.each<[readonly string[], string]>([
    [[], "The instance type is missing"],
    [["--cni-version", "1.9"], "The instance type is missing"],
    [["--instance-type", "", "--cni-version", "1.9"], "The instance type is missing"],
    [["--instance-type", "m5.large"], "The version of the VPC CNI is missing"],
    [["--instance-type", "m5 large", "--cni-version", "1.9"], 'Cannot use "m5 large" as --instance-type: expected a type such as m5.large'],
    [["--instance-type-from-imds", "--cni-version", "latest"], 'Cannot use "latest" as --cni-version: expected a version such as 1.18.3'],
    [["--instance-type-from-imds", "--cni-version", "1.9", "--cni-max-eni", "0"], 'Cannot use "0" as --cni-max-eni: expected a whole number from 1'],
    [["--instance-type-from-imds", "--cni-version"], "--cni-version needs a value, and is the last word"],
  ])("%j: %s", async (argv, message) => {
    await expect(parseCommandLine(["max-pods", ...argv], {})).rejects.toThrow(expect.objectContaining({ code: "usage", message }) as Error);
  });
});
