import type { Change } from "../plan/plan.ts";

/**
 * What one bootstrap did, when, and how it ended: /var/lib/eks-node-agent/last-run.json. Nothing in it is secret. Later
 * versions only add to it.
 */
export type LastRun = {
  /** Of the agent. */
  readonly version: string;
  /** RFC 3339: when the process began. Every `startMs` counts from here. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly inputs: Inputs;
  readonly node: NodeIdentity;
  readonly phases: readonly PhaseRun[];
  readonly requests: readonly RequestRun[];
  readonly retries: readonly RetryWait[];
  readonly commands: readonly CommandRun[];
  /** In the order in which they were to be taken. */
  readonly changes: readonly ChangeRun[];
  readonly notes: readonly NoteRun[];
  readonly findings: readonly FindingRun[];
  readonly result: Result;
};

export type Inputs = {
  /** The words after the program's name. */
  readonly commandLine: readonly string[];
  /** Names of the variables that counted. */
  readonly environment: readonly string[];
  /** The sources of configuration that were found, in words, the strongest last. */
  readonly sources: readonly string[];
};

/** What was known of the node when the run ended. */
export type NodeIdentity = {
  readonly cluster?: string;
  readonly instanceId?: string;
  readonly instanceType?: string;
  readonly zone?: string;
  readonly kubeletVersion?: string;
};

/** Whole milliseconds. */
export type Span = { readonly startMs: number; readonly durationMs: number };

export type PhaseRun = Span & {
  /** "facts" */
  readonly name: string;
  /** The same in words: "asking the instance metadata, AWS and the host". */
  readonly title: string;
  readonly outcome: "done" | "failed";
};

/** One try. */
export type RequestRun = Span & {
  /** "imds", "eks" */
  readonly service: string;
  /** A path of IMDS, or the name of an action. */
  readonly target: string;
  /** From 1. */
  readonly attempt: number;
  /** Of HTTP; absent when no answer came, for which `failure` has the reason. */
  readonly status?: number;
  readonly failure?: string;
};

/** The wait between two tries. */
export type RetryWait = Span & {
  readonly service: string;
  readonly target: string;
  /** Tries so far. */
  readonly failures: number;
  readonly reason: string;
};

export type CommandRun = Span & { readonly argv: readonly string[]; readonly failure?: string };

export type ChangeRun = {
  readonly kind: Change["kind"];
  /** The path or the unit; absent where it is systemd as a whole. */
  readonly subject?: string;
  readonly outcome: "done" | "failed" | "not reached";
  /** Absent when it was not reached, like `durationMs`. */
  readonly startMs?: number;
  readonly durationMs?: number;
};

export type NoteRun = { readonly code: string; readonly message: string };

export type FindingRun = {
  readonly severity: "error" | "note";
  readonly code: string;
  readonly message: string;
  readonly source: string;
  readonly remedy: string;
};

export type Result =
  | { readonly kind: "done"; readonly exitStatus: number }
  | {
      readonly kind: "failed";
      readonly exitStatus: number;
      readonly code: string;
      readonly message: string;
      /** Further lines of the message: journal lines, a list of problems, the stack of a bug. */
      readonly lines: readonly string[];
      readonly remedy: string;
    }
  /** Ended by a signal, such as "SIGTERM". */
  | { readonly kind: "stopped"; readonly signal: string };
