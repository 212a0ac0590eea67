import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Addons, compileAddons, compilerFor } from "../../packaging/addon.ts";
import { HOST } from "../../packaging/architecture.ts";

export const HAS_COMPILER = compilerFor(HOST) !== undefined;

/** Compiles an addon to FOLDER/NAME.node, and returns what it exports. */
export async function compiledAddon(name: keyof Addons, folder: string): Promise<unknown> {
  const path = join(folder, `${name}.node`);
  writeFileSync(path, (await compileAddons(HOST))?.[name] ?? "");
  const addon: { exports: unknown } = { exports: {} };
  process.dlopen(addon, path);
  return addon.exports;
}
