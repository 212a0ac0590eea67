import { optionsOf, valuedOptions, valueOfOption, wordsAfter } from "./completion-words.ts";
import { COMMANDS, type CommandName, type Option } from "./options.ts";

/** For a folder of $fpath, as _eks-node-agent. */
export function showZshCompletion(): string {
  return `#compdef eks-node-agent
# Completion of eks-node-agent for zsh: made from its table of options.

_eks-node-agent() {
  local command=''
  integer index=2
  local -a commands=(
${COMMANDS.map(({ name, does }) => `    ${quote(`${name}:${does}`)}\n`).join("")}  )
  while (( index < CURRENT )); do
    case $words[index] in
      (${valuedOptions().join("|")}) (( index += 1 )) ;;
      (-*) ;;
      (${COMMANDS.map(({ name }) => name).join("|")}) command=$words[index]; break ;;
      (*) command=cluster; break ;;
    esac
    (( index += 1 ))
  done
  case $command in
    ('') _arguments ${argumentsOf("bootstrap", ["1:command:->first"])}
      if [[ $state == first ]]; then _describe -t commands command commands; fi ;;
    (cluster) _arguments ${argumentsOf("bootstrap", ["1: :"])} ;;
${COMMANDS.map(({ name }) => `    (${name}) _arguments ${argumentsOf(name, ["1: :", positional(name)])} ;;\n`).join("")}  esac
}

if [[ $funcstack[1] == _eks-node-agent ]]; then
  _eks-node-agent "$@"
else
  compdef _eks-node-agent eks-node-agent
fi
`;
}

function argumentsOf(command: CommandName, positionals: readonly string[]): string {
  return [...positionals, ...optionsOf(command).map(optionSpec)].map((spec) => `\\\n      ${quote(spec)}`).join(" ");
}

function positional(command: CommandName): string {
  const words = wordsAfter(command);
  return words.length === 0 ? "2: :" : `2: :(${words.join(" ")})`;
}

function optionSpec(option: Option): string {
  const { name, does, placeholder, collects } = option;
  const shown = `[${does.replace(/[\\[\]]/g, "\\$&")}]`;
  if (placeholder === undefined) return `--${name}${shown}`;
  return `${collects === true ? "*" : ""}--${name}=${shown}:${placeholder.replaceAll(":", "\\:")}:${actionOf(option)}`;
}

function actionOf(option: Option): string {
  const value = valueOfOption(option);
  switch (value?.kind) {
    case "words":
      return `(${value.words.map((word) => word.replaceAll(":", "\\:")).join(" ")})`;
    case "file":
      return "_files";
    case "folder":
      return "_files -/";
    case "free":
    case undefined:
      return "";
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
