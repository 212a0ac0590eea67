import fc from "fast-check";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseCommandLine, type BootstrapFlags, type Command, type ConfigFlags } from "../../src/cli/flags.ts";
import { OPTIONS } from "../../src/cli/options.ts";
import { AgentError } from "../../src/errors.ts";

const CONFIG: ConfigFlags = {
  cluster: undefined,
  options: {},
  environment: {},
  configSources: [],
  kubeletConfigFile: undefined,
  nodeName: undefined,
  nodeNameSource: undefined,
  reserveFor: undefined,
  authenticator: undefined,
  strict: false,
  deadlineMs: 600_000,
  logLevel: "info",
  root: "/",
};

const BOOTSTRAP: BootstrapFlags = {
  ...CONFIG,
  args: [],
  dryRun: false,
  explain: false,
  output: "text",
  detailedExitCode: false,
  preflight: "error",
  facts: undefined,
  wait: "healthy",
  waitTimeoutMs: 180_000,
  forget: false,
};

async function bootstrapFlags(argv: readonly string[], environment: Record<string, string> = {}): Promise<BootstrapFlags> {
  const command = await parseCommandLine(argv, environment);
  if (command.kind !== "bootstrap") throw new Error(`expected bootstrap, got ${command.kind}`);
  return command.flags;
}

describe("the command", () => {
  it.each<[string[], Command, string]>([
    [[], { kind: "bootstrap", flags: BOOTSTRAP }, "bootstrap is the default"],
    [["bootstrap"], { kind: "bootstrap", flags: BOOTSTRAP }, "and can be said"],
    [["prod"], { kind: "bootstrap", flags: { ...BOOTSTRAP, cluster: "prod", args: ["bootstrap", "prod"] } }, "any other word is the cluster"],
    [["bootstrap", "facts"], { kind: "bootstrap", flags: { ...BOOTSTRAP, cluster: "facts", args: ["bootstrap", "facts"] } }, "a cluster named like a command"],
    [["--", "facts"], { kind: "bootstrap", flags: { ...BOOTSTRAP, cluster: "facts", args: ["bootstrap", "facts"] } }, "no command after --"],
    [["", "prod", ""], { kind: "bootstrap", flags: { ...BOOTSTRAP, cluster: "prod", args: ["bootstrap", "prod"] } }, "empty words are variables not set"],
    [["123"], { kind: "bootstrap", flags: { ...BOOTSTRAP, cluster: "123", args: ["bootstrap", "123"] } }, "digits are no number"],
    [["facts"], { kind: "facts", flags: CONFIG }, ""],
    [["facts", "prod", "--root", "/mnt"], { kind: "facts", flags: { ...CONFIG, cluster: "prod", root: "/mnt" } }, ""],
    [["--root=/mnt", "facts", "prod"], { kind: "facts", flags: { ...CONFIG, cluster: "prod", root: "/mnt" } }, "options may come first"],
    [["--help"], { kind: "help", topic: "bootstrap" }, ""],
    [["-h"], { kind: "help", topic: "bootstrap" }, "bootstrap.sh knew it"],
    [["facts", "-h"], { kind: "help", topic: "facts" }, ""],
    [["prod", "--helpme", "--help"], { kind: "help", topic: "bootstrap" }, "who asks for help gets no error"],
    [["--version"], { kind: "version" }, ""],
  ])("%j (%3$s)", async (argv, command, _why) => {
    expect(await parseCommandLine(argv, {})).toEqual(command);
  });
});

describe("bootstrap.sh's options", () => {
  it.each<[string[], Record<string, string> | string, string]>([
    [["--ip-family", "ipv6"], { "ip-family": "ipv6" }, "two words"],
    [["--ip-family=ipv6"], { "ip-family": "ipv6" }, "one word"],
    [["--ip-family="], {}, "empty is not given"],
    [["--ip-family", ""], {}, "empty is not given"],
    [["--ip-family", "ipv4", "--ip-family", "ipv6"], { "ip-family": "ipv6" }, "the last wins"],
    [["--ip-family", "ipv4", "--ip-family", ""], {}, "even an empty one"],
    [["--kubelet-extra-args", "--node-labels=a=b"], { "kubelet-extra-args": "--node-labels=a=b" }, "a value that looks like an option"],
    [["--kubelet-extra-args", "--dry-run"], "--kubelet-extra-args contains --dry-run, which is an option of eks-node-agent and no flag of any kubelet", ""],
    [["--kubelet-extra-args", "--config=x"], { "kubelet-extra-args": "--config=x" }, "a flag of kubelet that begins an option of ours"],
    [["--kubelet-extra-args", "--"], { "kubelet-extra-args": "--" }, "two dashes are a value, too"],
    [["--kubelet-extra-args=--a=b=c d"], { "kubelet-extra-args": "--a=b=c d" }, "only the first = counts"],
    [["--kubelet-extra-args", "'--a=b'"], { "kubelet-extra-args": "'--a=b'" }, "quotes are kept"],
    [["--kubelet-extra-args=\"--a=b\""], { "kubelet-extra-args": '"--a=b"' }, "quotes are kept"],
    [["--kubelet-extra-args", "--a\n--b"], { "kubelet-extra-args": "--a\n--b" }, "lines are kept"],
    [["--kubelet-extra-args=--a\n--b"], { "kubelet-extra-args": "--a\n--b" }, "lines are kept"],
    [["--cluster-id", "0123"], { "cluster-id": "0123" }, "no number"],
    [["--cluster-id", "1e3"], { "cluster-id": "1e3" }, "no number"],
    [["--cluster-id", "-1"], { "cluster-id": "-1" }, "no number, no option"],
    [["--use-max-pods", "false"], { "use-max-pods": "false" }, "the word"],
    [["--use-max-pods=true", "--mount-bpf-fs", "false"], { "use-max-pods": "true", "mount-bpf-fs": "false" }, "the words"],
    [["--containerd-config-file", "/a/b.toml"], { "containerd-config-file": "/a/b.toml" }, "a path"],
    [["--containerd-config-file", "b.toml"], { "containerd-config-file": resolve("b.toml") }, "a path made absolute"],
  ])("%j (%3$s)", async (argv, expected, _why) => {
    const flags = bootstrapFlags(argv).then(({ options }) => options, (error: unknown) => (error as Error).message);
    expect(await flags).toEqual(expected);
  });
});

describe("the agent's own options", () => {
  it.each<[string[], Partial<BootstrapFlags>]>([
    [["--dry-run"], { dryRun: true }],
    [["--dry-run", "true"], { dryRun: true, cluster: "true", args: ["bootstrap", "true"] }],
    [["--dry-run", "--dry-run"], { dryRun: true }],
    [["--dry-run", "--explain", "--output", "json", "--detailed-exit-code", "--facts", "/f.json"], { dryRun: true, explain: true, output: "json", detailedExitCode: true, facts: "/f.json" }],
    [["--dry-run", "--facts=f.json"], { dryRun: true, facts: resolve("f.json") }],
    [["--forget"], { forget: true }],
    [["--wait", "none", "--wait-timeout", "500ms"], { wait: "none", waitTimeoutMs: 500 }],
    [["--wait-timeout", "90"], { waitTimeoutMs: 90_000 }],
    [["--wait-timeout", "1m30s"], { waitTimeoutMs: 90_000 }],
    [["--deadline", "2h"], { deadlineMs: 7_200_000 }],
    [["--log-level", "debug"], { logLevel: "debug" }],
    [["--root", "/mnt"], { root: "/mnt" }],
    [["--root", "image"], { root: resolve("image") }],
    [["--strict", "--preflight", "warn"], { strict: true, preflight: "warn" }],
    [["--node-name", "instance-id"], { nodeName: "instance-id", args: ["bootstrap", "--node-name=instance-id"] }],
    [["--node-name-source", "imds-if-canonical"], { nodeNameSource: "imds-if-canonical", args: ["bootstrap", "--node-name-source=imds-if-canonical"] }],
    [["--node-name-source=ec2"], { nodeNameSource: "ec2", args: ["bootstrap", "--node-name-source=ec2"] }],
    [["--reserve-for", "effective"], { reserveFor: "effective", args: ["bootstrap", "--reserve-for=effective"] }],
    [["--authenticator", "agent"], { authenticator: "agent", args: ["bootstrap", "--authenticator=agent"] }],
    [["--kubelet-config-file", "k.json"], { kubeletConfigFile: resolve("k.json"), args: ["bootstrap", `--kubelet-config-file=${resolve("k.json")}`] }],
    [
      ["--config-source", "imds://user-data", "--config-source=file:///a.yaml"],
      { configSources: ["imds://user-data", "file:///a.yaml"], args: ["bootstrap", "--config-source=imds://user-data", "--config-source=file:///a.yaml"] },
    ],
    [["--config-source", "file://node.yaml"], { configSources: [`file://${resolve("node.yaml")}`], args: ["bootstrap", `--config-source=file://${resolve("node.yaml")}`] }],
  ])("%j", async (argv, flags) => {
    expect(await bootstrapFlags(argv)).toEqual({ ...BOOTSTRAP, ...flags });
  });
});

const HELP = "Run `eks-node-agent --help` for the options.";

describe("a usage error names the thing", () => {
  it.each([
    [["--foo"], "There is no option --foo", HELP],
    [["--ip-familly", "ipv4"], "There is no option --ip-familly; did you mean --ip-family?", HELP],
    [["--ip-fam", "ipv4"], "There is no option --ip-fam", HELP],
    [["-ip-family", "ipv4"], "There is no option -ip-family; did you mean --ip-family?", HELP],
    [["--ipFamily", "ipv4"], "There is no option --ipFamily; did you mean --ip-family?", HELP],
    [["--ip_family=ipv4"], "There is no option --ip_family; did you mean --ip-family?", HELP],
    [["--no-dry-run"], "There is no option --no-dry-run; did you mean --dry-run?", HELP],
    [["--explain.x=1"], "There is no option --explain.x; did you mean --explain?", HELP],
    [["--dry-run-"], "There is no option --dry-run-; did you mean --dry-run?", HELP],
    [["---dry-run"], "There is no option ---dry-run; did you mean --dry-run?", HELP],
    [["-x", "prod"], "There is no option -x", HELP],
    [["-5"], "There is no option -5", HELP],
    [["-"], "There is no option -", HELP],
    [["--h"], "There is no option --h", HELP],
    [["--_=x"], "There is no option --_", HELP],
    [["--$0=x"], "There is no option --$0", HELP],
    [["--__proto__=x"], "There is no option --__proto__", HELP],
    [["--constructor", "x"], "There is no option --constructor", HELP],
    [["--kubelet-extra-args", "--a", "--foo=secret"], "There is no option --foo", HELP],
    [["--max-pods=20"], "There is no option --max-pods: it is a flag of kubelet", "Give it inside --kubelet-extra-args, as in --kubelet-extra-args '--max-pods=…'."],
    [["--kubelet-extra-args", "--max-pods=20", "--node_labels", "a=b"], "There is no option --node_labels: it is a flag of kubelet", "Give it inside --kubelet-extra-args, as in --kubelet-extra-args '--node_labels=…'."],
    [["prod", "--ip-family"], "--ip-family needs a value, and is the last word", HELP],
    [["--config-source"], "--config-source needs a value, and is the last word", HELP],
    [["--dry-run=true"], "--dry-run takes no value", HELP],
    [["--dry-run="], "--dry-run takes no value", HELP],
    [["a", "b"], '"b" is one word too many: the cluster is "a" already', HELP],
    [["bootstrap", "a", "--", "b"], '"b" is one word too many: the cluster is "a" already', HELP],
    [["facts", "--dry-run"], "--dry-run is no option of facts", "Run `eks-node-agent facts --help` for its options."],
    [["--facts", "f.json"], "--facts goes with --dry-run only", "Add --dry-run, or leave --facts out."],
    [["--detailed-exit-code"], "--detailed-exit-code goes with --dry-run only", "Add --dry-run, or leave --detailed-exit-code out."],
    [["--output", "xml"], 'Cannot use "xml" as --output: expected text or json', HELP],
    [["--wait", "ready"], 'Cannot use "ready" as --wait: expected none, active or healthy', HELP],
    [["--node-name", "Private-DNS"], 'Cannot use "Private-DNS" as --node-name: expected private-dns or instance-id', HELP],
    [["--deadline", "soon"], 'Cannot use "soon" as --deadline: expected a time such as 500ms, 90s or 10m, and at most 24 days', HELP],
    [["--deadline", "0"], 'Cannot use "0" as --deadline: expected a time such as 500ms, 90s or 10m, and at most 24 days', HELP],
    [["--deadline", "-5s"], 'Cannot use "-5s" as --deadline: expected a time such as 500ms, 90s or 10m, and at most 24 days', HELP],
    [["--wait-timeout", "600h"], 'Cannot use "600h" as --wait-timeout: expected a time such as 500ms, 90s or 10m, and at most 24 days', HELP],
    [["--config-source", "https://x"], 'Cannot use "https://x" as --config-source: expected imds://user-data, or file:// and the path of a file or folder', HELP],
    [["--config-source", "file://"], 'Cannot use "file://" as --config-source: expected imds://user-data, or file:// and the path of a file or folder', HELP],
  ])("%j: %s", async (argv, message, remedy) => {
    await expect(parseCommandLine(argv, {})).rejects.toThrow(new AgentError("usage", message, { remedy }));
  });
});

describe("an option of ours among kubelet's arguments is a usage error", () => {
  const misplaced = (where: string, name: string) =>
    new AgentError("usage", `${where} contains --${name}, which is an option of eks-node-agent and no flag of any kubelet`, {
      remedy: `Put --${name} beside ${where}, not into it: a quote may be closed too late.`,
    });

  it.each([
    ["--max-pods=20 --use-max-pods false", "use-max-pods"],
    ["--dns_cluster_ip=10.0.0.10", "dns-cluster-ip"],
    ["'--b64-cluster-ca' x", "b64-cluster-ca"],
  ])("%s", async (text, name) => {
    await expect(parseCommandLine(["prod", "--kubelet-extra-args", text], {})).rejects.toThrow(misplaced("--kubelet-extra-args", name));
    await expect(parseCommandLine(["prod"], { KUBELET_EXTRA_ARGS: text })).rejects.toThrow(misplaced("KUBELET_EXTRA_ARGS", name));
  });

  it.each(["--container-runtime=remote", "--max-pods=20", "--unknown-to-both", "--v=2 -v 2", "--node-labels=x=--cluster-id"])("%s is let through", async (text) => {
    expect((await bootstrapFlags(["--kubelet-extra-args", text])).options).toEqual({ "kubelet-extra-args": text });
  });
});

describe("the environment", () => {
  const environment = { IP_FAMILY: "ipv6", API_RETRY_ATTEMPTS: "5", IMDS_RETRIES: "3", USE_MAX_PODS: "", CLUSTER_NAME: "other", AWS_API_RETRY_ATTEMPTS: "7", HOME: "/root" };

  it("is read when the command line names the cluster", async () => {
    expect((await bootstrapFlags(["prod"], environment)).environment).toEqual({ IP_FAMILY: "ipv6", API_RETRY_ATTEMPTS: "5", IMDS_RETRIES: "3" });
  });

  it("is not read when it does not", async () => {
    expect(await bootstrapFlags(["--ip-family", "ipv4"], environment)).toEqual({ ...BOOTSTRAP, options: { "ip-family": "ipv4" }, args: ["bootstrap", "--ip-family=ipv4"] });
  });

  it("is not read by facts", async () => {
    expect(await parseCommandLine(["facts", "prod"], environment)).toEqual({ kind: "facts", flags: { ...CONFIG, cluster: "prod" } });
  });

  it("names the image credential provider whoever names the cluster", async () => {
    const provider = { ECR_CREDENTIAL_PROVIDER_BIN_PATH: "/opt/ecr" };
    expect(await bootstrapFlags([], { ...environment, ...provider })).toEqual({ ...BOOTSTRAP, environment: provider });
  });

  it("has its paths made absolute", async () => {
    expect((await bootstrapFlags(["prod"], { CONTAINERD_CONFIG_FILE: "c.toml" })).environment).toEqual({ CONTAINERD_CONFIG_FILE: resolve("c.toml") });
  });
});

describe("the recorded arguments", () => {
  it("hold what configures the node, in the table's order, and nothing about this run", async () => {
    const argv = [
      "--wait=none", "--node-name", "instance-id", "prod", "--ip-family", "ipv4", "--use-max-pods", "", "--kubelet-extra-args", "--v=4", "--preflight=warn", "--strict",
      "--config-source", "file:///b", "--config-source", "file:///a", "--b64-cluster-ca=x==", "--root", "/mnt", "--forget",
    ];
    expect((await bootstrapFlags(argv)).args).toEqual([
      "bootstrap", "prod", "--b64-cluster-ca=x==", "--ip-family=ipv4", "--kubelet-extra-args=--v=4",
      "--config-source=file:///b", "--config-source=file:///a", "--node-name=instance-id", "--strict", "--preflight=warn",
    ]);
  });

  it("are empty when nothing but this run is spoken of", async () => {
    expect((await bootstrapFlags(["--dry-run", "--preflight=warn", "--strict", "--log-level=debug"])).args).toEqual([]);
  });
});

// The rules of the command line in their plainest form, for comparison with what yargs makes of them.
function readPlainly(argv: readonly string[]): Record<string, string> | "help" | "usage error" {
  const options: Record<string, string> = {};
  const positionals: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? "";
    const [, name = "", equals, inline = ""] = /^--([^=]+)(=?)([\s\S]*)$/.exec(word) ?? [];
    const value = equals === "=" ? inline : argv[index + 1];
    if (word === "--") positionals.push(...argv.slice(index + 1));
    if (word === "--") break;
    if (word === "-h" || word === "--help") return "help";
    if (!word.startsWith("-")) positionals.push(word);
    else if (value === undefined || !OPTIONS.some((option) => option.name === name)) return "usage error";
    else {
      options[name] = value;
      if (equals !== "=") index++;
    }
  }
  if (positionals.filter((word) => word !== "").length > 1) return "usage error";
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== ""));
}

async function readByYargs(argv: readonly string[]): Promise<Record<string, string> | "help" | "usage error"> {
  try {
    const command = await parseCommandLine(argv, {});
    return command.kind === "bootstrap" ? command.flags.options : "help";
  } catch (error) {
    if (error instanceof AgentError && error.code === "usage") return "usage error";
    throw error;
  }
}

describe("whatever the words are", () => {
  const valued = OPTIONS.filter(({ group, isPath }) => group === "bootstrap.sh" && isPath === undefined).map(({ name }) => name);
  const value = fc.oneof(
    fc.constantFrom("", "-", "--", "---", "-1", "1e3", "0x10", "true", "=", "a=b", "'q'", '"q"', "--no-x", "-h", "--help", "a.b", "[1]", "{}", "__proto__"),
    fc.string(),
  );
  const name = fc.constantFrom(...valued.filter((candidate) => candidate !== "kubelet-extra-args"));
  const words = fc.array(
    fc.oneof(
      { weight: 8, arbitrary: fc.tuple(name, value).map(([key, text]) => [`--${key}`, text]) },
      { weight: 8, arbitrary: fc.tuple(name, value).map(([key, text]) => [`--${key}=${text}`]) },
      { weight: 1, arbitrary: name.map((key) => [`--${key}`]) },
      { weight: 1, arbitrary: fc.constantFrom("--ip-familly", "--x=1", "--clusterId", "--cluster_id=").map((word) => [word]) },
    ),
    { maxLength: 6 },
  );

  it("yargs and the plain rules agree", async () => {
    await fc.assert(
      fc.asyncProperty(words.map((groups) => groups.flat()), async (argv) => {
        const expected = readPlainly(argv);
        const read = await readByYargs(argv);
        // Help is given whatever else is wrong, and the plain rules stop at the first thing that is.
        if (expected !== "usage error" || read !== "help") expect(read).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("the recorded arguments configure the node in the same way again", async () => {
    const given = fc.dictionary(name, fc.string({ minLength: 1 }));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("prod", "facts", "bootstrap"), given, async (cluster, options) => {
        const argv = ["bootstrap", cluster, ...Object.entries(options).flatMap(([key, text]) => [`--${key}`, text])];
        const first = await bootstrapFlags(argv);
        const again = await bootstrapFlags(first.args);
        expect(first.options).toEqual(options);
        expect(again).toEqual(first);
      }),
    );
  });
});
