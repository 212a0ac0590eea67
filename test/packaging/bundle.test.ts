import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundle, type Bundle, MAIN } from "../../packaging/bundle.ts";

let folder: string;

/** Under build, since a bundle finds its packages upwards from its sources. */
beforeEach(() => {
  mkdirSync("build", { recursive: true });
  folder = mkdtempSync("build/bundle-");
});

afterEach(() => rmSync(folder, { recursive: true }));

test("a module behind import() is evaluated when it is first asked for", async () => {
  writeFileSync(join(folder, "lazy.ts"), `console.log("lazy is evaluated"); export const name = "lazy";`);
  const said = await output(`console.log("start"); export const done = import("./lazy.ts").then(({ name }) => console.log(name)); console.log("end");`);
  expect(said).toEqual(["start", "end", "lazy is evaluated", "lazy"]);
});

test("a module of Node.js behind import() is required, since a script of node:vm cannot import", async () => {
  expect(await output(`export const done = import("node:path").then(({ sep }) => console.log(sep));`)).toEqual(["/"]);
});

test("the version is in it, and text beyond ASCII comes out as it was, in a regular expression too", async () => {
  writeFileSync(join(folder, "say.ts"), `export const text = "größer → ✓"; export const found = /^.*→ (✓|😀)$/u.exec(text)?.[1];`);
  const said = await output(`import { VERSION } from "../../src/version.ts"; import { text, found } from "./say.ts"; console.log(VERSION, text, found);`);
  expect(said).toEqual(["1.2.3 größer → ✓ ✓"]);
});

test("the stack of an error has the names of the functions", async () => {
  const said = await output(`function resolveEverything() { throw new Error("lost"); } try { resolveEverything(); } catch (error) { console.log(error.stack.split("\\n")[1].trim()); }`);
  expect(said).toEqual([expect.stringMatching(/^at resolveEverything \(/)]);
});

test("yargs writes its help without its own module for Node.js, wrapped to the width", async () => {
  const said = await output(`
    import yargs from "yargs";
    const parser = yargs([]).scriptName("agent").wrap(50).exitProcess(false).usage("$0 [options]")
      .option("config-source", { type: "string", describe: "where the configuration comes from, which may be given several times" })
      .option("dry-run", { type: "boolean", default: false, describe: "change nothing" });
    export const done = parser.getHelp().then(console.log);
  `);
  expect(said.join("\n")).toBe(
    [
      "agent [options]",
      "",
      "Options:",
      "  --help           Show help             [boolean]",
      "  --version        Show version number   [boolean]",
      "  --config-source  where the configuration comes",
      "                   from, which may be given",
      "                   several times          [string]",
      "  --dry-run        change nothing",
      "                        [boolean] [default: false]",
    ].join("\n"),
  );
});

test("the agent's bundle has nothing of what the stand-ins are there for", async () => {
  const text = [...(await bundle("src/main.ts", "1.2.3")).values()].join("");
  const unwanted = { "yargs: tables of wide characters": "Intl.Segmenter", "yargs: translations": "locales", "undici: mocks": "MockAgent", "client-eks: other commands": "CreateClusterCommand" };
  expect(Object.entries(unwanted).filter(([, word]) => text.includes(word))).toEqual([]);
});

test("what is behind import() is in a part of its own, and the same sources give the same parts", async () => {
  writeFileSync(join(folder, "lazy.ts"), `export const name = "lazy";`);
  writeFileSync(join(folder, "main.ts"), `export const done = import("./lazy.ts").then(({ name }) => name);`);
  const parts = await bundle(join(folder, "main.ts"), "1.2.3");
  expect([...parts.keys()]).toEqual([expect.stringMatching(/^lazy-[A-Z0-9]{8}\.js$/), "main.js"]);
  expect(await bundle(join(folder, "main.ts"), "1.2.3")).toEqual(parts);
});

test("the names of a CommonJS package are its own behind import() as well", async () => {
  expect(await output(`export const done = import("undici").then(({ Agent, EnvHttpProxyAgent }) => console.log(typeof new Agent().request, typeof new EnvHttpProxyAgent().request));`)).toEqual(["function function"]);
});

/** What a program writes by console.log when it is bundled and run as the loader does. */
async function output(program: string): Promise<string[]> {
  writeFileSync(join(folder, "main.ts"), program);
  const parts = await bundle(join(folder, "main.ts"), "1.2.3");
  expect([...parts.values()].filter((text) => /[^\x00-\x7f]/.test(text))).toEqual([]);
  const lines: string[] = [];
  const { done } = load(parts, { process, Buffer, console: { log: (...values: unknown[]) => lines.push(values.join(" ")) } });
  await done;
  return lines;
}

function load(parts: Bundle, globals: object): { readonly done?: Promise<void> } {
  const context = createContext(globals);
  const modules = new Map<string, { exports: object }>();
  const ofNode = createRequire(import.meta.url);
  const requireAny = (name: string): object => (name.startsWith("./") ? (modules.get(name) ?? evaluate(name)).exports : (ofNode(name) as object));
  const evaluate = (name: string): { exports: object } => {
    const module = { exports: {} };
    modules.set(name, module);
    const run = new Script(parts.get(name.slice(2)) ?? "").runInContext(context) as (...values: unknown[]) => void;
    run(module.exports, requireAny, module, "/app", "/");
    return module;
  };
  return requireAny(`./${MAIN}`);
}
