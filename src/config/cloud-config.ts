import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import { PATHS } from "../lib/paths.ts";
import { readShellCommands, type ShellCommand } from "../lib/shell-commands.ts";
import { literalWord } from "../lib/shell-words.ts";
import { parseYaml, type YamlDocument } from "../lib/yaml.ts";
import { parseConfigText } from "./config-text.ts";
import { parseEksctlFiles } from "./eksctl-files.ts";
import { decodeBase64, decodeUtf8, unwrap } from "./inflate.ts";
import { type ConfigLayer, joinLayers } from "./layer.ts";
import { KEEP, type Loss } from "./loss.ts";
import { EMPTY_READING, readCommands, readScript, type ScriptReading } from "./script.ts";

export type CloudConfigReading = ScriptReading & { readonly layer: ConfigLayer };

/**
 * What a cloud-config writes and runs: NodeConfigs and eksctl's files as they are, and calls of bootstrap.sh in its commands, or in
 * scripts that it writes and runs. Undefined for what is no cloud-config in YAML.
 */
export function readCloudConfig(text: string, source: string): CloudConfigReading | undefined {
  const document = parseYaml(text);
  if ("fault" in document || !isJsonObject(document.value)) return undefined;
  const files = filesOf(document.value, source);
  const called = new Set<string>();
  const commands = commandsOf(document.value["runcmd"], document);
  const reading = readCommands(commands, (line) => `${source}, line ${line}`, (path) => callFile(path, files, called));
  const others = [...files.filter(({ path, text }) => !called.has(path) && (text === undefined || !isConfiguration(path))).map(({ place }) => place), ...otherKeys(document.value, source)];
  return { ...reading, losses: [...others.map((what) => ({ what, instead: KEEP })), ...reading.losses], layer: joinLayers([layerOfNodeConfigs(files), layerOfEksctl(files)]) };
}

type WrittenFile = {
  readonly path: string;
  /** "user-data, file /etc/x" */
  readonly place: string;
  /** Undefined for what is no text. */
  readonly text: string | undefined;
};

function filesOf({ write_files: files }: JsonObject, source: string): readonly WrittenFile[] {
  const entries = Array.isArray(files) ? files.filter((entry: JsonValue) => isJsonObject(entry)) : [];
  return entries.map((entry) => {
    const path = textOf(entry["path"]);
    return { path, place: `${source}, file ${path}`, text: contentOf(textOf(entry["content"]), textOf(entry["encoding"])) };
  });
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** As cloud-init has it: gz, gzip, b64, base64, gz+b64 and so on; anything else is plain text. */
function contentOf(content: string, encoding: string): string | undefined {
  if (!/^(?:gz|gzip|b64|base64)\b/i.test(encoding)) return content;
  const bytes = decodeBase64(content);
  const inner = bytes === undefined || !/gz/i.test(encoding) ? { bytes } : unwrap(bytes);
  return "fault" in inner || inner.bytes === undefined ? undefined : decodeUtf8(inner.bytes);
}

const EKSCTL = /^\/(?:etc\/eksctl|var\/lib\/cloud\/scripts\/eksctl)\//;

function isConfiguration(path: string): boolean {
  return EKSCTL.test(path) || isNodeConfigPath(path);
}

function isNodeConfigPath(path: string): boolean {
  return [PATHS.nodeadmDropIns, PATHS.agentDropIns].some((folder) => path.startsWith(`${folder}/`));
}

function layerOfNodeConfigs(files: readonly WrittenFile[]): ConfigLayer {
  return joinLayers(files.flatMap(({ path, place, text }) => (text !== undefined && isNodeConfigPath(path) ? [parseConfigText({ source: place, text, givenAs: "file" })] : [])));
}

function layerOfEksctl(files: readonly WrittenFile[]): ConfigLayer {
  const fileAt = (wanted: string) => {
    const found = files.findLast(({ path, text }) => path === wanted && text !== undefined);
    return found?.text === undefined ? undefined : { source: found.place, text: found.text };
  };
  return parseEksctlFiles(fileAt(PATHS.eksctlKubeletEnv), fileAt(PATHS.eksctlKubeletExtra));
}

/** eksctl's own scripts do what the agent does with its files. */
function callFile(path: string, files: readonly WrittenFile[], called: Set<string>): ScriptReading | undefined {
  if (EKSCTL.test(path)) return EMPTY_READING;
  const file = files.find((written) => written.path === path && /^#!.*sh\b/.test(written.text ?? ""));
  if (file?.text === undefined) return undefined;
  called.add(path);
  return readScript(file.text, file.place);
}

/** cloud-init makes one script of all: lists are commands word by word, texts are for the shell. */
function commandsOf(runcmd: JsonValue | undefined, { lineOf }: YamlDocument): readonly ShellCommand[] {
  if (!Array.isArray(runcmd)) return [];
  return runcmd.flatMap((item: JsonValue, index): readonly ShellCommand[] => {
    const line = lineOf(["runcmd", index]) ?? 1;
    if (Array.isArray(item)) return [{ words: item.map((word) => literalWord(String(word))), after: "", text: item.map(String).join(" "), line }];
    return typeof item === "string" ? readShellCommands(item).map((command) => ({ ...command, line })) : [];
  });
}

function otherKeys(document: JsonObject, source: string): readonly Loss["what"][] {
  return Object.keys(document).filter((key) => key !== "runcmd" && key !== "write_files").map((key) => `${source}, ${key}`);
}
