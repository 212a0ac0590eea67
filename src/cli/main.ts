import { isatty } from "node:tty";
import { AgentError } from "../errors.ts";
import { writeError, writeOut } from "../io/stdio.ts";
import { keepThreadPoolAwake } from "../io/thread-pool.ts";
import { VERSION } from "../version.ts";
import { commandOfName, scriptExitStatus } from "./command-of-name.ts";
import { errnoNumberOf } from "./errno-number.ts";
import { parseCommandLine, type Command } from "./flags.ts";
import { createLog, type LogLevel } from "./log.ts";
import { type LogTarget, logTarget } from "./log-target.ts";
import { phasesLoggedTo } from "./phases.ts";
import { showError } from "./show-error.ts";
import { followSignals, type Signals } from "./signals.ts";
import type { World } from "./world.ts";

/** Runs the command of this process's command line, and sets its exit status. */
export async function main(): Promise<void> {
  keepThreadPoolAwake();
  const signals = followSignals();
  const target = await logTarget(writeError, process.env["JOURNAL_STREAM"]);
  const argv = [...commandOfName(process.argv0), ...process.argv.slice(2)];
  try {
    const command = await parseCommandLine(argv, process.env);
    process.exitCode = await runCommand(command, argv, (level) => worldOf(level, target, signals));
  } catch (error) {
    process.exitCode = report(error, target, signals, scriptExitStatus(argv));
  }
  signals.dieIfAsked();
  // All is written by now. Left to itself Node.js takes its heap apart first, which takes 6 ms.
  process.exit();
}

async function runCommand(command: Command, argv: readonly string[], world: (level: LogLevel) => World): Promise<number> {
  switch (command.kind) {
    case "help":
      writeOut((await import("./help.ts")).showHelp(command.topic));
      return 0;
    case "version":
      writeOut(`eks-node-agent ${VERSION}\n`);
      return 0;
    case "facts":
      return (await import("./facts.ts")).showFacts(command.flags, world(command.flags.logLevel));
    case "check":
      return (await import("./check.ts")).check(command.flags, world(command.flags.logLevel));
    case "report":
      return (await import("./report.ts")).report(command.flags, world(command.flags.logLevel));
    case "migrate":
      return (await import("./migrate.ts")).migrate(command.flags, world(command.flags.logLevel));
    case "token":
      return (await import("./token.ts")).printToken(command.flags, world(command.flags.logLevel));
    case "imds":
      return (await import("./imds.ts")).printImds(command.flags, world(command.flags.logLevel));
    case "max-pods":
      return (await import("./max-pods.ts")).printMaxPods(command.flags, world(command.flags.logLevel));
    case "pull-sandbox-image":
      return (await import("./pull-sandbox-image.ts")).pullSandboxImage(command.flags, world(command.flags.logLevel));
    case "completion":
      writeOut((await import("./completion.ts")).showCompletion(command.shell));
      return 0;
    case "bootstrap": {
      const [{ asService }, { recordedRun }] = await Promise.all([import("./as-service.ts"), import("./recorded-run.ts")]);
      return asService(world(command.flags.logLevel), (reporting) => recordedRun(command.flags, argv, reporting));
    }
  }
}

function worldOf(level: LogLevel, target: LogTarget, signals: Signals): World {
  const log = createLog({ level, ...target, clock: () => new Date() });
  return {
    environment: process.env,
    log,
    phase: phasesLoggedTo(log, () => performance.now()),
    record: () => undefined,
    print: writeOut,
    colour: wantsColour(STDOUT),
    signal: signals.signal,
    isRoot: process.geteuid?.() === 0,
  };
}

const [STDOUT, STDERR] = [1, 2];

/** See https://no-color.org. What has no TERM is no terminal. */
function wantsColour(fd: number): boolean {
  const { NO_COLOR, TERM } = process.env;
  return !NO_COLOR && TERM !== undefined && TERM !== "dumb" && isatty(fd);
}

function report(error: unknown, target: LogTarget, signals: Signals, exitStatus: number | undefined): number {
  // What was cut short by a signal is no failure of its own.
  if (signals.signal.aborted && error === signals.signal.reason) return 0;
  const shown = showError(error, { version: VERSION, colour: wantsColour(STDERR), exitStatus });
  const code = error instanceof AgentError ? error.code : "bug";
  target.fail(shown.text, { code, exit_status: shown.exitStatus, errno: errnoNumberOf(error) });
  return shown.exitStatus;
}
