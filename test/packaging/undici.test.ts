import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundle, type Bundle, writeBundle } from "../../packaging/bundle.ts";
import { BUILD } from "../../packaging/project.ts";

/** As many answers as make V8 compile the parser a second time, several times over. */
const ASKING = `
  import { createServer } from "node:http";
  import { Script } from "node:vm";
  import { Agent } from "undici";
  import { exchange } from "../../src/io/exchange.ts";
  const cached = new Script("0").createCachedData();
  const server = createServer((_, response) => response.writeHead(200, { "Content-Type": "text/plain", "X-Mixed-Case": "1" }).end("x".repeat(1500)));
  server.listen(0, "127.0.0.1", async () => {
    const agent = new Agent();
    const ask = () => exchange(agent, { method: "GET", url: "http://127.0.0.1:" + server.address().port, timeoutMs: 5_000 });
    const { headers, body } = await ask();
    console.log("headers:", headers["content-type"], headers["x-mixed-case"], body.length);
    for (let asked = 0; asked < 60; asked++) await ask();
    await agent.destroy();
    server.close();
    console.log("code cache refused:", new Script("0", { cachedData: cached }).cachedDataRejected);
  });
`;

let folder: string;

/** Under build, since a bundle finds its packages upwards from its sources. */
beforeEach(() => {
  mkdirSync(BUILD, { recursive: true });
  folder = mkdtempSync(join(BUILD, "undici-"));
  writeFileSync(join(folder, "asking.mjs"), ASKING);
});

afterEach(() => rmSync(folder, { recursive: true }));

test("undici's parser reads an answer of ours to its end as soon as it is made", async () => {
  writeFileSync(join(folder, "making.mjs"), `
    import parser from "undici/lib/llhttp/llhttp_simd-wasm.js";
    const { Instance } = WebAssembly;
    WebAssembly.Instance = function (module, { env }) {
      const told = (name, callback) => (...args) => (console.log(name), callback(...args));
      return new Instance(module, { env: Object.fromEntries(Object.entries(env).map(([name, callback]) => [name, told(name, callback)])) });
    };
    new WebAssembly.Module(parser);
  `);
  const said = run(await bundle(join(folder, "making.mjs"), "0.0.0"));
  const called = said.split("\n").filter((line) => line.startsWith("wasm_on_"));
  expect([called[0], ...called.slice(-3)]).toEqual(["wasm_on_message_begin", "wasm_on_headers_complete", "wasm_on_body", "wasm_on_message_complete"]);
});

test("undici's parser is compiled once, and V8's flags are the usual ones afterwards", async () => {
  const said = run(await bundle(join(folder, "asking.mjs"), "0.0.0"));
  expect(said).toContain("code cache refused: false");
  expect(said).toContain("using Liftoff");
  expect(said).not.toContain("using TurboFan");
});

test("the constants of the parser that the agent has are undici's own", () => {
  const require = createRequire(import.meta.url);
  expect(require("undici/lib/llhttp/constants.js")).toMatchObject(require("../../packaging/bundled/llhttp-constants.cjs") as object);
});

test("names of headers are in lower case, known ones and others", async () => {
  expect(run(await bundle(join(folder, "asking.mjs"), "0.0.0"))).toContain("headers: text/plain 1 1500");
});

test("without the stand-in the parser is compiled twice: the test can tell", () => {
  expect(node(join(folder, "asking.mjs"))).toContain("using TurboFan");
});

function run(files: Bundle): string {
  writeBundle(files, join(folder, "bundle"));
  const loader = join(folder, "loader.cjs");
  writeFileSync(loader, `
    const { readFileSync } = require("node:fs");
    const { join } = require("node:path");
    const { Script } = require("node:vm");
    const textOf = (name) => readFileSync(join(__dirname, "bundle", name), "latin1");
    const packOf = JSON.parse(textOf("index.json"));
    const modules = new Map();
    const load = (name) => {
      if (!name.startsWith("./")) return require(name);
      if (modules.has(name)) return modules.get(name).exports;
      const module = { exports: {} };
      modules.set(name, module);
      new Script(textOf(packOf[name])).runInThisContext()[name](module.exports, load, module);
      return module.exports;
    };
    load("./main.js");
  `);
  return node(loader);
}

function node(script: string): string {
  return execFileSync(process.execPath, ["--trace-wasm-compilation-times", script], { encoding: "utf8" });
}
