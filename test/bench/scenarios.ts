import { join } from "node:path";
import { ROOT } from "../../packaging/project.ts";
import { CLUSTER, CLUSTER_CA_PEM, USER_DATA, WORLD, type World } from "../simulator/world.ts";

export type Scenario = {
  readonly name: string;
  readonly args: readonly string[];
  readonly world: World;
  /** Whether the machine is one on which the agent never ran. */
  readonly isFirst: boolean;
  readonly environment?: Readonly<Record<string, string>>;
};

const BOOTSTRAP = ["bootstrap", "demo", "--wait", "none"];
const GIVEN = [...BOOTSTRAP, "--b64-cluster-ca", Buffer.from(CLUSTER_CA_PEM).toString("base64"), "--apiserver-endpoint", String(CLUSTER.endpoint)];

/** A type that no table has. */
const UNKNOWN: World = {
  ...WORLD,
  instanceType: "z99.large",
  instanceTypes: [{ name: "z99.large", ipv4PerEni: 10, vcpus: 2, hypervisor: "nitro", defaultCard: 0, cards: [{ index: 0, enis: 3 }] }],
};

export const WATERFALL = "endpoint given";

/** Runs that ask IMDS and AWS, at each latency. */
export const NETWORKED: readonly Scenario[] = [
  { name: WATERFALL, args: GIVEN, world: WORLD, isFirst: true },
  { name: "no change", args: GIVEN, world: WORLD, isFirst: false },
  { name: "DescribeCluster", args: BOOTSTRAP, world: WORLD, isFirst: true },
  { name: "user data", args: ["bootstrap", "--wait", "none"], world: { ...WORLD, userData: USER_DATA }, isFirst: true },
  { name: "unknown type", args: GIVEN, world: UNKNOWN, isFirst: true },
  { name: "dry run", args: [...GIVEN, "--dry-run"], world: WORLD, isFirst: true },
];

/** Of the simulated AWS, in the bed. */
export const CA_BUNDLE = "/etc/pki/simulated-aws.crt";

/** The same where EC2 is asked over HTTPS, as it is on every real node. */
export const OVER_TLS: readonly Scenario[] = [{ name: `${WATERFALL}, HTTPS`, args: GIVEN, world: WORLD, isFirst: true, environment: { AWS_CA_BUNDLE: CA_BUNDLE } }];

const KEYS = { AWS_ACCESS_KEY_ID: "AKIASIMULATED0000001", AWS_SECRET_ACCESS_KEY: "simulated/secret/access/key/of/the/demo" };

/** Files that runs name, at the same path everywhere. */
export const NAMED_FILES = { facts: join(ROOT, "docs/facts/m5.large.json"), config: join(ROOT, "docs/examples/node-config.yaml") } as const;

const REPLAYED = ["--dry-run", "--facts", NAMED_FILES.facts, "--config-source", `file://${NAMED_FILES.config}`];

/** The executable that does nothing. */
export const NOTHING = "nothing at all";

/** Runs that ask nobody. */
export const ALONE: readonly Scenario[] = [
  { name: "--version", args: ["--version"], world: WORLD, isFirst: false },
  { name: "--help", args: ["--help"], world: WORLD, isFirst: false },
  { name: "token", args: ["token", "--cluster", "demo", "--region", "us-west-2"], world: WORLD, isFirst: false, environment: KEYS },
  { name: "dry run of facts", args: REPLAYED, world: WORLD, isFirst: false },
];
