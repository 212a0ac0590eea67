import { optionsOf, valuedOptions, type Value, valueOfOption, wordsAfter } from "./completion-words.ts";
import { COMMANDS, OPTIONS } from "./options.ts";

/** For /usr/share/bash-completion/completions/eks-node-agent, or `source <(eks-node-agent completion bash)`. */
export function showBashCompletion(): string {
  return `# Completion of eks-node-agent for bash: made from its table of options.

_eks_node_agent() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' index=1 words=''
  COMPREPLY=()
  # bash takes --name=value apart into three words.
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  while ((index < COMP_CWORD)); do
    case \${COMP_WORDS[index]} in
      ${valuedOptions().join(" | ")})
        if [[ \${COMP_WORDS[index+1]} == = ]]; then index=$((index + 1)); fi
        index=$((index + 1))
        ;;
      -*) ;;
      ${names().join(" | ")})
        command=\${COMP_WORDS[index]}
        break
        ;;
      *)
        command=bootstrap
        break
        ;;
    esac
    index=$((index + 1))
  done
  case "\${command:-bootstrap} $previous" in
${valueCases()}  esac
  if [[ $current == -* ]]; then
    case \${command:-bootstrap} in
${COMMANDS.map(({ name }) => `      ${name}) words='${optionsOf(name).map((option) => `--${option.name}`).join(" ")}' ;;\n`).join("")}    esac
  else
    case $command in
      '') words='${names().join(" ")}' ;;
${names().flatMap(wordsCase).join("")}    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -F _eks_node_agent eks-node-agent
`;
}

function names(): readonly (typeof COMMANDS)[number]["name"][] {
  return COMMANDS.map(({ name }) => name);
}

function wordsCase(name: (typeof COMMANDS)[number]["name"]): string[] {
  const words = wordsAfter(name);
  return words.length === 0 ? [] : [`      ${name}) words='${words.join(" ")}' ;;\n`];
}

/** A branch for each kind of value, with the options that take it in the commands that have them. */
function valueCases(): string {
  const uses = OPTIONS.flatMap((option) => {
    const value = valueOfOption(option);
    return value === undefined ? [] : option.commands.map((command) => ({ reply: replyWith(value), place: `'${command} --${option.name}'` }));
  });
  return [...Map.groupBy(uses, ({ reply }) => reply)].map(([reply, places]) => `    ${places.map(({ place }) => place).join(" | ")})\n${reply}      return\n      ;;\n`).join("");
}

function replyWith(value: Value): string {
  const compgen = (how: string) => `      mapfile -t COMPREPLY < <(compgen ${how} -- "$current")\n`;
  switch (value.kind) {
    case "words":
      // After file:// comes a path.
      return `${value.words.some((word) => word.endsWith("/")) ? "      compopt -o nospace 2>/dev/null\n" : ""}${compgen(`-W '${value.words.join(" ")}'`)}`;
    case "file":
      return `      compopt -o filenames 2>/dev/null\n${compgen("-f")}`;
    case "folder":
      return `      compopt -o filenames 2>/dev/null\n${compgen("-d")}`;
    case "free":
      return "";
  }
}
