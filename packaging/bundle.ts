import { build, type Plugin } from "esbuild";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const bundled = join(import.meta.dirname, "bundled");

/** What is bundled in the place of a module: each file says why. The paths are as they are imported. */
const STAND_INS: Readonly<Record<string, string>> = {
  bindings: join(bundled, "bindings.cjs"),
  undici: join(bundled, "undici.cjs"),
  "@aws-sdk/client-eks": join(bundled, "client-eks.mjs"),
  // The one module in which yargs keeps what differs between platforms.
  "./lib/platform-shims/esm.mjs": join(bundled, "yargs-platform.mjs"),
  "../lib/platform-shims/esm.mjs": join(bundled, "yargs-platform.mjs"),
  // cliui exports only the module that brings the packages for wide characters.
  "cliui/build/lib/index.js": join(dirname(require.resolve("cliui")), "build/lib/index.js"),
};

/**
 * The program from `entry` and all that it imports as the text of one function expression in the CommonJS manner, in ASCII, for `bundled/loader.cjs`.
 * Modules behind `await import()` are in it, and are evaluated when they are first asked for.
 */
export async function bundle(entry: string, version: string): Promise<string> {
  const result = await build({
    entryPoints: [entry],
    write: false,
    bundle: true,
    // Not the names: they are what the stack of a reported bug is read by, and cost nothing at the start.
    minifySyntax: true,
    minifyWhitespace: true,
    format: "cjs",
    platform: "node",
    target: "node24",
    charset: "ascii",
    legalComments: "none",
    // Of a package's two forms the one that can be had in parts.
    mainFields: ["module", "main"],
    // A script run by node:vm has no import(): the modules of Node.js itself are required instead.
    supported: { "dynamic-import": false },
    define: { __VERSION__: JSON.stringify(version), "import.meta.url": JSON.stringify("file:///app.cjs") },
    plugins: [standIns],
    banner: { js: "(function(exports,require,module,__filename,__dirname){" },
    footer: { js: "})" },
    logLevel: "silent",
  });
  return inAscii(onlyFile(result.outputFiles).text);
}

const standIns: Plugin = {
  name: "stand-ins",
  setup(esbuild) {
    esbuild.onResolve({ filter: /./ }, ({ path }) => (STAND_INS[path] === undefined ? undefined : { path: STAND_INS[path] }));
  },
};

/** esbuild leaves regular expressions as they are. An escape of a UTF-16 unit means the same there, in a string and in a template. */
function inAscii(program: string): string {
  return program.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function onlyFile<File>(files: readonly File[]): File {
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) throw new Error(`esbuild made ${files.length} files where one was expected`);
  return file;
}
