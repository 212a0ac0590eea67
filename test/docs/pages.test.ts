import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../packaging/project.ts";
import { type Block, blocksOf } from "./blocks.ts";
import { boot } from "./cloud-init.ts";
import { type DocsNode, IF_SKIPPED, makeDocsNode, NO_DOCS_NODE } from "./docs-node.ts";
import { packerCommands, type UserData, userDataOf } from "./documents.ts";
import { PAGES, WITHOUT_BLOCKS } from "./pages.ts";

import "../build.ts";

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

const files = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)].sort();

const IS_RUN = ["sh", "console"];

/** How a block of tasks of the project begins; the others are for a node. */
const TASK = "npm ";

test("every page says in pages.ts how its blocks are run", () => {
  expect([...Object.keys(PAGES), ...Object.keys(WITHOUT_BLOCKS)].sort()).toEqual(files);
  const blocks = Object.keys(WITHOUT_BLOCKS).flatMap((file) => blocksOf(read(file)).filter(({ language }) => language !== "text"));
  expect(blocks).toEqual([]);
});

test("every link leads to a file, and to a heading in it", () => {
  const broken = files.flatMap((file) => linksOf(read(file)).filter((link) => !leadsSomewhere(file, link)).map((link) => `${file}: ${link}`));
  expect(broken).toEqual([]);
});

let node: DocsNode;
beforeAll(async () => {
  if (NO_DOCS_NODE === undefined) node = await makeDocsNode();
});
afterAll(() => (NO_DOCS_NODE === undefined ? node.close() : undefined));

const needsRoot = test.skipIf(NO_DOCS_NODE !== undefined);

describe.each(Object.entries(PAGES))("%s", (file, page) => {
  const blocks = blocksOf(read(file));
  const { before = "", environment = {} } = page;

  const commands = blocks.filter((block) => IS_RUN.includes(block.language) && !block.text.startsWith(TASK));
  needsRoot.each(commands.map((block) => [block.line, block] as const))(`line %i: the commands do what they should${IF_SKIPPED}`, async (_, block) => {
    if (block === commands[0]) {
      node.reset(read("docs/examples/node-config.yaml"));
      await runWell(before, environment);
    }
    if (block.language === "sh") await runWell(`${functionsIn(before)}${block.text}`, environment);
    else await compareConsole(block.text, environment);
  });

  const tasks = blocks.filter(({ text }) => text.startsWith(TASK)).flatMap(commandsOf);
  test("the tasks in it are those that pages.ts names", () => {
    expect(new Set(tasks)).toEqual(new Set(Object.keys(page.tasks ?? {})));
  });

  test.each(Object.entries(page.tasks ?? {}).map(([command, task]) => [command, "runBy" in task ? `is run by ${task.runBy}` : `is a task; no test runs it, since ${task.notRun}`, task] as const))("`%s` %s", (command, _, task) => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Readonly<Record<string, string>> };
    expect(Object.keys(scripts)).toContain(/^npm (?:run )?(\w+)$/.exec(command)?.[1]);
    if ("runBy" in task) expect(read(task.runBy)).toMatch(new RegExp(`\\b(run|start)Task\\("${command}"\\)`));
  });

  const documents = blocks.filter(({ language }) => ![...IS_RUN, "text"].includes(language));
  test.each(documents.map((block) => [block.line, block] as const))("line %i: it is well formed, and the user data in it boots a node", async (_, block) => {
    const userData = userDataOf(block.language, block.text);
    if (NO_DOCS_NODE !== undefined) return;
    for (const each of userData) await bootWell(each);
    for (const command of packerCommands(block.text)) await runWell(command);
  });
});

describe(`docs/examples${IF_SKIPPED}`, () => {
  needsRoot.each(readdirSync(join(ROOT, "docs/examples")))("%s boots a node", async (name) => {
    const text = read(`docs/examples/${name}`);
    await bootWell({ text, withUnit: !text.includes("bootstrap.sh") });
  });
});

/** A block's lines without their comments. */
function commandsOf({ text }: Block): readonly string[] {
  return text.trimEnd().split("\n").map((line) => line.replace(/\s+#.*$/, ""));
}

/** What a page needs done before may be the making of a stub for a program. */
function functionsIn(before: string): string {
  return /^\w+\(\) \{.*\n?/m.exec(before)?.[0].concat("\n") ?? "";
}

async function runWell(script: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  expect(spawnSync("bash", ["-n"], { input: script, encoding: "utf8" }).stderr).toBe("");
  const { status, stdout, stderr } = await node.shell(script, { environment });
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

/** `$ command`, and below it what it prints, whatever it exits with. */
async function compareConsole(text: string, environment: Readonly<Record<string, string>>): Promise<void> {
  for (const part of text.split(/^\$ /m).slice(1)) {
    const [command = "", ...shown] = part.split("\n");
    const { stdout } = await node.shell(`set +o errexit +o pipefail\n${command}`, { environment });
    expect(stdout).toBe(shown.join("\n"));
  }
}

/** Every step of the boot ends well, and the node is one of the cluster with what the user data asked for. */
async function bootWell({ text, withUnit, files: given = {} }: UserData): Promise<void> {
  node.reset(text);
  for (const [path, contents] of Object.entries(given)) node.write(path, contents);
  const { steps } = await boot(node, text, withUnit);
  expect(steps.filter(({ status }) => status !== 0)).toEqual([]);
  const configured = node.managedFiles();
  expect(configured["/var/lib/kubelet/kubeconfig"]).toContain("my-cluster");
  expect(configured["/root/signals"] ?? "").not.toMatch(/--exit-code [^0]/);
  const args = Object.entries(configured).filter(([path]) => path.includes("kubelet.service.d")).map(([, contents]) => contents).join("");
  expect(labelsIn(text).filter((label) => !args.includes(label))).toEqual([]);
}

function labelsIn(text: string): readonly string[] {
  return [...text.matchAll(/--node-labels=([\w./=,-]+)/g)].flatMap(([, labels = ""]) => labels.split(","));
}

function linksOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link).filter((link) => !/^https?:/.test(link));
}

function leadsSomewhere(file: string, link: string): boolean {
  const [path = "", heading] = link.split("#");
  const target = path === "" ? file : join(file, "..", path);
  return existsSync(join(ROOT, target)) && (heading === undefined || headingsOf(read(target)).includes(heading));
}

/** As GitHub names them. */
function headingsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => title.toLowerCase().replace(/[^\w\s-]/g, "").replaceAll(" ", "-"));
}
