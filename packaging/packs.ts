import type { Metafile } from "esbuild";
import { basename } from "node:path";

/**
 * What is read at once, by the modules that are then asked for: each script that is read costs time of its own. A stage has what
 * its modules import, and what that imports in its turn; but not what the stage has that it always comes after.
 */
export type Stages = Readonly<Record<string, { readonly modules: readonly string[]; readonly after?: string }>>;

/** A part's pack, by the part's file name. What no stage has is a pack of its own. */
export type Packs = ReadonlyMap<string, string>;

/**
 * Puts the parts together that the same stages have. Those of the first stage are in its pack alone, since it is there in every run.
 *
 * @param stages modules as esbuild names them
 * @throws Error for a module that is no part's
 */
export function packParts(outputs: Metafile["outputs"], stages: Stages): Packs {
  const [first = ""] = Object.keys(stages);
  const stagesOf = new Map<string, string[]>(Object.keys(outputs).map((path) => [path, []]));
  for (const [stage, { modules }] of Object.entries(stages)) {
    for (const path of withImports(modules.map((module) => partOf(module, outputs)), outputs)) stagesOf.get(path)?.push(stage);
  }
  const isRead = (names: readonly string[], stage: string): boolean => names.includes(stages[stage]?.after ?? "");
  return new Map([...stagesOf].map(([path, names]) => [basename(path), packName(basename(path), names.filter((stage) => !isRead(names, stage)), first)]));
}

function packName(part: string, stages: readonly string[], first: string): string {
  if (stages.length === 0) return part;
  return `${stages.includes(first) ? first : stages.join("+")}.js`;
}

/** Whether it is a pack of these stages, and not a part that is read by itself. */
export function isPackOf(stages: Stages, name: string): boolean {
  return name.replace(/\.js$/, "").split("+").every((stage) => Object.hasOwn(stages, stage));
}

function partOf(module: string, outputs: Metafile["outputs"]): string {
  const found = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === module);
  if (found === undefined) throw new Error(`no part of the bundle begins with "${module}"`);
  return found;
}

function withImports(paths: readonly string[], outputs: Metafile["outputs"]): ReadonlySet<string> {
  const reached = new Set(paths);
  for (const path of reached) {
    for (const imported of outputs[path]?.imports ?? []) if (imported.kind !== "dynamic-import" && !imported.external) reached.add(imported.path);
  }
  return reached;
}
