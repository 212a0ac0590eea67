import { AgentError } from "../../src/errors.ts";
import { migrate } from "../../src/cli/migrate.ts";
import { parseCommandLine } from "../../src/cli/flags.ts";
import { commandWorld } from "./command-world.ts";

export type Migrated = { readonly status: number; readonly printed: string };

/** Runs `eks-node-agent migrate` with these words; of an error, what a person is told is printed. */
export async function migrated(argv: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Migrated> {
  const { world, printed } = commandWorld(environment);
  try {
    const command = await parseCommandLine(["migrate", ...argv], environment);
    if (command.kind !== "migrate") throw new Error(`expected migrate, got ${command.kind}`);
    const status = await migrate(command.flags, world);
    return { status, printed: printed().toString() };
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return { status: error.exitStatus, printed: `${printed().toString()}${[error.message, ...error.lines].join("\n")}` };
  }
}
