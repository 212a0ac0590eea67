import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findTool } from "../../packaging/tool.ts";
import { showCompletion } from "../../src/cli/completion.ts";
import type { Shell } from "../../src/cli/completion-shell.ts";
import { parseCommandLine } from "../../src/cli/flags.ts";
import { COMMANDS, OPTIONS, SHELLS, type CommandName } from "../../src/cli/options.ts";

const folder = mkdtempSync(join(tmpdir(), "completion-"));
const scriptOf = (shell: string): string => join(folder, `script.${shell}`);

beforeAll(() => {
  for (const shell of SHELLS) writeFileSync(scriptOf(shell), showCompletion(shell));
  mkdirSync(join(folder, "images"));
  writeFileSync(join(folder, "in a row.json"), "{}");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What each shell offers when Tab is pressed after each of the lines. */
const OFFERS: Readonly<Record<Shell, (lines: readonly string[]) => readonly string[]>> = {
  bash: (lines) => lines.map(offersOfBash),
  zsh: (lines) => {
    const output = join(folder, "offered");
    execFileSync("zsh", ["-f", join(import.meta.dirname, "complete-in-zsh.zsh"), scriptOf("zsh"), output, ...lines], { cwd: folder });
    return readFileSync(output, "utf8").split("==\n");
  },
  fish: (lines) => {
    const each = 'source $argv[1]; for line in $argv[2..]; complete -C "$line"; echo ==; end';
    const offered = execFileSync("fish", ["--no-config", "-c", each, scriptOf("fish"), ...lines], { cwd: folder, encoding: "utf8", env: { ...process.env, HOME: folder } });
    return offered.replace(/\t.*$/gm, "").split("==\n");
  },
};

function offersOfBash(line: string): string {
  // bash hands the words over as it splits them, "=" apart.
  const words = line.split(/(=)| /).filter((word) => word !== undefined);
  const after = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _eks_node_agent; printf "%s\\n" "${COMPREPLY[@]}"';
  return execFileSync("bash", ["--noprofile", "--norc", "-c", after, "bash", scriptOf("bash"), ...words], { cwd: folder, encoding: "utf8" });
}

const optionsOf = (command: CommandName): string[] => [...new Set(OPTIONS.filter(({ commands }) => commands.includes(command)).map(({ name }) => `--${name}`))].sort();
const names: readonly string[] = COMMANDS.map(({ name }) => name);

const CASES: readonly (readonly [why: string, line: string, offered: readonly string[]])[] = [
  ["nothing yet: the commands", "eks-node-agent ", names],
  ["the beginning of a command", "eks-node-agent comp", ["completion"]],
  ["the beginning of an option without a command: those of bootstrap", "eks-node-agent --dry", ["--dry-run"]],
  ["all options of bootstrap", "eks-node-agent my-cluster --", optionsOf("bootstrap")],
  ["all options of another command", "eks-node-agent max-pods --", optionsOf("max-pods")],
  ["an option of another command is not offered", "eks-node-agent token --dry", []],
  ["the values of an option", "eks-node-agent my-cluster --preflight ", ["error", "warn"]],
  ["the beginning of a value", "eks-node-agent my-cluster --authenticator ag", ["agent"]],
  ["an option's value is no command", "eks-node-agent --cluster-id facts --node-n", ["--node-name", "--node-name-source"]],
  ["a command after an option's value", "eks-node-agent --log-level debug max-pods --cni-max", ["--cni-max-eni"]],
  ["files for an option that takes a path", "eks-node-agent my-cluster --facts in", ["in a row.json"]],
  ["folders only for --root", "eks-node-agent --root i", ["images"]],
  ["words that the command takes as they are", "eks-node-agent completion ", [...SHELLS]],
  ["a word of IMDS", "eks-node-agent imds tok", ["token"]],
  ["a value that only the operator knows", "eks-node-agent --b64-cluster-ca ", []],
];

describe.each(SHELLS)("%s", (shell) => {
  const missing = findTool(shell) === undefined;
  test.skipIf(missing)(`offers what may follow${missing ? " (skipped: it is not installed)" : ""}`, () => {
    const offered = OFFERS[shell](CASES.map(([, line]) => line));
    expect(CASES.map(([why], index) => [why, wordsOf(offered[index] ?? "")])).toEqual(CASES.map(([why, , words]) => [why, [...words].sort()]));
  });
});

test("in bash the value after an equals sign", () => {
  expect(offersOfBash("eks-node-agent my-cluster --wait=")).toBe("none\nactive\nhealthy\n");
  expect(offersOfBash("eks-node-agent my-cluster --wait=act")).toBe("active\n");
});

test.each([
  ["no shell", ["completion"], "The shell is missing: bash, zsh or fish"],
  ["another shell", ["completion", "tcsh"], 'Cannot use "tcsh" as a shell: expected bash, zsh or fish'],
  ["a word too many", ["completion", "bash", "zsh"], '"zsh" is one word too many: the shell is "bash" already'],
])("%s is refused", async (_, argv, message) => {
  await expect(parseCommandLine(argv, {})).rejects.toMatchObject({ code: "usage", message });
});

/** zsh escapes spaces, and fish ends folders with a slash. */
function wordsOf(offered: string): string[] {
  return [...new Set(offered.split("\n").filter((word) => word !== "").map((word) => word.replaceAll("\\ ", " ").replace(/\/$/, "")))].sort();
}
