import { AgentError } from "../errors.ts";
import { CommandDeadlineError, runCommand, type CommandResult, whyNotStarted } from "../io/command.ts";

/** systemd may be busy with a boot; daemon-reload reads every unit. */
const TIMEOUT_MS = 90_000;

/** What to do about the refusals that systemd words itself; `%s` is the unit. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/is masked/, "Unmask it: systemctl unmask %s."],
  [/not found|does not exist|not loaded/, "Install the package that brings %s, or see where its file should be: systemctl cat %s."],
  [/bad unit file|bad-setting|invalid/i, "See what is wrong in its file and drop-ins: systemd-analyze verify %s."],
  [/not been booted with systemd|connect to bus/i, "Run eks-node-agent where systemd runs; for an image being built, give its directory with --root."],
];

/**
 * Runs systemctl and returns how it ended, whatever its exit status.
 *
 * @throws AgentError "program-missing", "unit-not-up" when systemd does not answer
 */
export async function systemctl(args: readonly string[], signal?: AbortSignal): Promise<CommandResult> {
  try {
    return await runCommand(["systemctl", ...args], { timeoutMs: TIMEOUT_MS, ...(signal && { signal }) });
  } catch (error) {
    if (error instanceof CommandDeadlineError) {
      throw new AgentError("unit-not-up", `systemd does not answer: ${error.message}`, { remedy: "See what it is busy with: systemctl list-jobs, journalctl -b _PID=1.", cause: error });
    }
    const why = whyNotStarted("systemctl", error);
    if (why === undefined) throw error;
    throw new AgentError("program-missing", `Cannot talk to systemd: ${why}`, {
      remedy: "Run eks-node-agent where systemd runs; for an image being built, give its directory with --root.",
      cause: error,
    });
  }
}

/**
 * Has systemctl do something.
 *
 * @param unit which unit it is about; undefined for systemd as a whole
 * @throws AgentError "unit-not-up" in systemd's own words when it refuses, and as systemctl() does
 */
export async function demandOfSystemctl(args: readonly string[], unit: string | undefined, signal?: AbortSignal): Promise<string> {
  const { status, stdout, stderr } = await systemctl(args, signal);
  if (status === 0) return stdout;
  const said = (stderr.trim().split("\n")[0] ?? "").replace(/\.$/, "");
  throw new AgentError("unit-not-up", `"systemctl ${args.join(" ")}" failed with status ${status}: ${said}`, { remedy: remedyFor(said, unit) });
}

/**
 * Properties of units, in the order of the names.
 *
 * @throws as demandOfSystemctl() does
 */
export async function showUnits(names: readonly string[], properties: readonly string[], signal?: AbortSignal): Promise<readonly Properties[]> {
  const text = await demandOfSystemctl(["show", `--property=${properties.join(",")}`, "--", ...names], undefined, signal);
  const blocks = parseProperties(text);
  if (blocks.length !== names.length) throw new Error(`systemctl show answered for ${blocks.length} units, not for ${names.join(", ")}`);
  return blocks;
}

/** Values by property, each as often as systemctl printed it: a list has one line for each item. */
export type Properties = ReadonlyMap<string, readonly string[]>;

/** Blocks of `Name=value` lines, with an empty line between one unit and the next. */
export function parseProperties(text: string): readonly Properties[] {
  return text.trim().split(/\n\n+/).filter((block) => block !== "").map(parseBlock);
}

/** The property's value; "" when it was not printed, as some versions do for what is empty. */
export function property(properties: Properties, name: string): string {
  return properties.get(name)?.[0] ?? "";
}

function parseBlock(block: string): Properties {
  const pairs = block.split("\n").filter((line) => line.includes("=")).map((line) => {
    const end = line.indexOf("=");
    return { name: line.slice(0, end), value: line.slice(end + 1) };
  });
  const byName = Map.groupBy(pairs, ({ name }) => name);
  return new Map([...byName].map(([name, items]) => [name, items.map(({ value }) => value)]));
}

function remedyFor(said: string, unit: string | undefined): string {
  const known = REMEDIES.find(([pattern]) => pattern.test(said))?.[1];
  const general = unit === undefined ? "See what systemd says: journalctl -b _PID=1." : "See why: systemctl status %s.";
  return (known ?? general).replaceAll("%s", unit ?? "the unit");
}
