import { optionsOf, valuedOptions, type Value, valueOfOption, wordsAfter } from "./completion-words.ts";
import { COMMANDS, type CommandName, type Option } from "./options.ts";

/** For a folder of $fish_complete_path, or `eks-node-agent completion fish | source`. */
export function showFishCompletion(): string {
  return `# Completion of eks-node-agent for fish: made from its table of options.

# The command that the words before the cursor name; "none" if there is none yet.
function __eks_node_agent_command
    set -l words (commandline -opc)
    set -l index 2
    while test $index -le (count $words)
        switch $words[$index]
            case ${valuedOptions().join(" ")}
                set index (math $index + 1)
            case '-*'
            case ${COMMANDS.map(({ name }) => name).join(" ")}
                echo $words[$index]
                return
            case '*'
                echo bootstrap
                return
        end
        set index (math $index + 1)
    end
    echo none
end

# Whether it is one of these.
function __eks_node_agent_in
    contains -- (__eks_node_agent_command) $argv
end

complete -c eks-node-agent -f
${COMMANDS.map(commandLine).join("")}${COMMANDS.map(({ name }) => wordsLine(name)).join("")}${optionLines()}`;
}

function commandLine({ name, does }: (typeof COMMANDS)[number]): string {
  return `complete -c eks-node-agent -n '__eks_node_agent_in none' -a ${name} -d ${quote(does)}\n`;
}

function wordsLine(command: CommandName): string {
  const words = wordsAfter(command);
  return words.length === 0 ? "" : `complete -c eks-node-agent -n '__eks_node_agent_in ${command}' -a ${quote(words.join(" "))}\n`;
}

/** One line for each row of the table: rows of one name differ by their commands. */
function optionLines(): string {
  const rows = new Set(COMMANDS.flatMap(({ name }) => optionsOf(name)));
  return [...rows].map(optionLine).join("");
}

function optionLine(option: Option): string {
  const { name, does, commands } = option;
  const value = valueOfOption(option);
  const places = [...(commands.includes("bootstrap") ? ["none"] : []), ...commands].join(" ");
  return `complete -c eks-node-agent -n '__eks_node_agent_in ${places}' -l ${name}${value === undefined ? "" : ` ${argumentOf(value)}`} -d ${quote(does)}\n`;
}

function argumentOf(value: Value): string {
  switch (value.kind) {
    case "words":
      return `-x -a ${quote(value.words.join(" "))}`;
    case "file":
      return "-r -F";
    case "folder":
      return "-x -a '(__fish_complete_directories)'";
    case "free":
      return "-x";
  }
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
