import { fstatSync } from "node:fs";
import { VERSION } from "../version.ts";
import { parseCommandLine, type Command } from "./flags.ts";
import { createLog, type Log, type LogLevel } from "./log.ts";
import { phasesLoggedTo } from "./phases.ts";
import { showError } from "./show-error.ts";
import { followSignals, type Signals } from "./signals.ts";
import type { World } from "./world.ts";

/** Runs the command of this process's command line, and sets its exit status. */
export async function main(): Promise<void> {
  surviveClosedPipes();
  const signals = followSignals();
  try {
    const command = await parseCommandLine(process.argv.slice(2), process.env);
    process.exitCode = await runCommand(command, signals);
  } catch (error) {
    process.exitCode = report(error, signals);
  }
  signals.dieIfAsked();
}

async function runCommand(command: Command, signals: Signals): Promise<number> {
  switch (command.kind) {
    case "help":
      process.stdout.write((await import("./help.ts")).showHelp(command.topic));
      return 0;
    case "version":
      process.stdout.write(`eks-node-agent ${VERSION}\n`);
      return 0;
    case "facts":
      return (await import("./facts.ts")).showFacts(command.flags, worldOf(command.flags.logLevel, signals));
    case "bootstrap":
      return (await import("./run.ts")).run(command.flags, worldOf(command.flags.logLevel, signals));
  }
}

function worldOf(level: LogLevel, signals: Signals): World {
  const log = logToStderr(level);
  return {
    environment: process.env,
    log,
    phase: phasesLoggedTo(log, () => performance.now()),
    print: (text) => process.stdout.write(text),
    colour: wantsColour(process.stdout),
    signal: signals.signal,
    isRoot: process.geteuid?.() === 0,
  };
}

function logToStderr(level: LogLevel): Log {
  const format = isJournal() ? "journal-prefix" : "text";
  return createLog({ level, format, clock: () => new Date(), write: (text) => process.stderr.write(text) });
}

/** systemd names the device and inode of the journal's end of stderr, which a redirected stderr has not. */
function isJournal(): boolean {
  const { dev, ino } = fstatSync(process.stderr.fd);
  return process.env["JOURNAL_STREAM"] === `${dev}:${ino}`;
}

/** See https://no-color.org. */
function wantsColour(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
}

function report(error: unknown, signals: Signals): number {
  // What was cut short by a signal is no failure of its own.
  if (signals.signal.aborted && error === signals.signal.reason) return 0;
  const shown = showError(error, { version: VERSION, colour: wantsColour(process.stderr) });
  process.stderr.write(shown.text);
  return shown.exitStatus;
}

/** `eks-node-agent --dry-run | head`: what nobody reads is not worth a failure. */
function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}
