import fc from "fast-check";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { parseCommandLine } from "../../src/cli/flags.ts";
import { readEksctl } from "../../src/cli/eksctl-layer.ts";
import { loadConfig } from "../../src/cli/load-config.ts";
import { shellWord } from "../../src/cli/shell-word.ts";
import { parseConfigText } from "../../src/config/config-text.ts";
import type { NodeConfig } from "../../src/config/node-config.ts";
import { parseUserData } from "../../src/config/user-data.ts";
import { canonicalJson, type JsonValue } from "../../src/lib/json.ts";
import { render } from "../../src/render/plan.ts";
import type { Facts } from "../../src/resolve/facts.ts";
import { factsNeeded } from "../../src/resolve/facts-needed.ts";
import { resolveNode } from "../../src/resolve/node.ts";
import { CLUSTER, FACTS } from "../resolve/fixture.ts";
import { CLUSTER_CA_PEM } from "../simulator/world.ts";
import { migrated } from "./migrations.ts";

const CA = Buffer.from(CLUSTER_CA_PEM).toString("base64");

/** What bootstrap.sh is told: an option, or a variable of its name. */
type Said = { readonly option: string; readonly variable: string; readonly value: string; readonly isVariable: boolean; readonly isJoined: boolean };
type Call = { readonly name: string; readonly said: readonly Said[]; readonly order: number };

/** Facts for every question that may be asked. */
const facts: fc.Arbitrary<Facts> = fc.record({
  kubelet: fc.constantFrom("1.22.17", "1.25.3", "1.27.1", "1.33.5", "1.35.0"),
  containerd: fc.constantFrom("1.7.27", "2.1.4"),
  family: fc.constantFrom("ipv4", "ipv6"),
}).map(({ kubelet, containerd, family }) => ({
  ...FACTS,
  cluster: { value: { ...CLUSTER, certificateAuthority: CA, ipFamily: family, serviceIpv6Cidr: "fd12:3456:789a::/108", id: "0f1e2d3c-described" } },
  ipv6Address: { value: "2001:db8::10" },
  kubeletVersion: { value: { version: kubelet, source: "kubelet" } },
  containerdVersion: { value: { version: containerd, source: "containerd" } },
  addresses: Object.fromEntries(["abc.example", "abc.gr7.us-east-1.eks.amazonaws.com"].map((host) => [host, ["10.0.0.1"]])),
}));

const letters = (characters: string, minLength: number, maxLength: number): fc.Arbitrary<string> => fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });

/** Anything that a unit file can carry, quotes, spaces and backslashes sooner than others. */
const oddText = letters("ab1-=,.:/%$\\'\" \t#;&|<>(){}*~!`ü", 0, 12);
const label = fc.tuple(letters("abc-./", 1, 8), oddText).map(([key, value]) => `${key}=${value}`);
const labels = fc.array(label, { maxLength: 3 }).map((items) => items.join(","));
const taint = fc.tuple(letters("abc-", 1, 5), oddText, fc.constantFrom("NoSchedule", "NoExecute")).map(([key, value, effect]) => `${key}=${value}:${effect}`);

/** The words of one flag for kubelet. */
const flag: fc.Arbitrary<readonly string[]> = fc.oneof(
  named("node-labels", labels),
  named("node_labels", labels),
  named("register-with-taints", fc.array(taint, { minLength: 1, maxLength: 2 }).map((items) => items.join(","))),
  named("max-pods", fc.nat({ max: 250 }).map(String)),
  named("eviction-hard", oddText),
  named("hostname-override", letters("ab1-", 1, 9)),
  named("root-dir", oddText),
  named("feature-gates", fc.constantFrom("A=true", "A=true,B=false")),
  named("cluster-dns", fc.constant("10.1.0.10")),
  fc.nat({ max: 9 }).chain((level) => fc.constantFrom(["-v", String(level)], [`-v${level}`], [`--v=${level}`])),
  fc.constantFrom(["--register-node"], ["--protect-kernel-defaults=false"], ["--fail-swap-on"]),
);

function named(name: string, value: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> {
  return fc.tuple(value, fc.boolean()).map(([text, isOne]) => (isOne ? [`--${name}=${text}`] : [`--${name}`, text]));
}

/** One of the ways to write a word so that systemd's rules make that word of it again. */
const quoting = fc.constantFrom<(word: string) => string>(
  (word) => `"${word.replace(/["\\]/g, "\\$&")}"`,
  (word) => `'${word.replace(/['\\]/g, "\\$&")}'`,
  // White space at the end of all would be cut off.
  (word) => (/^$|\s$/.test(word) ? `"${word.replace(/["\\]/g, "\\$&")}"` : word.replace(/[\s"'\\]/g, "\\$&")),
  (word) => `${word.slice(0, 2).replace(/[\s"'\\]/g, "\\$&")}"${word.slice(2).replace(/["\\]/g, "\\$&")}"`,
);

const extraArgs = fc
  .array(fc.tuple(flag, quoting), { minLength: 1, maxLength: 4 })
  .chain((flags) => fc.constantFrom(" ", "  ", "\t", " \n ").map((gap) => flags.map(([words, quote]) => words.map(quote).join(gap)).join(gap)));

function said(option: string, variable: string, value: fc.Arbitrary<string>): fc.Arbitrary<readonly Said[]> {
  const one = fc.record({ option: fc.constant(option), variable: fc.constant(variable), value, isVariable: fc.boolean(), isJoined: fc.boolean() });
  return fc.array(one, { maxLength: 2 });
}

const always = (option: string, variable: string, value: fc.Arbitrary<string>): fc.Arbitrary<readonly Said[]> =>
  fc.record({ option: fc.constant(option), variable: fc.constant(variable), value, isVariable: fc.boolean(), isJoined: fc.boolean() }).map((one) => [one]);

const ENDPOINT = always("apiserver-endpoint", "APISERVER_ENDPOINT", fc.constantFrom("https://ABC.example", "https://abc.example/"));
const AUTHORITY = always("b64-cluster-ca", "B64_CLUSTER_CA", fc.constantFrom(CA, CA.replace(/=+$/, "")));
const SERVICES_V4 = said("service-ipv4-cidr", "SERVICE_IPV4_CIDR", fc.constantFrom("172.20.0.0/16", "10.100.3.4/16", "None"));
const SERVICES_V6 = always("service-ipv6-cidr", "SERVICE_IPV6_CIDR", fc.constantFrom("fd30:1c53:5f8a::/108", "FD30:1C53:5F8A:0::/108"));
const DNS_V4 = said("dns-cluster-ip", "DNS_CLUSTER_IP", fc.constantFrom("172.20.0.10", "10.9.0.10, 169.254.20.10"));
const DNS_V6 = always("dns-cluster-ip", "DNS_CLUSTER_IP", fc.constantFrom("fd30:1c53:5f8a::a", "fd30:1c53:5f8a::a,fd00::1"));

/** Ways to say of which family the cluster is that do not contradict themselves, and that a NodeConfig can say. */
const network: fc.Arbitrary<readonly (readonly Said[])[]> = fc.oneof(
  fc.tuple(SERVICES_V4, DNS_V4),
  fc.tuple(ENDPOINT, AUTHORITY, SERVICES_V4, DNS_V4, said("ip-family", "IP_FAMILY", fc.constant("ipv4"))),
  fc.tuple(SERVICES_V6, fc.oneof(DNS_V6, fc.constant([])), said("ip-family", "IP_FAMILY", fc.constantFrom("ipv6", "IPv6"))),
  fc.tuple(ENDPOINT, AUTHORITY, DNS_V6, always("ip-family", "IP_FAMILY", fc.constant("ipv6"))),
);

/** Settings of dockerd's, on nodes that run containerd. */
const docker: fc.Arbitrary<readonly Said[]> = fc
  .tuple(always("container-runtime", "CONTAINER_RUNTIME", fc.constant("containerd")), said("docker-config-json", "DOCKER_CONFIG_JSON", oddText), said("enable-docker-bridge", "ENABLE_DOCKER_BRIDGE", fc.constantFrom("true", "false")))
  .map((all) => all.flat());

const outpost: fc.Arbitrary<readonly Said[]> = fc
  .tuple(always("enable-local-outpost", "ENABLE_LOCAL_OUTPOST", fc.constantFrom("true", "false")), always("cluster-id", "CLUSTER_ID", fc.constant("0f1e2d3c-4b5a")))
  .map((all) => all.flat());

const call: fc.Arbitrary<Call> = fc.record({
  name: fc.tuple(letters("abcXYZ019", 1, 1), letters("abcXYZ019-_", 0, 10)).map((parts) => parts.join("")),
  order: fc.nat({ max: 5 }),
  said: fc
    .tuple(
      fc.oneof(network, network.chain((all) => fc.tuple(ENDPOINT, AUTHORITY).map((given) => [...given, ...all]))),
      said("kubelet-extra-args", "KUBELET_EXTRA_ARGS", extraArgs),
      said("use-max-pods", "USE_MAX_PODS", fc.constantFrom("true", "false", "False")),
      said("local-disks", "LOCAL_DISKS", fc.constantFrom("mount", "raid0", "raid10", "none")),
      said("mount-bpf-fs", "MOUNT_BPF_FS", fc.constant("true")),
      fc.oneof(fc.constant([]), docker),
      fc.oneof(fc.constant([]), outpost),
      said("pause-container-version", "PAUSE_CONTAINER_VERSION", fc.constant("3.5")),
    )
    .map(([first, ...rest]) => [...first, ...rest].flat()),
});

/** What no field is there for, so that it is lost: on a node, without it, all else must be the same. */
const unsayable = fc.subarray(
  [
    ["--pause-container-version", "3.9"],
    ["--pause-container-account", "111122223333"],
    ["--mount-bpf-fs", "false"],
    ["--aws-api-retry-attempts", "3"],
    ["--containerd-config-file", "/etc/my.toml"],
    ["--node-name-source", "imds-if-canonical"],
    ["--reserve-for", "effective"],
    ["--authenticator", "agent"],
  ],
  { minLength: 1 },
);

function wordsOf({ name, said: all, order }: Call): readonly string[] {
  const options = all.filter(({ isVariable }) => !isVariable).map(({ option, value, isJoined }) => (isJoined ? [`--${option}=${value}`] : [`--${option}`, value]));
  return [...options.slice(0, order), [name], ...options.slice(order)].flat();
}

function environmentOf({ said: all }: Call): Record<string, string> {
  return Object.fromEntries(all.filter(({ isVariable }) => isVariable).map(({ variable, value }) => [variable, value]));
}

/** The call in a script: each word in single quotes, or in a variable in double quotes. */
function scriptOf(asked: Call): string {
  const exports = Object.entries(environmentOf(asked)).map(([name, value]) => `export ${name}=${shellWord(value)}`);
  const words = wordsOf(asked);
  const isInVariable = (index: number): boolean => (index + asked.order) % 3 === 0;
  const variables = words.flatMap((word, index) => (isInVariable(index) ? [`W${index}=${shellWord(word)}`] : []));
  const args = words.map((word, index) => (isInVariable(index) ? `"\${W${index}}"` : shellWord(word)));
  return `#!/bin/bash\nset -ex\n${[...exports, ...variables].join("\n")}\n/etc/eks/bootstrap.sh ${args.join(" \\\n  ")}\n`;
}

async function configOfCall(words: readonly string[], environment: Record<string, string>): Promise<NodeConfig> {
  const command = await parseCommandLine(["bootstrap", ...words], environment);
  if (command.kind !== "bootstrap") throw new Error(`a call is a bootstrap, not ${command.kind}`);
  const loaded = await loadConfig(command.flags, { root: undefined, userData: () => Promise.resolve(undefined) }, () => undefined);
  if (loaded === undefined) throw new Error("a call configures something");
  return loaded.config;
}

/** As `check` judges it: every remark counts. */
function configOfDocument(text: string): NodeConfig {
  const { config, problems, leniencies } = parseConfigText({ source: "migrated", text, givenAs: "file" });
  expect([...problems, ...leniencies]).toEqual([]);
  return config;
}

/** JSON counts by its values, as it does where files are compared with a node's. */
function planOf(config: NodeConfig, known: Facts): unknown {
  const { files, ...rest } = render(resolveNode(config, askedFor(config, known)));
  return { ...rest, files: files.map((file) => (file.comparedAs === "json" ? { ...file, contents: canonicalJson(JSON.parse(file.contents) as JsonValue) } : file)) };
}

/** A cluster that need not be described is not. */
function askedFor(config: NodeConfig, known: Facts): Facts {
  const { cluster, ...others } = known;
  return factsNeeded(config, known).some(({ kind }) => kind === "cluster") ? { ...others, ...(cluster && { cluster }) } : others;
}

/** Below, a node of a NodeConfig runs dockerd. */
const SINCE_CONTAINERD: Facts = { kubeletVersion: { value: { version: "1.24.17", source: "kubelet" } } };

const folder = mkdtempSync(join(tmpdir(), "migrate-"));
const script = join(folder, "user-data.sh");
afterAll(() => rmSync(folder, { recursive: true }));

const RUNS = 1000;

it(`the plan of a call is the plan of its NodeConfig, by words and by a script, ${RUNS} times`, { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(call, facts, async (asked, known) => {
      const node = asked.said.some(({ option }) => option === "container-runtime") ? { ...known, ...SINCE_CONTAINERD } : known;
      const expected = planOf(await configOfCall(wordsOf(asked), environmentOf(asked)), node);
      const byWords = await migrated(["--", ...wordsOf(asked)], environmentOf(asked));
      expect({ ...byWords, plan: planOf(configOfDocument(byWords.printed), node) }).toEqual({ status: 0, printed: byWords.printed, plan: expected });
      if (asked.order % 2 === 1) return;
      writeFileSync(script, scriptOf(asked));
      const byScript = await migrated(["--user-data", script]);
      expect({ status: byScript.status, document: withoutComments(byScript.printed) }).toEqual({ status: 0, document: withoutComments(byWords.printed) });
    }),
    { numRuns: RUNS },
  );
});

it("with what no field is there for, the status is 2, and the rest is the same", async () => {
  await fc.assert(
    fc.asyncProperty(call, unsayable, async (asked, lost) => {
      const whole = await migrated(["--", ...wordsOf(asked)], environmentOf(asked));
      const partly = await migrated(["--", ...wordsOf(asked), ...lost.flat()], environmentOf(asked));
      expect({ status: partly.status, document: withoutComments(partly.printed) }).toEqual({ status: 2, document: withoutComments(whole.printed) });
      for (const [option] of lost) expect(partly.printed).toContain(`# - option ${option}`);
    }),
    { numRuns: 100 },
  );
});

it("the plan of a NodeConfig in user data is that of the one it is migrated to", async () => {
  const file = "docs/examples/mime-node-config.txt";
  const { printed } = await migrated(["--user-data", file]);
  expect(planOf(configOfDocument(printed), FACTS)).toEqual(planOf(parseUserData(readFileSync(file)).config, FACTS));
});

it("the plan of eksctl's files is that of their NodeConfig, but for the labels that each instance has of its own", async () => {
  const root = mkdtempSync(join(folder, "root-"));
  mkdirSync(join(root, "etc/eksctl"), { recursive: true });
  writeFileSync(join(root, "etc/eksctl/kubelet.env"), `CLUSTER_NAME=demo\nAPI_SERVER_URL=https://abc.example\nB64_CLUSTER_CA=${CA}\nCLUSTER_DNS=10.100.0.10\nNODE_LABELS=a=b\nNODE_TAINTS=c=d:NoSchedule\nMAX_PODS=58\n`);
  writeFileSync(join(root, "etc/eksctl/kubelet-extra.json"), '{"maxPods": null, "evictionHard": {"memory.available": "5%"}}');
  const { kubelet: { eksctlLabels, ...kubelet }, ...others } = (await readEksctl(root)).config;
  const { status, printed } = await migrated(["--eksctl", join(root, "etc/eksctl")]);
  expect([status, eksctlLabels?.value]).toEqual([2, true]);
  expect(planOf(configOfDocument(printed), FACTS)).toEqual(planOf({ ...others, kubelet }, FACTS));
});

function withoutComments(text: string): string {
  return text.replace(/^#.*\n/gm, "");
}
