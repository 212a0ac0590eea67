import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { HOST } from "../../../packaging/architecture.ts";
import { buildRpms } from "../../../packaging/rpm.ts";
import { baseRoot } from "./base.ts";
import { removeControlGroups } from "./control-groups.ts";
import { must } from "./execute.ts";
import { makeLayer } from "./layer.ts";
import { removeNetwork } from "./network.ts";
import { whyNoBeds } from "./requirements.ts";

declare module "vitest" {
  // Vitest's own, to be merged with.
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions
  export interface ProvidedContext {
    /** Why there are no beds here; undefined where there are. */
    whyNoBeds: string | undefined;
    beds: Beds;
  }
}

/** Folders. */
export type Beds = {
  readonly base: string;
  readonly layer: string;
  /** The agent's packages. */
  readonly packages: readonly string[];
  /** In memory; a folder for each bed. */
  readonly folder: string;
};

const ALL = "/var/tmp/eks-node-agent-beds";

/** Vitest's global set-up: the agent's packages, the root of every bed, and a place for them. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const reason = whyNoBeds();
  project.provide("whyNoBeds", reason);
  if (reason !== undefined) return undefined;

  const say = (line: string): boolean => process.stderr.write(`${line}\n`);
  await removeLeftovers();
  const folder = join(ALL, String(process.pid));
  mkdirSync(folder, { recursive: true });
  await must(["mount", "-t", "tmpfs", "-o", "size=6g,mode=755", "beds", folder]);
  const base = await baseRoot(say);
  const packages = (await buildRpms(HOST, join(folder, "packages"), say)).map((name) => join(folder, "packages", name));
  const layer = await makeLayer(base, folder, packages);
  project.provide("beds", { base, layer, packages, folder });
  return () => removeFolder(folder);
}

/** What a run left that was killed. */
async function removeLeftovers(): Promise<void> {
  if (!existsSync(ALL)) return;
  const abandoned = readdirSync(ALL).filter((pid) => !existsSync(`/proc/${pid}`));
  for (const pid of abandoned) await removeFolder(join(ALL, pid));
}

async function removeFolder(folder: string): Promise<void> {
  const beds = readdirSync(folder).filter((name) => name.startsWith("bed-"));
  for (const name of beds.filter((bed) => existsSync(join(folder, bed, "root")))) {
    await removeControlGroups(name);
    await removeNetwork(name);
    await must(["umount", join(folder, name, "root")]).catch(() => undefined);
  }
  await must(["umount", folder]).catch(() => undefined);
  rmSync(folder, { recursive: true });
}
