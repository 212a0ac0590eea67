import { build, transform, type Plugin } from "esbuild";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { packParts, type Packs, type Stages } from "./packs.ts";
import { ROOT } from "./project.ts";

const require = createRequire(import.meta.url);
const bundled = join(import.meta.dirname, "bundled");

const LLHTTP = join(bundled, "llhttp.cjs");
const UNDICI_BODIES = join(bundled, "undici-bodies.cjs");
const SMITHY_SIGNER = { importer: /\/@smithy\/signature-v4\/|\/src\/io\/smithy\.ts$/, path: join(bundled, "smithy-signer.mjs") };

/** What is bundled in the place of a module: each file says why. The paths are as they are imported. */
const STAND_INS: Readonly<Record<string, string>> = {
  bindings: join(bundled, "bindings.cjs"),
  undici: join(bundled, "undici.mjs"),
  "../llhttp/constants.js": join(bundled, "llhttp-constants.cjs"),
  "../llhttp/llhttp_simd-wasm.js": LLHTTP,
  // For processors without vector instructions, which neither x64 nor arm64 is.
  "../llhttp/llhttp-wasm.js": LLHTTP,
  "./tree": join(bundled, "undici-tree.cjs"),
  "./client-h2.js": join(bundled, "undici-http2.cjs"),
  "../web/fetch/body.js": UNDICI_BODIES,
  "../web/fetch/formdata": UNDICI_BODIES,
  "../web/webidl": UNDICI_BODIES,
  "@aws-sdk/client-eks": join(bundled, "client-eks.mjs"),
  "./uuid/v4": join(bundled, "smithy-uuid.mjs"),
  "./util-stream/stream-collector": join(bundled, "smithy-stream-collector.mjs"),
  "./stream-collector": join(bundled, "smithy-stream-collector.mjs"),
  // The one module in which yargs keeps what differs between platforms.
  "./lib/platform-shims/esm.mjs": join(bundled, "yargs-platform.mjs"),
  "../lib/platform-shims/esm.mjs": join(bundled, "yargs-platform.mjs"),
  "yargs/helpers": join(bundled, "yargs-helpers.mjs"),
  // cliui exports only the module that brings the packages for wide characters.
  "cliui/build/lib/index.js": join(dirname(require.resolve("cliui")), "build/lib/index.js"),
};

/**
 * A program in files, by name, for `bundled/loader.cjs`: packs, each the text of an object in ASCII, which has the program's parts by
 * name as functions in the CommonJS manner; and `INDEX`, which tells of each part the pack. Parts ask for one another by
 * `require("./NAME")`; the first to run is `MAIN`.
 */
export type Bundle = ReadonlyMap<string, string>;

export const MAIN = "main.js";
export const INDEX = "index.json";

/**
 * The program from `entry` with all that it imports. What is behind an `await import()` is in parts of its own, which are evaluated
 * when they are first asked for.
 *
 * @param stages parts to be read together; by itself, those that are always there
 */
export async function bundle(entry: string, version: string, stages: Stages = { main: { modules: [relative(ROOT, resolve(ROOT, entry))] } }): Promise<Bundle> {
  const result = await build({
    ...FORM,
    absWorkingDir: ROOT,
    entryPoints: [{ in: entry, out: basename(MAIN, ".js") }],
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: "esm",
    outdir: "/",
    chunkNames: "[name]-[hash]",
    // Of a package's two forms the one that can be had in parts.
    mainFields: ["module", "main"],
    inject: [join(bundled, "performance.mjs"), join(bundled, "webassembly-module.mjs")],
    // The last is how undici knows the build that Node.js itself has of it: without its second parser, an experiment.
    define: { __VERSION__: JSON.stringify(version), "import.meta.url": JSON.stringify("file:///app.cjs"), esbuildDetection: "true" },
    plugins: [standIns],
  });
  const parts = await Promise.all(result.outputFiles.map(async ({ path, text }) => [basename(path), await asFunction(text)] as const));
  return packed(new Map(parts.sort(([one], [other]) => (one < other ? -1 : 1))), packParts(result.metafile.outputs, stages));
}

function packed(parts: ReadonlyMap<string, string>, packs: Packs): Bundle {
  const packOf = (part: string): string => packs.get(part) ?? part;
  const together = Map.groupBy(parts, ([part]) => packOf(part));
  const texts = [...together].map(([pack, members]) => [pack, `({${members.map(([part, text]) => `"./${part}":${text}`).join(",")}})`] as const);
  return new Map([...texts, [INDEX, JSON.stringify(Object.fromEntries([...parts.keys()].map((part) => [`./${part}`, packOf(part)])))]]);
}

/** How the text is written. The names stay: they are what the stack of a reported bug is read by, and cost nothing at the start. */
const FORM = { minifySyntax: true, minifyWhitespace: true, platform: "node", target: "node24", charset: "ascii", legalComments: "none", logLevel: "silent" } as const;

/** esbuild makes parts only as modules, which node:vm cannot load without an import() of its own. */
async function asFunction(module: string): Promise<string> {
  const { code } = await transform(module, { ...FORM, format: "cjs", supported: { "dynamic-import": false } });
  return `function(exports,require,module,__filename,__dirname){${inAscii(code)}}`;
}

/** And in the place of a module for the importers whose path is like that. */
const STAND_INS_FOR_SOME: Readonly<Record<string, { readonly importer: RegExp; readonly path: string }>> = {
  "node:assert": { importer: /\/node_modules\/undici\//, path: join(bundled, "undici-assert.cjs") },
  "node:http": { importer: /\/node_modules\/undici\//, path: join(bundled, "undici-http.cjs") },
  "node:crypto": { importer: /\/@smithy\/core\/dist-es\/submodules\/serde\/index\.js$/, path: join(bundled, "smithy-crypto.cjs") },
  "node:module": { importer: /\/node_modules\/yargs-parser\//, path: join(bundled, "yargs-module.cjs") },
  "@smithy/core/client": SMITHY_SIGNER,
  "@smithy/core/protocols": SMITHY_SIGNER,
  "@smithy/core/serde": SMITHY_SIGNER,
  "@smithy/protocol-http": SMITHY_SIGNER,
};

const standIns: Plugin = {
  name: "stand-ins",
  setup(esbuild) {
    esbuild.onResolve({ filter: /./ }, ({ path, importer }) => {
      const standIn = STAND_INS[path];
      if (standIn !== undefined) return { path: standIn };
      const forSome = STAND_INS_FOR_SOME[path];
      return forSome?.importer.test(importer) ? { path: forSome.path } : undefined;
    });
  },
};

/** esbuild leaves regular expressions as they are. An escape of a UTF-16 unit means the same there, in a string and in a template. */
function inAscii(program: string): string {
  return program.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Each file under its name. */
export function writeBundle(files: Bundle, folder: string): void {
  mkdirSync(folder);
  for (const [name, text] of files) writeFileSync(join(folder, name), text, "latin1");
}
