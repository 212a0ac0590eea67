import { COMMANDS, IMDS_VARIABLES, OPTIONS, VARIABLES, type CommandName, type Option } from "../../src/cli/options.ts";
import { EXIT_STATUSES } from "./error-table.ts";
import { READ, WRITTEN } from "./file-table.ts";
import { bold, escapeRoff, italic, paragraph, plain, section, subsection, tagged, verbatim } from "./roff.ts";

/** docs/eks-node-agent.8, in the macros of man(7), which every man knows. */
export function manPage(version: string): string {
  return [
    `.\\" Made by "npm run generate" from the table of options.\n`,
    `.TH EKS\\-NODE\\-AGENT 8 "" "eks\\-node\\-agent ${escapeRoff(version)}" "System Administration"\n.nh\n.ad l\n`,
    section("NAME", plain("eks-node-agent - join an EC2 instance to its Amazon EKS cluster")),
    section("SYNOPSIS", ...synopsis()),
    section("DESCRIPTION", ...DESCRIPTION.map(paragraph)),
    section("COMMANDS", ...COMMANDS.map(({ name, takes, does }) => tagged(`${bold(name)}${takes === "" ? "" : ` ${italic(takes)}`}`, `${does}.`))),
    section("OPTIONS", paragraph(OPTIONS_INTRO), ...optionSections()),
    section("CONFIGURATION", ...CONFIGURATION.map(paragraph)),
    section("ENVIRONMENT", ...environment()),
    section("FILES", ...files()),
    section("EXIT STATUS", ...EXIT_STATUSES.map(([status, means]) => tagged(bold(String(status)), sentence(means)))),
    section("EXAMPLES", ...EXAMPLES.flatMap(([what, command]) => [paragraph(what), verbatim(command)])),
    section("SEE ALSO", plain("systemctl(1), journalctl(1), cloud-init(1), containerd(8). Guides and further pages are in /usr/share/doc/eks-node-agent.")),
  ].join("");
}

function synopsis(): readonly string[] {
  return [
    `.B eks\\-node\\-agent\n[${bold("bootstrap")}] [${italic("CLUSTER")}] [${italic("OPTION")}]...\n`,
    ...COMMANDS.filter(({ name }) => name !== "bootstrap").map(({ name, takes }) => `.br\n.B eks\\-node\\-agent\n${bold(name)}${inOrder(takes === "" ? "" : ` ${italic(takes)}`, takes)}\n`),
  ];
}

/** What stands after two dashes is no option. */
function inOrder(shown: string, takes: string): string {
  const options = ` [${italic("OPTION")}]...`;
  return takes.startsWith("[--") ? options + shown : shown + options;
}

const DESCRIPTION = [
  "eks-node-agent does the work of /etc/eks/bootstrap.sh of the AL2 image and of nodeadm of the AL2023 image. It reads the node's configuration, asks the instance metadata service (IMDSv2), EKS and EC2 for what is missing, writes the files of kubelet and containerd, starts both, and waits until kubelet is healthy. Healthy is not yet joined: the API server decides that.",
  "Before anything is written it checks what kubelet would refuse. Files are replaced whole. A second run changes nothing, and a run that was killed is completed by the next.",
  "eks-node-agent.service runs it at boot, after cloud-init. Never start that unit and wait for it from user data: it is ordered after the user data.",
];

const OPTIONS_INTRO =
  "An option's value is the next word, whatever it looks like, or follows an equals sign. An empty value means that the option is not given. Of a repeated option the last counts, but for those that say that they can be repeated. An option that is not known, or a word too many, is an error, and nothing is written.";

const CONFIGURATION = [
  "From the weakest to the strongest: defaults; NodeConfig documents (node.eks.aws/v1alpha1) of the user data, or of the sources that --config-source names; files in /etc/eks/nodeadm.d and /etc/eks/node-agent.d; eksctl's files in /etc/eksctl; environment variables, if the command line names the cluster; options. Only the cluster's name must be given: EKS is asked for the rest.",
  "A run that is given nothing, on a node that was configured by a command line, repeats that command line with fresh facts.",
];

function optionSections(): readonly string[] {
  const groups = [
    ["Options of bootstrap.sh", optionsOf("bootstrap").filter(({ group }) => group === "bootstrap.sh")],
    ["Options of the agent", optionsOf("bootstrap").filter(({ group }) => group === "agent")],
    ...COMMANDS.filter(({ name }) => name !== "bootstrap").map(({ name }) => [`Options of ${name}`, optionsOf(name)] as const),
  ] as const;
  const seen = new Set<Option>();
  return groups.flatMap(([title, options]) => {
    const [fresh, known] = [options.filter((option) => !seen.has(option)), options.filter((option) => seen.has(option))];
    fresh.forEach((option) => seen.add(option));
    const also = known.length === 0 ? [] : [paragraph(`${fresh.length === 0 ? "Of those above: " : "Besides these, of those above: "}${known.map(({ name }) => `--${name}`).join(", ")}.`)];
    return subsection(title, ...fresh.map(optionEntry), ...also);
  });
}

function optionsOf(command: CommandName): readonly Option[] {
  return OPTIONS.filter(({ commands }) => commands.includes(command));
}

function optionEntry({ name, placeholder, does, standard, variable }: Option): string {
  const head = `${name === "help" ? `${bold("-h")}, ` : ""}${bold(`--${name}`)}${placeholder === undefined ? "" : ` ${italic(placeholder)}`}`;
  const details = [...(standard === undefined ? [] : [`Default: ${standard}.`]), ...(variable === undefined ? [] : [`Variable: ${variable}.`])];
  return tagged(head, [`${does}.`, ...details].join(" "));
}

function environment(): readonly string[] {
  return [
    paragraph(
      `The variables of the options are read only if the command line names the cluster. So are ${VARIABLES.filter(({ always }) => always !== true).map(({ name }) => name).join(", ")}. ` +
        "An option beats its variable, but the flags of KUBELET_EXTRA_ARGS are kept, before the option's.",
    ),
    ...VARIABLES.map(({ name, does }) => tagged(bold(name), `${does}.`)),
    tagged(`${bold("HTTPS_PROXY")}, ${bold("HTTP_PROXY")}, ${bold("NO_PROXY")}`, "For requests to EKS and EC2. IMDS is never asked through a proxy."),
    tagged(`${bold("AWS_CA_BUNDLE")}, ${bold("SSL_CERT_FILE")}, ${bold("NODE_EXTRA_CA_CERTS")}`, "Certificate authorities to trust, instead of the system's, or besides them for the last."),
    tagged(`${bold("AWS_EC2_METADATA_SERVICE_ENDPOINT")}, ${bold("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE")}`, "Where IMDS is, or IPv6 for its IPv6 address."),
    tagged(bold("NO_COLOR"), "No colours on a terminal."),
    subsection("Environment of imds", ...IMDS_VARIABLES.map(({ name, does }) => tagged(bold(name), `${does}.`))),
  ];
}

function files(): readonly string[] {
  const entry = (path: string, what: string): string => tagged(italic(path), sentence(what.replaceAll("`", "")));
  return [
    subsection("Written", ...WRITTEN.map(({ path, content }) => entry(path, content))),
    subsection("Read", ...READ.map(([path, what]) => entry(path, what))),
  ];
}

function sentence(phrase: string): string {
  return `${(phrase[0] ?? "").toUpperCase()}${phrase.slice(1)}.`;
}

const EXAMPLES = [
  ["As bootstrap.sh was called, from user data:", "eks-node-agent my-cluster --kubelet-extra-args '--node-labels=team=a'"],
  ["What would be written here, and why, as any user:", "eks-node-agent my-cluster --dry-run --explain"],
  ["The same at a desk, with the facts of a node:", "eks-node-agent facts my-cluster > facts.json\neks-node-agent my-cluster --dry-run --facts facts.json"],
  ["Why the last boot's run failed:", "journalctl -b -u eks-node-agent"],
] as const;
