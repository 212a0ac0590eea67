import { describe, expect, it } from "vitest";
import { configFromCommandLine, type CommandLine, type CommandLineConfig } from "../../src/config/flags-to-config.ts";
import { EMPTY_NODE_CONFIG } from "../../src/config/node-config.ts";
import { showProblem } from "../../src/config/problems.ts";
import { configOf } from "../../src/config/settings.ts";
import { CA } from "../certificate-authority.ts";

const NOTHING: CommandLine = { cluster: undefined, options: {}, environment: {}, nodeName: undefined, nodeNameSource: undefined, reserveFor: undefined, authenticator: undefined };
const EMPTY: CommandLineConfig = { config: EMPTY_NODE_CONFIG, problems: [], notes: [], gatherOverrides: {}, containerdConfigFile: undefined };

const read = (line: Partial<CommandLine>) => configFromCommandLine({ ...NOTHING, ...line });
const problemsOf = (line: Partial<CommandLine>) => read(line).problems.map((problem) => showProblem(problem));
const notesOf = (line: Partial<CommandLine>) => read(line).notes.map(({ code, message }) => `${code}: ${message}`);
const base64 = Buffer.from(CA).toString("base64");

it("nothing said is nothing asked for", () => {
  expect(read({})).toEqual(EMPTY);
});

describe("each option becomes its part of the config, from either source", () => {
  it.each<[string, string, string, string, unknown]>([
    ["apiserver-endpoint", "APISERVER_ENDPOINT", "https://ABC.gr7.us-west-2.eks.amazonaws.com/", "cluster.apiServerEndpoint", "https://ABC.gr7.us-west-2.eks.amazonaws.com"],
    ["apiserver-endpoint", "APISERVER_ENDPOINT", " HTTPS://[::1]:6443 ", "cluster.apiServerEndpoint", "https://[::1]:6443"],
    ["b64-cluster-ca", "B64_CLUSTER_CA", base64, "cluster.certificateAuthority", CA],
    ["b64-cluster-ca", "B64_CLUSTER_CA", `${base64.slice(0, 76)}\n ${base64.slice(76).replace(/=+$/, "")}\n`, "cluster.certificateAuthority", CA],
    ["cluster-id", "CLUSTER_ID", "0a1b-2c", "cluster.id", "0a1b-2c"],
    ["dns-cluster-ip", "DNS_CLUSTER_IP", "10.0.0.10, FD00::A,,", "cluster.dnsAddresses", ["10.0.0.10", "fd00::a"]],
    ["ip-family", "IP_FAMILY", "IPv6", "cluster.ipFamily", "ipv6"],
    ["enable-local-outpost", "ENABLE_LOCAL_OUTPOST", "false", "cluster.outpost", false],
    ["use-max-pods", "USE_MAX_PODS", "false", "kubelet.useMaxPods", false],
    ["container-runtime", "CONTAINER_RUNTIME", "dockerd", "docker.runtime", "dockerd"],
    ["pause-container-account", "PAUSE_CONTAINER_ACCOUNT", "602401143452", "image.account", "602401143452"],
    ["pause-container-version", "PAUSE_CONTAINER_VERSION", "3.10", "image.version", "3.10"],
    ["local-disks", "LOCAL_DISKS", "raid0", "instance.localDisks", "raid0"],
    ["mount-bpf-fs", "MOUNT_BPF_FS", "true", "instance.mountBpfFs", true],
    ["enable-docker-bridge", "ENABLE_DOCKER_BRIDGE", "false", "docker.enableBridge", false],
  ])("--%s and %s: %j", (option, variable, text, path, value) => {
    const configWith = (source: string) => {
      const [section = "", field = ""] = path.split(".");
      return configOf({ [section]: { [field]: { value, source } } });
    };
    expect(read({ options: { [option]: text } })).toEqual({ ...EMPTY, config: configWith(`option --${option}`) });
    expect(read({ environment: { [variable]: text } })).toEqual({ ...EMPTY, config: configWith(`environment ${variable}`) });
  });
});

describe("what has no option, or no variable", () => {
  it("the cluster's name and the agent's own options", () => {
    expect(read({ cluster: "prod", nodeName: "instance-id", nodeNameSource: "imds-if-canonical", reserveFor: "effective", authenticator: "agent" })).toEqual({
      ...EMPTY,
      config: configOf({
        cluster: { name: { value: "prod", source: "command line" } },
        kubelet: {
          nodeName: { value: "instance-id", source: "option --node-name" },
          nodeNameSource: { value: "imds-if-canonical", source: "option --node-name-source" },
          reserveFor: { value: "effective", source: "option --reserve-for" },
          authenticator: { value: "agent", source: "option --authenticator" },
        },
      }),
    });
  });

  it("the pause image and the credential provider", () => {
    expect(read({ environment: { PAUSE_CONTAINER_IMAGE: "registry.k8s.io/pause:3.10", ECR_CREDENTIAL_PROVIDER_BIN_PATH: "/opt/ecr" } })).toEqual({
      ...EMPTY,
      config: configOf({
        image: { reference: { value: "registry.k8s.io/pause:3.10", source: "environment PAUSE_CONTAINER_IMAGE" } },
        kubelet: { credentialProvider: { value: "/opt/ecr", source: "environment ECR_CREDENTIAL_PROVIDER_BIN_PATH" } },
      }),
    });
  });

  it("the file for containerd, of which only the path is known here", () => {
    expect(read({ options: { "containerd-config-file": "/c.toml" }, environment: { CONTAINERD_CONFIG_FILE: "/d.toml" } })).toEqual({
      ...EMPTY,
      containerdConfigFile: { value: "/c.toml", source: "option --containerd-config-file" },
    });
  });
});

describe("an option beats its variable", () => {
  it("which is then not even looked at", () => {
    expect(read({ options: { "ip-family": "ipv4" }, environment: { IP_FAMILY: "nonsense" } })).toEqual(read({ options: { "ip-family": "ipv4" } }));
  });

  it("unless it is empty or blank", () => {
    expect(read({ options: { "ip-family": " " }, environment: { IP_FAMILY: "ipv6" } })).toEqual(read({ environment: { IP_FAMILY: "ipv6" } }));
  });

  it("except that kubelet's flags add up, the option's last", () => {
    expect(read({ options: { "kubelet-extra-args": "--v=4 --x='a b'" }, environment: { KUBELET_EXTRA_ARGS: "--max-pods=20" } }).config.kubelet.flags).toEqual([
      { value: ["--max-pods=20"], source: "environment KUBELET_EXTRA_ARGS" },
      { value: ["--v=4", "--x=a b"], source: "option --kubelet-extra-args" },
    ]);
  });
});

describe("service blocks", () => {
  const v4 = { value: "172.20.0.0/16", source: "option --service-ipv4-cidr" };
  const v6 = { value: "fd30::/108", source: "option --service-ipv6-cidr" };
  it.each([
    ["one family", { options: { "service-ipv4-cidr": "172.20.0.0/16" } }, [v4]],
    ["both families", { options: { "service-ipv6-cidr": "FD30::/108", "service-ipv4-cidr": "172.20.0.0/16" } }, [v4, v6]],
    ["None of one", { options: { "service-ipv4-cidr": "None", "service-ipv6-cidr": "fd30::/108" } }, [v6]],
    ["None at all", { options: { "service-ipv4-cidr": "None" } }, undefined],
    ["None beats no variable", { options: { "service-ipv4-cidr": "None" }, environment: { SERVICE_IPV4_CIDR: "10.0.0.0/16" } }, [{ value: "10.0.0.0/16", source: "environment SERVICE_IPV4_CIDR" }]],
    ["an option replaces the other family's variable, too", { options: { "service-ipv4-cidr": "172.20.0.0/16" }, environment: { SERVICE_IPV6_CIDR: "fd00::/108" } }, [v4]],
    ["host bits are masked", { options: { "service-ipv4-cidr": "172.20.5.7/16" } }, [v4]],
  ])("%s", (_, line, serviceCidrs) => {
    expect(read(line).config).toEqual(configOf({ cluster: serviceCidrs === undefined ? {} : { serviceCidrs } }));
  });
});

describe("how the world is asked", () => {
  it("is no part of the node's config", () => {
    const environment = {
      API_RETRY_ATTEMPTS: "0",
      IMDS_ENDPOINT: "127.0.0.1:1338",
      IMDS_RETRIES: "10",
      IMDS_RETRY_DELAY_SECONDS: "0.5",
      IMDS_TOKEN_TTL_SECONDS: "60",
      PRIVATE_DNS_NAME_MAX_ATTEMPTS: "20",
      PRIVATE_DNS_NAME_ATTEMPT_INTERVAL: "6",
    };
    expect(read({ environment })).toEqual({
      ...EMPTY,
      gatherOverrides: {
        eksRetryAttempts: 0,
        imdsEndpoint: "127.0.0.1:1338",
        imdsRetries: 10,
        imdsRetryDelaySeconds: 0.5,
        imdsTokenTtlSeconds: 60,
        privateDnsNameMaxAttempts: 20,
        privateDnsNameAttemptIntervalSeconds: 6,
      },
    });
  });

  it("--aws-api-retry-attempts beats API_RETRY_ATTEMPTS", () => {
    expect(read({ options: { "aws-api-retry-attempts": "7" }, environment: { API_RETRY_ATTEMPTS: "x" } })).toEqual({ ...EMPTY, gatherOverrides: { eksRetryAttempts: 7 } });
  });
});

const URL_EXPECTED = 'expected https://, a host and nothing after it, such as "https://0123456789ABCDEF.gr7.eu-west-1.eks.amazonaws.com".';

describe("a problem names source, value and what was expected", () => {
  it.each([
    ["apiserver-endpoint", "ABC.eks.amazonaws.com", `Cannot use "ABC.eks.amazonaws.com": ${URL_EXPECTED}`],
    ["apiserver-endpoint", "https://abc/path", `Cannot use "https://abc/path": ${URL_EXPECTED}`],
    ["apiserver-endpoint", "https://abc?x=1", `Cannot use "https://abc?x=1": ${URL_EXPECTED}`],
    ["apiserver-endpoint", "https://user@abc", `Cannot use "https://user@abc": ${URL_EXPECTED}`],
    ["apiserver-endpoint", "https://abc:99999", `Cannot use "https://abc:99999": ${URL_EXPECTED}`],
    ["apiserver-endpoint", "https://", `Cannot use "https://": ${URL_EXPECTED}`],
    ["apiserver-endpoint", "ftp://abc", `Cannot use "ftp://abc": ${URL_EXPECTED}`],
    ["apiserver-endpoint", "None", `Cannot use "None": ${URL_EXPECTED}`],
    ["apiserver-endpoint", "https://https://abc", 'Cannot use "https://https://abc": the scheme is there twice.'],
    ["b64-cluster-ca", "abc!", 'Cannot use "abc!": it is not base64 of text.'],
    ["b64-cluster-ca", Buffer.from(base64).toString("base64"), `Cannot use "TFMwdExTMUNSVWRKVGlCRFJWSlVTVVpKUTBGVVJT"… (${Buffer.from(base64).toString("base64").length} characters): it is base64 twice over.`],
    ["cluster-id", "a b", 'Cannot use "a b": expected an id without spaces.'],
    ["dns-cluster-ip", "10.0.0.10,dns", 'Cannot use "10.0.0.10,dns": "dns" is no IP address.'],
    ["dns-cluster-ip", "10.0.10", 'Cannot use "10.0.10": "10.0.10" is no IP address.'],
    ["dns-cluster-ip", ",", 'Cannot use ",": expected IP addresses, with commas between them.'],
    ["ip-family", "dual", 'Cannot use "dual": expected ipv4 or ipv6.'],
    ["service-ipv4-cidr", "10.100.0.0", 'Cannot use "10.100.0.0": expected an IPv4 block, such as "172.20.0.0/16".'],
    ["service-ipv4-cidr", "::ffff:10.100.0.0/112", 'Cannot use "::ffff:10.100.0.0/112": expected an IPv4 block, such as "172.20.0.0/16".'],
    ["service-ipv4-cidr", "fd30::/108", 'Cannot use "fd30::/108": it is an IPv6 block, for which there is --service-ipv6-cidr.'],
    ["service-ipv4-cidr", "10.100.0.0/29", 'Cannot use "10.100.0.0/29": the block ends before its tenth address, which is the cluster DNS.'],
    ["service-ipv6-cidr", "fd30::", 'Cannot use "fd30::": expected an IPv6 block, such as "fd30:1c53:5f8a::/108".'],
    ["service-ipv6-cidr", "10.0.0.0/16", 'Cannot use "10.0.0.0/16": it is an IPv4 block, for which there is --service-ipv4-cidr.'],
    ["use-max-pods", "0", 'Cannot use "0": expected true or false.'],
    ["enable-local-outpost", "yes", 'Cannot use "yes": expected true or false.'],
    ["aws-api-retry-attempts", "-1", 'Cannot use "-1": expected a whole number from 0 to 1000.'],
    ["aws-api-retry-attempts", "3.5", 'Cannot use "3.5": expected a whole number from 0 to 1000.'],
    ["container-runtime", "docker", 'Cannot use "docker": expected containerd or dockerd.'],
    ["pause-container-account", "602", 'Cannot use "602": expected an AWS account of 12 digits.'],
    ["pause-container-version", "3 5", 'Cannot use "3 5": expected an image tag, such as "3.5".'],
    ["local-disks", "raid5", 'Cannot use "raid5": expected mount, raid0, raid10 or none.'],
    ["kubelet-extra-args", "--a='b\nc'", 'Cannot pass on "--a=b\\nc" to kubelet: it contains a line break (U+000A), which systemd refuses.'],
  ])("--%s %j", (option, text, message) => {
    expect(problemsOf({ options: { [option]: text } })).toEqual([`option --${option}: ${message}`]);
  });

  it.each([
    ["PAUSE_CONTAINER_IMAGE", "a b", 'Cannot use "a b": expected a reference to an image.'],
    ["ECR_CREDENTIAL_PROVIDER_BIN_PATH", "ecr", 'Cannot use "ecr": expected an absolute path.'],
    ["API_RETRY_ATTEMPTS", "many", 'Cannot use "many": expected a whole number from 0 to 1000.'],
    ["IMDS_ENDPOINT", "http://a/b", 'Cannot use "http://a/b": expected a host, or a URL without a path.'],
    ["IMDS_RETRIES", "", undefined],
    ["IMDS_RETRY_DELAY_SECONDS", "1s", 'Cannot use "1s": expected a number of seconds, at most a day.'],
    ["IMDS_TOKEN_TTL_SECONDS", "21601", 'Cannot use "21601": expected a whole number from 1 to 21600.'],
    ["PRIVATE_DNS_NAME_MAX_ATTEMPTS", "0", 'Cannot use "0": expected a whole number from 1 to 1000.'],
    ["PRIVATE_DNS_NAME_ATTEMPT_INTERVAL", "-1", 'Cannot use "-1": expected a number of seconds, at most a day.'],
  ])("%s=%s", (variable, text, message) => {
    expect(problemsOf({ environment: { [variable]: text } })).toEqual(message === undefined ? [] : [`environment ${variable}: ${message}`]);
  });

  it("all problems are found at once, beside what is right", () => {
    const { problems, config } = read({ cluster: "prod", options: { "ip-family": "x", "use-max-pods": "x", "aws-api-retry-attempts": "x" }, environment: { SERVICE_IPV4_CIDR: "x", LOCAL_DISKS: "raid0" } });
    expect(problems.map(({ source }) => source)).toEqual(["option --ip-family", "option --use-max-pods", "environment SERVICE_IPV4_CIDR", "option --aws-api-retry-attempts"]);
    expect(config).toEqual(configOf({ cluster: { name: { value: "prod", source: "command line" } }, instance: { localDisks: { value: "raid0", source: "environment LOCAL_DISKS" } } }));
  });
});

describe("a note tells what was made of a value", () => {
  it.each([
    ["apiserver-endpoint", "http://127.0.0.1:6443/", "endpoint-without-tls: Option --apiserver-endpoint is http://127.0.0.1:6443, which is reached without TLS: anyone on the way can read and change what is said."],
    ["b64-cluster-ca", CA, "ca-not-base64: Option --b64-cluster-ca is PEM and not base64, and is taken as it is."],
    ["service-ipv4-cidr", "172.20.5.7/16", 'cidr-masked: Option --service-ipv4-cidr is taken as 172.20.0.0/16, although it is written "172.20.5.7/16".'],
    ["use-max-pods", "False", 'boolean-case: Option --use-max-pods is taken as false, although it is written "False".'],
    ["kubelet-extra-args", "--a=5%%", 'percent-undoubled: Option --kubelet-extra-args holds "%%", which is taken as "%": only unit files need it doubled.'],
    ["kubelet-extra-args", "--a='b", "kubelet-arguments-quoting: Option --kubelet-extra-args: The quote ' is opened and not closed: all that follows it is one argument."],
  ])("--%s %j", (option, text, note) => {
    expect(notesOf({ options: { [option]: text } })).toEqual([note]);
  });

  it.each([
    ["service-ipv6-cidr", "FD30:0::/108"],
    ["kubelet-extra-args", "--a=5%"],
  ])("--%s %s needs none", (option, text) => {
    expect(notesOf({ options: { [option]: text } })).toEqual([]);
  });
});

it("`%%` is undoubled before the words are split", () => {
  expect(read({ options: { "kubelet-extra-args": "--eviction-hard=memory.available<5%% --b=50%" } }).config.kubelet.flags).toEqual([
    { value: ["--eviction-hard=memory.available<5%", "--b=50%"], source: "option --kubelet-extra-args" },
  ]);
});
