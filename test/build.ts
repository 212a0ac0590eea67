import { readFileSync, rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { agentPath, buildAgent } from "../packaging/agent.ts";
import { HOST } from "../packaging/architecture.ts";

/** The built executable, for tests of the whole program. A test file that imports it gets one made from the present sources. */
export const executable = agentPath(HOST);

/** Vitest's global set-up: builds the executable once before the tests, if any of the chosen ones uses it. */
export default async function setup(project: TestProject): Promise<void> {
  if (project.vitest.state.getPaths().some(usesExecutable)) await build();
}

/** The other tests may say why it cannot be built, so they run all the same. Those of the executable fail, rather than test an older one. */
async function build(): Promise<void> {
  const say = (line: string): boolean => process.stderr.write(`${line}\n`);
  try {
    await buildAgent(HOST, say);
  } catch (error) {
    rmSync(executable, { force: true });
    say(String(error));
  }
}

function usesExecutable(testFile: string): boolean {
  return readFileSync(testFile, "utf8").includes('/build.ts"');
}
