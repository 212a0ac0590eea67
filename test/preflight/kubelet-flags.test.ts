import { expect, test } from "vitest";
import { isFlagDeprecatedIn, isFlagIn, kubeletFlags } from "../../src/data/kubelet-flag-lookup.ts";
import type { KubeletFlag } from "../../src/data/kubelet-flag-lookup.ts";
import type { Finding, KubeletArgument } from "../../src/preflight/finding.ts";
import { checkFlagCombinations } from "../../src/preflight/flag-combinations.ts";
import { checkKubeletFlags } from "../../src/preflight/kubelet-flags.ts";

const EXTRA_ARGS = "option --kubelet-extra-args";

test.each([
  [
    "a flag that no version knows is refused, with the nearest name",
    33,
    "--max-podz=20",
    { code: "flag-unknown", message: "kubelet 1.33 does not know --max-podz, nor does any from 1.20 to 1.36; did you mean --max-pods?", remedy: "Remove --max-podz, or correct its name." },
  ],
  [
    "the nearest name is one of this version",
    35,
    "--pod-infra-container-imag=x",
    { code: "flag-unknown", message: "kubelet 1.35 does not know --pod-infra-container-imag, nor does any from 1.20 to 1.36", remedy: "Remove --pod-infra-container-imag, or correct its name." },
  ],
  [
    "a flag from before the tables is refused",
    21,
    "--allow-privileged=true",
    { code: "flag-unknown", message: "kubelet 1.21 does not know --allow-privileged, nor does any from 1.20 to 1.36", remedy: "Remove --allow-privileged, or correct its name." },
  ],
  [
    "a flag that a later version has is refused, with that version",
    27,
    "--config-dir=/etc/k",
    { code: "flag-too-new", message: "kubelet 1.27 does not know --config-dir: it came with 1.28", remedy: "Remove --config-dir, or use an image with a newer kubelet." },
  ],
  [
    "a removed flag is refused, with the version that removed it and the reason",
    35,
    "--pod-infra-container-image=x",
    {
      code: "flag-removed",
      message: "kubelet 1.35 does not know --pod-infra-container-image: it was removed in 1.35",
      remedy: "Remove --pod-infra-container-image: kubelet learns the sandbox image from containerd, whose configuration names it.",
    },
  ],
  [
    "a removed flag is refused, with the field that replaces it",
    33,
    "--iptables-drop-bit=15",
    {
      code: "flag-removed",
      message: "kubelet 1.33 does not know --iptables-drop-bit: it was removed in 1.31",
      remedy: "Remove --iptables-drop-bit: the field iptablesDropBit of KubeletConfiguration replaces it.",
    },
  ],
  [
    "a removed flag with neither field nor reason is refused",
    31,
    "--keep-terminated-pod-volumes=false",
    {
      code: "flag-removed",
      message: "kubelet 1.31 does not know --keep-terminated-pod-volumes: it was removed in 1.31",
      remedy: "Remove --keep-terminated-pod-volumes.",
    },
  ],
  [
    "underscores in a name are dashes",
    27,
    "--container_runtime=remote",
    {
      code: "flag-removed",
      message: "kubelet 1.27 does not know --container-runtime: it was removed in 1.27",
      remedy: "Remove --container-runtime: containerd is the only runtime left.",
    },
  ],
  ["a flag of Windows is refused", 33, "--windows-service=true", { code: "flag-unknown", message: "kubelet does not know --windows-service on Linux", remedy: "Remove --windows-service." }],
  ["a flag without its value is refused", 33, "--node-labels", { code: "flag-value", message: "--node-labels needs a value", remedy: "Give --node-labels=VALUE, or remove it." }],
  ["a flag that makes kubelet print and end is refused", 33, "--version", { code: "flag-ends-kubelet", message: "With --version kubelet prints and ends, and never joins", remedy: "Remove --version." }],
  ["the shorthand of such a flag is refused", 33, "-h", { code: "flag-ends-kubelet", message: "With --help kubelet prints and ends, and never joins", remedy: "Remove --help." }],
])("%s", (_, minor, text, expected) => {
  expect(errorsOf(minor, text)).toEqual([{ severity: "error", source: EXTRA_ARGS, ...expected }]);
});

test.each([
  ["max-pods", "many", "a whole number"],
  ["max-pods", "1.5", "a whole number"],
  ["max-pods", "", "a whole number"],
  ["max-pods", "08", "a whole number"],
  ["max-pods", "2147483648", "a whole number from -2147483648 to 2147483647"],
  ["v", "two", "a whole number"],
  ["application-metrics-count-limit", "9223372036854775808", "a whole number from -9223372036854775808 to 9223372036854775807"],
  ["max-open-files", "1e6", "a whole number"],
  ["fail-swap-on", "no", "true or false"],
  ["fail-swap-on", "tRUE", "true or false"],
  ["version", "1.33", "true or false"],
  ["sync-frequency", "10", 'a duration such as "1m30s"'],
  ["sync-frequency", "1 m", 'a duration such as "1m30s"'],
  ["log-json-info-buffer-size", "64KB", 'a quantity such as "100Mi"'],
  ["address", "node.example.com", "an IP address"],
  ["address", "10.0.0.300", "an IP address"],
  ["kube-reserved", "cpu:100m", 'pairs such as "key=value", separated by commas'],
  ["eviction-hard", "memory.available=100Mi", 'pairs such as "key<value", separated by commas'],
  ["manifest-url-header", "X-Key", 'pairs such as "key:value", separated by commas'],
  ["feature-gates", "NodeSwap", 'pairs such as "key=value", separated by commas'],
  ["feature-gates", "NodeSwap=on", 'true or false for "NodeSwap"'],
  ["register-with-taints", "dedicated", "key=value:effect, separated by commas"],
  ["register-with-taints", "a=b=c:NoSchedule", "key=value:effect, separated by commas"],
  ["reserved-memory", "memory=1Gi", 'one "NODE:TYPE=QUANTITY,…" for each NUMA node, separated by semicolons'],
  ["vmodule", "kubelet=high", 'pairs such as "file=2", separated by commas'],
])("--%s=%s is refused: kubelet expects %s", (name, value, expected) => {
  const message = `Cannot use ${JSON.stringify(value)} as --${name}: kubelet expects ${expected}`;
  expect(errorsOf(33, `--${name}=${value}`)).toEqual([{ severity: "error", code: "flag-value", source: EXTRA_ARGS, message, remedy: `Correct --${name}.` }]);
});

test.each([
  "--max-pods=58",
  "--max-pods=0x3a",
  "--max-pods=010",
  "--max-pods=-1",
  "-v=4",
  "--fail-swap-on",
  "--fail-swap-on=F",
  "--version=false",
  "--sync-frequency=1m30s",
  "--sync-frequency=0",
  "--address=",
  "--address=::",
  "--address=fe80::1",
  "--kube-reserved=cpu=100m,memory=1Gi",
  "--kube-reserved=",
  "--eviction-hard=memory.available<100Mi,nodefs.available<10%",
  "--feature-gates=NodeSwap=true,Unheard=false",
  "--register-with-taints=a=b:NoSchedule,c:NoExecute",
  "--register-with-taints=",
  "--node-labels=a=b,c,d==e",
  "--cluster-dns=10.100.0.10,10.100.0.11",
  "--reserved-memory=0:memory=1Gi,hugepages-1Gi=1Gi;1:memory=1Gi",
  "--vmodule=kubelet=3,pod*=4",
  "--log-flush-frequency=5s",
  "--log-json-info-buffer-size=64Ki",
  "--manifest-url-header=a:b,c:d",
])("%s is accepted", (text) => {
  expect(errorsOf(33, text)).toEqual([]);
});

test.each([
  ["--stderrthreshold=warning", 25],
  ["--stderrthreshold=2", 25],
  ["--chaos-chance=0.5", 21],
  ["--log-file-max-size=1800", 25],
  ["--max-podz=1", 37],
])("%s is accepted by kubelet 1.%i", (text, minor) => {
  expect(errorsOf(minor, text)).toEqual([]);
});

test("a flag that is in no table is only a note for a kubelet newer than the tables", () => {
  expect(checkKubeletFlags(37, [argument("--brand-new=1")])).toEqual([
    {
      severity: "note",
      code: "flag-unknown",
      message: "kubelet 1.37 does not know --brand-new, nor does any from 1.20 to 1.36",
      source: EXTRA_ARGS,
      remedy: "Remove --brand-new, or correct its name.",
    },
  ]);
});

test.each([
  [
    "a deprecated flag, with its field",
    33,
    ["--max-pods=20"],
    { code: "flag-deprecated", message: "kubelet 1.33 warns that --max-pods is deprecated", remedy: "It works for now: the field maxPods of KubeletConfiguration replaces it." },
  ],
  [
    "a deprecated flag that no field replaces",
    26,
    ["--housekeeping-interval=10s", "--storage-driver-db=x"],
    { code: "flag-deprecated", message: "kubelet 1.26 warns that --storage-driver-db is deprecated", remedy: "It works for now." },
  ],
  [
    "a flag for one value, given with two",
    33,
    ["--hostname-override=a", "--hostname_override=b"],
    {
      code: "flag-repeated",
      message: `--hostname-override is given with "a" (${EXTRA_ARGS}) and later with "b": kubelet takes the later one`,
      remedy: "Give --hostname-override once.",
    },
  ],
])("kubelet only warns of %s", (_, minor, texts, expected) => {
  expect(checkKubeletFlags(minor, texts.map(argument))).toEqual([{ severity: "note", source: EXTRA_ARGS, ...expected }]);
});

test.each([
  ["the agent's own deprecated flags", 34, [{ ...argument("--pod-infra-container-image=x"), owner: "agent" as const }]],
  ["a flag repeated with the same value", 33, [argument("--hostname-override=a"), argument("--hostname-override=a")]],
  ["a list given in parts", 33, [argument("--node-labels=a=b"), argument("--node-labels=c=d")]],
  ["a flag that is no longer deprecated", 29, [argument("--cloud-provider=external")]],
  ["a flag before it was deprecated", 22, [argument("--register-with-taints=a:NoSchedule")]],
])("nothing is said of %s", (_, minor, flags) => {
  expect(checkKubeletFlags(minor, flags)).toEqual([]);
});

test.each([
  [27, ["--cloud-provider=aws"], 'Cannot use "aws" as --cloud-provider: kubelet 1.27 accepts "external" only'],
  [26, ["--cloud-provider=aws"], undefined],
  [36, ["--cloud-provider=external"], undefined],
  [24, ["--container-runtime=docker"], 'Cannot use "docker" as --container-runtime: kubelet 1.24 accepts "remote" only'],
  [23, ["--container-runtime=docker"], undefined],
  [26, ["--node-ip=10.0.0.1,fd00::1"], 'Cannot use "10.0.0.1,fd00::1" as --node-ip: kubelet 1.26 accepts one address'],
  [29, ["--node-ip=10.0.0.1,fd00::1"], undefined],
  [33, ["--image-credential-provider-config=/a"], "Cannot use --image-credential-provider-config without --image-credential-provider-bin-dir: kubelet demands both or neither"],
  [33, ["--image-credential-provider-bin-dir=/b"], "Cannot use --image-credential-provider-bin-dir without --image-credential-provider-config: kubelet demands both or neither"],
  [33, ["--image-credential-provider-bin-dir=/b", "--image-credential-provider-config=/a"], undefined],
  [29, ["--config-dir=/etc/k"], "kubelet 1.29 ends on --config-dir unless KUBELET_CONFIG_DROPIN_DIR_ALPHA is in its environment"],
  [30, ["--config-dir=/etc/k"], undefined],
])("kubelet 1.%i with %j: %s", (minor, texts, message) => {
  expect(checkFlagCombinations(minor, texts.map(argument)).map((finding) => finding.message)).toEqual(message === undefined ? [] : [message]);
});

const REMOVED = [...kubeletFlags().values()].filter((flag) => flag.removedIn !== undefined && flag.removedIn > 21);

test("the table has flags that were removed", () => {
  expect(REMOVED.length).toBe(46);
});

test.each(REMOVED)("--$name is refused by kubelet 1.$removedIn, which removed it, and by none before", (flag) => {
  const removedIn = flag.removedIn ?? 0;
  const given = [{ name: flag.name, value: exampleOf(flag), source: EXTRA_ARGS, owner: "user" as const }];
  const [before, after] = [checkKubeletFlags(removedIn - 1, given), checkKubeletFlags(removedIn, given)];
  expect(before.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(after.map(({ code, message }) => [code, message])).toEqual([["flag-removed", `kubelet 1.${removedIn} does not know --${flag.name}: it was removed in 1.${removedIn}`]]);
});

test.each([...kubeletFlags().values()].filter((flag) => flag.os !== "windows" && flag.name !== "help" && flag.name !== "version"))(
  "--$name is noted from the version that deprecates it on, and silent where it is not deprecated",
  (flag) => {
    const given = [{ name: flag.name, value: exampleOf(flag), source: EXTRA_ARGS, owner: "user" as const }];
    const minors = Array.from({ length: 16 }, (_, index) => 21 + index).filter((minor) => isFlagIn(flag, minor));
    const codes = minors.map((minor) => checkKubeletFlags(minor, given).map(({ code }) => code));
    expect(codes).toEqual(minors.map((minor) => (isFlagDeprecatedIn(flag, minor) ? ["flag-deprecated"] : [])));
  },
);

/** A value that kubelet takes for a flag of this type. */
function exampleOf({ name, type }: KubeletFlag): string {
  const examples: readonly (readonly [RegExp, string])[] = [
    [/^register-with-taints$/, "a=b:NoSchedule"],
    [/^reserved-memory$/, "0:memory=1Gi"],
    [/^vmodule$/, "a=1"],
    [/^eviction-(hard|soft)$/, "memory.available<1Gi"],
    [/^manifest-url-header$/, "a:b"],
    [/^feature-gates$/, "A=true"],
    [/^address$|^healthz-bind-address$/, "127.0.0.1"],
  ];
  const byName = examples.find(([pattern]) => pattern.test(name))?.[1];
  if (byName !== undefined) return byName;
  if (type.startsWith("map")) return "a=b";
  if (type.startsWith("bool")) return "true";
  return { duration: "1s", quantity: "1Ki" }[type] ?? "1";
}

/** "--name=value", "--name" or "-h" as the user gave it. */
function argument(text: string): KubeletArgument {
  const [name = "", ...rest] = text.replace(/^-+/, "").split("=");
  return { name, value: text.includes("=") ? rest.join("=") : undefined, source: EXTRA_ARGS, owner: "user" };
}

function errorsOf(minor: number, text: string): readonly Finding[] {
  return checkKubeletFlags(minor, [argument(text)]).filter(({ severity }) => severity === "error");
}
