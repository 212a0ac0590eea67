import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundle, type Bundle, INDEX, MAIN } from "../../packaging/bundle.ts";

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
  const unwanted = { "yargs: tables of wide characters": "Intl.Segmenter", "yargs: translations": "locales", "undici: mocks": "MockAgent", "undici: bodies of fetch()": "multipartFormDataParser", "undici: its second parser": "BODY_KIND_CONTENT_LENGTH", "client-eks: other commands": "CreateClusterCommand" };
  expect(Object.entries(unwanted).filter(([, word]) => text.includes(word))).toEqual([]);
});

test("what signs a request has nothing of the SDK's clients", async () => {
  const files = await bundle("src/main.ts", "1.2.3", { main: { modules: ["src/main.ts"] }, sign: { modules: ["src/io/smithy.ts"] } });
  expect(files.get("sign.js")).toContain("AWS4-HMAC-SHA256");
  expect(files.get("sign.js")).not.toContain("HttpBindingProtocol");
});

test("what is behind import() is in a pack of its own, and the same sources give the same packs", async () => {
  writeFileSync(join(folder, "lazy.ts"), `export const name = "lazy";`);
  writeFileSync(join(folder, "main.ts"), `export const done = import("./lazy.ts").then(({ name }) => name);`);
  const files = await bundle(join(folder, "main.ts"), "1.2.3");
  expect([...files.keys()].sort()).toEqual(["index.json", expect.stringMatching(/^lazy-[A-Z0-9]{8}\.js$/), "main.js"]);
  expect(await bundle(join(folder, "main.ts"), "1.2.3")).toEqual(files);
});

test("parts lie together that the same stages have, and those of the first stage in its pack alone", async () => {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write("always.ts", `export const always = () => 1;`);
  write("shared.ts", `export const shared = () => 2;`);
  write("a.ts", `import { always } from "./always.ts"; import { shared } from "./shared.ts"; export const sum = always() + shared();`);
  write("b.ts", `import { always } from "./always.ts"; import { shared } from "./shared.ts"; export const sum = 10 * always() + shared();`);
  write("alone.ts", `import { shared } from "./shared.ts"; export const sum = shared();`);
  write("main.ts", `import { always } from "./always.ts"; export const done = Promise.all([import("./a.ts"), import("./b.ts"), import("./alone.ts")]).then((all) => all.map(({ sum }) => sum + always()));`);
  const files = await bundle(join(folder, "main.ts"), "1.2.3", { main: { modules: [`${folder}/main.ts`] }, a: { modules: [`${folder}/a.ts`] }, b: { modules: [`${folder}/b.ts`] } });
  expect([...files.keys()].map((name) => name.replace(/-[A-Z0-9]{8}/, "")).sort()).toEqual(["a+b.js", "a.js", "alone.js", "b.js", "index.json", "main.js"]);
  expect(await load(files, {}).done).toEqual([4, 13, 3]);
});

test("of two stages the one that always comes after the other has what only it has", async () => {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write("shared.ts", `export const shared = () => 2;`);
  write("a.ts", `import { shared } from "./shared.ts"; export const sum = 1 + shared();`);
  write("b.ts", `import { shared } from "./shared.ts"; export const sum = 10 + shared();`);
  write("main.ts", `export const done = Promise.all([import("./a.ts"), import("./b.ts")]).then((all) => all.map(({ sum }) => sum));`);
  const files = await bundle(join(folder, "main.ts"), "1.2.3", { main: { modules: [`${folder}/main.ts`] }, a: { modules: [`${folder}/a.ts`] }, b: { modules: [`${folder}/b.ts`], after: "a" } });
  expect([...files.keys()].sort()).toEqual(["a.js", "b.js", "index.json", "main.js"]);
  expect(files.get("a.js")).toContain("()=>2");
  expect(await load(files, {}).done).toEqual([3, 12]);
});

test("a stage with a module that is behind no import() is refused", async () => {
  writeFileSync(join(folder, "main.ts"), `console.log("start");`);
  await expect(bundle(join(folder, "main.ts"), "1.2.3", { main: { modules: ["src/gone.ts"] } })).rejects.toThrow(`no part of the bundle begins with "src/gone.ts"`);
});

test("the names of a CommonJS package are its own behind import() as well", async () => {
  expect(await output(`export const done = import("undici").then(({ Agent, EnvHttpProxyAgent }) => console.log(typeof new Agent().dispatch, typeof new EnvHttpProxyAgent().connect));`)).toEqual(["function function"]);
});

/** What a program writes by console.log when it is bundled and run as the loader does. */
async function output(program: string): Promise<string[]> {
  writeFileSync(join(folder, "main.ts"), program);
  const files = await bundle(join(folder, "main.ts"), "1.2.3");
  expect([...files.values()].filter((text) => /[^\x00-\x7f]/.test(text))).toEqual([]);
  const lines: string[] = [];
  const { done } = load(files, { process, Buffer, console: { log: (...values: unknown[]) => lines.push(values.join(" ")) } });
  await done;
  return lines;
}

function load(files: Bundle, globals: object): { readonly done?: Promise<unknown> } {
  const context = createContext(globals);
  const packOf = JSON.parse(files.get(INDEX) ?? "") as Record<string, string>;
  const modules = new Map<string, { exports: object }>();
  const ofNode = createRequire(import.meta.url);
  const requireAny = (name: string): object => (name.startsWith("./") ? (modules.get(name) ?? evaluate(name)).exports : (ofNode(name) as object));
  const evaluate = (name: string): { exports: object } => {
    const module = { exports: {} };
    modules.set(name, module);
    const parts = new Script(files.get(packOf[name] ?? "") ?? "").runInContext(context) as Record<string, (...values: unknown[]) => void>;
    parts[name]?.(module.exports, requireAny, module, "/app", "/");
    return module;
  };
  return requireAny(`./${MAIN}`);
}
