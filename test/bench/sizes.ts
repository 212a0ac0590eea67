import { statSync } from "node:fs";
import { join } from "node:path";
import { compileAddons } from "../../packaging/addon.ts";
import { agentPath } from "../../packaging/agent.ts";
import { HOST } from "../../packaging/architecture.ts";
import { baseNode } from "../../packaging/base-node.ts";
import { bundle } from "../../packaging/bundle.ts";
import { projectVersion, ROOT } from "../../packaging/project.ts";
import { buildRpms } from "../../packaging/rpm.ts";
import { withScratch } from "../../packaging/scratch.ts";
import { findTool } from "../../packaging/tool.ts";

/** Bytes on disk. */
export type Sizes = {
  readonly executable: number;
  /** Node.js as it is installed by npm. */
  readonly node: number;
  /** The same as the executable has it, without its symbols where there is a strip. */
  readonly baseNode: number;
  /** JavaScript: the agent's and its packages'. */
  readonly code: number;
  readonly addons: number;
  /** What V8 made of the code in the build, and the little by which all of it is put together. */
  readonly caches: number;
  /** The package that has the executable; undefined without rpmbuild. */
  readonly rpm: number | undefined;
};

export async function measureSizes(): Promise<Sizes> {
  const [base, files, addons, rpm] = await Promise.all([baseNode(HOST), bundle(join(ROOT, "src/main.ts"), projectVersion()), compileAddons(HOST), rpmBytes()]);
  const parts = {
    executable: bytesOf(agentPath(HOST)),
    baseNode: bytesOf(base),
    code: sum([...files.values()].map((text) => text.length)),
    addons: sum(Object.values(addons ?? {}).map(({ length }) => length)),
  };
  return { ...parts, node: bytesOf(join(ROOT, `node_modules/node-linux-${HOST}/bin/node`)), caches: parts.executable - parts.baseNode - parts.code - parts.addons, rpm };
}

async function rpmBytes(): Promise<number | undefined> {
  if (findTool("rpmbuild") === undefined) return undefined;
  return withScratch("rpm", async (folder) => {
    const names = await buildRpms(HOST, folder, () => undefined);
    return Math.max(...names.map((name) => bytesOf(join(folder, name))));
  });
}

function bytesOf(path: string): number {
  return statSync(path).size;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
