import { readFileSync, rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { agentPath } from "../packaging/agent.ts";
import { HOST } from "../packaging/architecture.ts";
import { runTask } from "./task.ts";

declare module "vitest" {
  // Vitest's own, to be merged with.
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions
  export interface ProvidedContext {
    /** What `npm run build` printed before the tests, or why it failed. */
    build: string;
  }
}

/** The built executable, for tests of the whole program. A test file that imports it gets one made from the present sources. */
export const executable = agentPath(HOST);

/** Vitest's global set-up: builds the executable once before the tests, if any of the chosen ones uses it. */
export default async function setup(project: TestProject): Promise<void> {
  if (project.vitest.state.getPaths().some(usesExecutable)) project.provide("build", await build());
}

/** The other tests may say why it cannot be built, so they run all the same. Those of the executable fail, rather than test an older one. */
async function build(): Promise<string> {
  const said = await runTask("npm run build").catch((error: unknown) => {
    rmSync(executable, { force: true });
    return String(error);
  });
  process.stderr.write(`${said.trim()}\n`);
  return said;
}

function usesExecutable(testFile: string): boolean {
  return readFileSync(testFile, "utf8").includes('/build.ts"');
}
