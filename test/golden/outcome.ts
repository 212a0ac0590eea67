import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { judgeFindings, refuseErrors } from "../../src/cli/judge-findings.ts";
import { parseCommandLine } from "../../src/cli/flags.ts";
import { loadConfig } from "../../src/cli/load-config.ts";
import { loadMaxPodsEvaluator } from "../../src/cli/max-pods-evaluator.ts";
import { replayFacts } from "../../src/cli/replayed-facts.ts";
import { AgentError } from "../../src/errors.ts";
import type { Finding } from "../../src/preflight/finding.ts";
import { preflight } from "../../src/preflight/preflight.ts";
import { render } from "../../src/render/plan.ts";
import { resolveNode } from "../../src/resolve/node.ts";
import { type Note, noteList } from "../../src/resolve/notes.ts";
import { CLUSTER_CA_PEM } from "../simulator/world.ts";
import { sortTree, type Tree } from "./tree.ts";

/** What comes of a case, by the same steps as a run: the files, and the notes beside them; or the error. */
export async function outcomeOf(folder: string): Promise<Tree> {
  try {
    return await filesOf(folder);
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return new Map([["error.txt", hidePlace(folder, showError(error))]]);
  }
}

async function filesOf(folder: string): Promise<Tree> {
  const command = await parseCommandLine(lines(folder, "args").map((word) => showPlace(folder, word)), environmentOf(folder));
  if (command.kind !== "bootstrap") throw new Error(`a case is a bootstrap, not ${command.kind}`);
  const { notes, add } = noteList();
  const loaded = await loadConfig(command.flags, { root: join(folder, "root"), userData: () => Promise.resolve(userDataOf(folder)) }, add);
  if (loaded === undefined) throw new Error("a case configures something");
  const facts = await replayFacts(join(folder, "facts.json"), loaded.config);
  const node = resolveNode(loaded.config, facts, await loadMaxPodsEvaluator(loaded.config));
  const findings = judgeFindings(preflight(node), command.flags.preflight);
  refuseErrors(findings);
  const plan = render(node);
  const files = plan.files.map(({ path, contents }) => [path.slice(1), contents] as const);
  const blocks = plan.blocks.map(({ path, lines: block }) => [`${path.slice(1)}.block`, block.map((line) => `${line}\n`).join("")] as const);
  const shown = [...[...notes, ...node.notes].map(showNote), ...findings.map(showFinding)];
  return sortTree([...files, ...blocks, ["notes.txt", hidePlace(folder, shown.map((line) => `${line}\n`).join(""))]]);
}

/** @GZIP(x)@ and @BASE64(x)@ stand for what they do to a file of the case, or to another of them. */
function userDataOf(folder: string): Buffer | undefined {
  return existsSync(join(folder, "user-data")) ? Buffer.from(expand(folder, readBytes(folder, "user-data")), "latin1") : undefined;
}

const WRAPPING = /@(GZIP|BASE64)\(([^()@]+|@[^@]+@)\)@/g;

function expand(folder: string, text: string): string {
  return showPlace(folder, text).replace(WRAPPING, (_, how: string, what: string) => {
    const inner = Buffer.from(what.startsWith("@") ? expand(folder, what) : expand(folder, readBytes(folder, what)), "latin1");
    return how === "GZIP" ? gzipSync(inner).toString("latin1") : inner.toString("base64");
  });
}

/** One character for each byte. */
function readBytes(folder: string, name: string): string {
  return readFileSync(join(folder, name), "latin1");
}

function environmentOf(folder: string): Record<string, string> {
  const pairs = lines(folder, "environment").map((line) => {
    const equals = line.indexOf("=");
    return [line.slice(0, equals), showPlace(folder, line.slice(equals + 1))] as const;
  });
  return Object.fromEntries(pairs);
}

function lines(folder: string, name: string): readonly string[] {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, "utf8").replace(/\n$/, "").split("\n") : [];
}

function showPlace(folder: string, text: string): string {
  return text.replaceAll("@CASE@", folder).replaceAll("@CA@", Buffer.from(CLUSTER_CA_PEM).toString("base64"));
}

function hidePlace(folder: string, text: string): string {
  return text.replaceAll(folder, "@CASE@");
}

function showNote({ code, message }: Note): string {
  return `${code}: ${message}`;
}

function showFinding({ severity, code, message, source, remedy }: Finding): string {
  return `preflight ${severity} ${code}: ${message} (${source}). ${remedy}`;
}

function showError({ code, exitStatus, message, lines: details, remedy }: AgentError): string {
  return [`${code}, exit ${exitStatus}`, message, ...details.map((line) => `  ${line}`), `Remedy: ${remedy}`, ""].join("\n");
}
