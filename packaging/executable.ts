import { chmodSync, copyFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Addons } from "./addon.ts";
import type { Architecture } from "./architecture.ts";
import { PKG_HOME } from "./base-node.ts";
import { type Bundle, INDEX, writeBundle } from "./bundle.ts";
import { lockedPackage } from "./project.ts";
import { withScratch } from "./scratch.ts";
import { runTool } from "./tool.ts";
import type { CodeCaches } from "./training.ts";

type Parts = {
  readonly bundle: Bundle;
  /** The packs of it that a run reads together. */
  readonly together: readonly string[];
  /** V8's code for it, where the build could make it. */
  readonly caches: CodeCaches | undefined;
  /** Compiled addons, where the build could make them. */
  readonly addons: Addons | undefined;
};

/** Makes a single executable of a bundle, at `output`. The base Node.js for `arch` must have been prepared by `baseNode`. */
export async function makeExecutable(arch: Architecture, parts: Parts, output: string): Promise<void> {
  await withScratch("executable", async (folder) => {
    const assets = join(folder, "assets");
    writeTexts(parts, assets);
    // An asset that the build could not make is there and empty.
    const none = new Uint8Array();
    for (const name of parts.bundle.keys()) if (name !== INDEX) writeFileSync(join(assets, `${name}.cache`), parts.caches?.get(name) ?? none);
    for (const name of ["notify", "datagram", "program"] as const) writeFileSync(join(assets, `${name}.node`), parts.addons?.[name] ?? none);
    copyFileSync(join(import.meta.dirname, "bundled/loader.cjs"), join(folder, "loader.cjs"));
    const made = join(folder, "executable");
    const target = { platform: "linux", arch, nodeRange: `node${lockedPackage(`node-linux-${arch}`).version}`, output: made };
    // TMPDIR: pkg makes its folder there and works in it, and names the loader from there.
    await runTool(process.execPath, [join(import.meta.dirname, "pkg.cjs"), folder, JSON.stringify(target)], { env: { HOME: PKG_HOME, TMPDIR: folder } });
    chmodSync(made, 0o755);
    mkdirSync(dirname(output), { recursive: true });
    renameSync(made, output);
  });
}

/** Node.js keeps longer strings out of V8's heap. */
const OUTSIDE_FROM = 1_100_000;

/** Packs that are read together are in one text, as the loader has them, with where each begins and ends. */
function writeTexts({ bundle, together }: Parts, assets: string): void {
  let end = 0;
  const places = together.map((name) => [name, [end, (end += bundle.get(name)?.length ?? 0)]] as const);
  const texts = new Map(bundle).set("together", together.map((name) => bundle.get(name)).join("").padEnd(OUTSIDE_FROM)).set("places.json", JSON.stringify(Object.fromEntries(places)));
  for (const name of together) texts.delete(name);
  writeBundle(texts, assets);
}
