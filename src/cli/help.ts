import { showTable } from "./help-table.ts";
import { COMMANDS, IMDS_VARIABLES, OPTIONS, VARIABLES, type CommandName, type Option } from "./options.ts";
import { wrap } from "./wrap.ts";

/** The text of `--help` for one command, at most 80 columns wide, with a final newline. */
export function showHelp(command: CommandName): string {
  return `${[...intro(command), ...options(command), ...environment(command), ...(command === "bootstrap" ? [EXAMPLES] : [])].join("\n\n")}\n`;
}

function options(command: CommandName): string[] {
  const taken = OPTIONS.filter(({ commands }) => commands.includes(command));
  const rows = (wanted: Option["group"]) => taken.filter(({ group }) => group === wanted).map(optionRow);
  if (rows("bootstrap.sh").length === 0) return [section("Options", rows("agent"))];
  return [section("Options of bootstrap.sh", rows("bootstrap.sh")), section("Options of the agent", rows("agent"))];
}

function environment(command: CommandName): string[] {
  if (command === "bootstrap") return [variables()];
  return command === "imds" ? [section("Environment", IMDS_VARIABLES.map(({ name, does }) => [name, does]))] : [];
}

function intro(command: CommandName): string[] {
  const { name, takes, does } = COMMANDS.find((candidate) => candidate.name === command) ?? COMMANDS[0];
  if (name !== "bootstrap") return [wrap(`${does}.`).join("\n"), `Usage: ${["eks-node-agent", name, ...inOrder(takes)].filter((word) => word !== "").join(" ")}`];
  return [
    wrap("eks-node-agent joins an EC2 instance to its EKS cluster: it reads the node's configuration, writes it out, and starts containerd and kubelet.").join("\n"),
    `Usage: eks-node-agent [bootstrap] ${takes} [OPTION]...\n       eks-node-agent COMMAND [OPTION]...`,
    section("Commands", COMMANDS.map((row) => [row.name, row.does])),
  ];
}

/** What stands after two dashes is no option. */
function inOrder(takes: string): readonly string[] {
  return takes.startsWith("[--") ? ["[OPTION]...", takes] : [takes, "[OPTION]..."];
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  return [`${title}:`, ...showTable(rows)].join("\n");
}

function optionRow({ name, placeholder, does, standard }: Option): readonly [string, string] {
  const left = placeholder === undefined ? `--${name}` : `--${name} ${placeholder}`;
  return [name === "help" ? `-h, ${left}` : left, standard === undefined ? does : `${does} (default: ${standard})`];
}

function variables(): string {
  const ofOptions = OPTIONS.flatMap(({ variable }) => variable ?? []);
  const sentence =
    "Read when the command line names the cluster. An option beats its variable, but the flags of KUBELET_EXTRA_ARGS are kept, " +
    `before the option's: ${ofOptions.join(", ")}.`;
  const others = VARIABLES.map(({ name, does }) => [name, does] as const);
  return ["Environment:", ...wrap(sentence, "  "), "", ...showTable(others)].join("\n");
}

const EXAMPLES = `Examples:
  As bootstrap.sh was called, from user data:
    eks-node-agent my-cluster --kubelet-extra-args '--node-labels=team=a'

  With the NodeConfig documents of the user data:
    eks-node-agent

  What would be written here, and why:
    eks-node-agent my-cluster --dry-run --explain

  The same at a desk, with the facts of a node:
    eks-node-agent facts my-cluster > facts.json
    eks-node-agent my-cluster --dry-run --facts facts.json`;
