import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";

/** Which folders of src a folder may import from, beside itself, errors.ts and version.ts; "types" means `import type` alone. */
const MAY_IMPORT: Readonly<Record<string, Readonly<Record<string, "all" | "types">>>> = {
  "main.ts": { cli: "all" },
  cli: all("gather", "apply", "report", "render", "preflight", "resolve", "config", "plan", "io", "lib", "data"),
  gather: { ...all("config", "io", "lib"), resolve: "types" },
  apply: all("plan", "io", "lib"),
  report: all("plan", "io", "lib"),
  render: all("resolve", "plan", "lib", "data"),
  preflight: all("resolve", "lib", "data"),
  resolve: all("config", "lib", "data"),
  config: all("lib"),
  plan: all("lib"),
  io: {},
  lib: {},
  data: {},
  "errors.ts": {},
  "version.ts": {},
};

const EVERYONE_MAY_IMPORT = ["errors.ts", "version.ts"];

/** Folders that are functions from values to values, and what they may use of Node.js: nothing that does I/O. */
const CORE = ["config", "resolve", "preflight", "render", "plan", "lib"];
const PURE_MODULES: Readonly<Record<string, readonly string[] | "all">> = {
  "node:buffer": "all",
  "node:crypto": ["X509Certificate", "createHash"],
  "node:path": "all",
  "node:path/posix": "all",
  "node:util": "all",
  "node:zlib": "all",
};
const IMPURE_GLOBALS = ["process", "fetch", "performance", "setTimeout", "setInterval", "setImmediate", "queueMicrotask", "Promise"];

const MOST_LINES = 250;

type Import = { readonly from: string; readonly names: readonly string[]; readonly isTypeOnly: boolean };
type Source = { readonly path: string; readonly folder: string; readonly text: string; readonly tree: ts.SourceFile; readonly imports: readonly Import[] };

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .sort()
  .map((path) => parseSource(path, readFileSync(join("src", path), "utf8")));

describe("the layers", () => {
  test("a folder imports only the folders that it may", () => {
    expect(sources.flatMap(forbiddenImports)).toEqual([]);
  });

  test("an import of a forbidden folder is found, in each form that it can have", () => {
    const text = `import { a } from "../apply/a.ts"; export { b } from "../gather/b.ts"; const c = import("../cli/c.ts"); import type { D } from "../render/d.ts";`;
    expect(forbiddenImports(parseSource("plan/x.ts", text))).toEqual([
      "plan/x.ts imports apply/a.ts",
      "plan/x.ts imports gather/b.ts",
      "plan/x.ts imports cli/c.ts",
      "plan/x.ts imports render/d.ts",
    ]);
  });

  test("gather takes types of resolve, and nothing else of it", () => {
    const text = `import type { Facts } from "../resolve/facts.ts"; import { resolveNode } from "../resolve/node.ts";`;
    expect(forbiddenImports(parseSource("gather/x.ts", text))).toEqual(["gather/x.ts imports resolve/node.ts"]);
  });

  test("the core does no I/O, has no clock, no environment and no promise", () => {
    expect(sources.filter(isCore).flatMap(impurities)).toEqual([]);
  });

  test("impure code in the core is found, in each form that it can have", () => {
    const text = `import { readFileSync } from "node:fs"; import { createHash, randomBytes } from "node:crypto"; process.env; new Date(); Date.now(); new Date(0); const f = async () => {}; x.process;`;
    expect(impurities(parseSource("plan/x.ts", text))).toEqual([
      'plan/x.ts imports readFileSync of "node:fs"',
      'plan/x.ts imports randomBytes of "node:crypto"',
      "plan/x.ts uses process",
      "plan/x.ts uses new Date()",
      "plan/x.ts uses Date.now",
      "plan/x.ts uses async",
    ]);
  });

  test("the word dryRun occurs only in cli", () => {
    expect(sources.filter(({ folder, text }) => folder !== "cli" && text.includes("dryRun")).map(({ path }) => path)).toEqual([]);
  });
});

describe("the dependencies", () => {
  const importers = Map.groupBy(
    sources.flatMap(({ path, imports }) => imports.filter(isPackage).map(({ from }) => ({ path, name: packageName(from) }))),
    ({ name }) => name,
  );

  test("a package is imported by one file, where it can be replaced", () => {
    const places = [...importers].map(([name, uses]) => `${name}: ${[...new Set(uses.map(({ path }) => path))].join(", ")}`);
    expect(places.filter((place) => place.includes(","))).toEqual([]);
  });

  test("package.json names the packages that src imports, and no others", () => {
    const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: Record<string, string> };
    expect([...importers.keys()].sort()).toEqual(Object.keys(dependencies).sort());
  });

  test("each is pinned to one version", () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, Record<string, string>>;
    const ranges = Object.entries({ ...dependencies, ...devDependencies }).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version));
    expect(ranges).toEqual([]);
  });
});

describe("the files", () => {
  test(`none has more than ${MOST_LINES} lines, but for generated tables`, () => {
    const long = sources.filter(({ folder, text }) => folder !== "data" && text.split("\n").length - 1 > MOST_LINES);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  test("none has the type any", () => {
    expect(sources.filter(({ tree }) => nodesOf(tree).some((node) => node.kind === ts.SyntaxKind.AnyKeyword)).map(({ path }) => path)).toEqual([]);
  });
});

function all(...folders: readonly string[]): Readonly<Record<string, "all">> {
  return Object.fromEntries(folders.map((folder) => [folder, "all"]));
}

function parseSource(path: string, text: string): Source {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return { path, folder: folderOf(path), text, tree, imports: nodesOf(tree).flatMap(importOf) };
}

/** The folder directly under src, or the name of a file that lies there itself. */
function folderOf(path: string): string {
  return path.split("/")[0] ?? "";
}

function nodesOf(tree: ts.Node): ts.Node[] {
  return tree.getChildren().flatMap((child) => [child, ...nodesOf(child)]);
}

function importOf(node: ts.Node): Import[] {
  if (ts.isImportDeclaration(node)) return [{ from: textOf(node.moduleSpecifier), names: importedNames(node), isTypeOnly: node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword }];
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) return [{ from: textOf(node.moduleSpecifier), names: ["*"], isTypeOnly: node.isTypeOnly }];
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return node.arguments.map((path) => ({ from: textOf(path), names: ["*"], isTypeOnly: false }));
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return [{ from: textOf(node.argument.literal), names: ["*"], isTypeOnly: true }];
  return [];
}

function importedNames({ importClause }: ts.ImportDeclaration): string[] {
  const bindings = importClause?.namedBindings;
  return bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements.map((element) => (element.propertyName ?? element.name).text) : ["*"];
}

function textOf(node: ts.Node): string {
  return ts.isStringLiteralLike(node) ? node.text : node.getText();
}

function forbiddenImports({ path, folder, imports }: Source): string[] {
  const targets = imports.filter(({ from }) => from.startsWith(".")).map((each) => ({ ...each, target: posix.join(posix.dirname(path), each.from) }));
  return targets.filter(({ target, isTypeOnly }) => !mayImport(folder, folderOf(target), isTypeOnly)).map(({ target }) => `${path} imports ${target}`);
}

function mayImport(folder: string, target: string, isTypeOnly: boolean): boolean {
  if (target === folder || EVERYONE_MAY_IMPORT.includes(target)) return true;
  const permission = MAY_IMPORT[folder]?.[target];
  return permission === "all" || (permission === "types" && isTypeOnly);
}

function isCore({ folder }: Source): boolean {
  return CORE.includes(folder);
}

function impurities({ path, tree, imports }: Source): string[] {
  const modules = imports.filter(({ from }) => from.startsWith("node:")).flatMap(({ from, names }) => names.filter((name) => !isPure(from, name)).map((name) => `imports ${name} of "${from}"`));
  return [...modules, ...nodesOf(tree).flatMap(impureUse)].map((use) => `${path} ${use}`);
}

function isPure(module: string, name: string): boolean {
  const names = PURE_MODULES[module];
  return names === "all" || (names?.includes(name) ?? false);
}

function impureUse(node: ts.Node): string[] {
  if (node.kind === ts.SyntaxKind.AsyncKeyword) return ["uses async"];
  if (ts.isNewExpression(node) && node.getText() === "new Date()") return ["uses new Date()"];
  if (ts.isPropertyAccessExpression(node) && ["Date.now", "Math.random"].includes(node.getText())) return [`uses ${node.getText()}`];
  if (ts.isIdentifier(node) && IMPURE_GLOBALS.includes(node.text) && !isMemberName(node)) return [`uses ${node.text}`];
  return [];
}

function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node;
}

function isPackage({ from }: Import): boolean {
  return !from.startsWith(".") && !from.startsWith("node:");
}

function packageName(from: string): string {
  return from.split("/").slice(0, from.startsWith("@") ? 2 : 1).join("/");
}
