/**
 * What the machine shall hold when the run is over: nouns only, down to bytes and modes. Paths are as the node sees them
 * (below `--root` when there is one).
 */
export type Plan = {
  readonly files: readonly PlannedFile[];
  readonly blocks: readonly PlannedBlock[];
  readonly unwanted: readonly UnwantedFile[];
  /** In the order in which they are brought up. */
  readonly units: readonly PlannedUnit[];
};

export type PlannedFile = {
  readonly path: string;
  /** Permission bits, such as 0o644; owner is root:root. */
  readonly mode: number;
  readonly contents: string;
  /** How an existing file is compared: by bytes, or as a JSON value, so that another tool's rewrite is no change. */
  readonly comparedAs: "bytes" | "json";
  /** A unit file or drop-in: systemd must reload when it changes. */
  readonly isUnitFile: boolean;
  /** Shown as `<redacted>` in dry runs and reports. */
  readonly isSecret: boolean;
};

/** Lines of the agent's in a file that belongs to others, between two marks: at most one block in a file. */
export type PlannedBlock = {
  readonly path: string;
  readonly lines: readonly string[];
};

/** A file that another program makes, and makes anew when one that is of no use is gone. */
export type UnwantedFile = {
  readonly path: string;
  /** It is of use with the one line and without the other, whatever their indentation. */
  readonly unless: { readonly hasLine: string; readonly lacksLine: string };
};

export type PlannedUnit = {
  /** "kubelet.service" */
  readonly name: string;
  readonly enable: boolean;
  /** What it means that it cannot be started: the end of the run, or a note, since the node does its work without it. */
  readonly failure: "error" | "note";
  /** What becomes of a running one that was started with something else: a mount that is made again loses what is open on it. */
  readonly whenDifferent: "restart" | "leave";
  /** What becomes of one that does not run: a service of the image that nobody uses stays so. */
  readonly whenDown: "start" | "leave";
  /** Planned files that the unit's program reads at start; their digest decides on a restart. */
  readonly reads: readonly string[];
  /** What else it is started with, such as the version of its program. */
  readonly startedWith: readonly string[];
};

/** What is at a managed path now. */
export type ObservedFile =
  | { readonly kind: "absent" }
  | { readonly kind: "file"; readonly contents: string; readonly mode: number; readonly uid: number; readonly gid: number }
  | { readonly kind: "symlink"; readonly target: string }
  | { readonly kind: "other"; readonly what: string }
  | { readonly kind: "unreadable" };

/** `systemctl show` of a unit. */
export type ObservedUnit = {
  readonly name: string;
  readonly loadState: string;
  readonly activeState: string;
  readonly subState: string;
  readonly unitFileState: string;
  readonly needDaemonReload: boolean;
  readonly command: ObservedCommand;
};

/** What systemd would run for the unit as it has it loaded, and where it has that from. */
export type ObservedCommand = {
  /** Path of the unit's own file. */
  readonly fragment: string;
  readonly dropIns: readonly string[];
  /** All of ExecStart=, as `systemctl show` has it; empty where there is none. */
  readonly execStart: string;
  /** Each EnvironmentFile= with its options, as `systemctl show` has it. */
  readonly environmentFiles: readonly string[];
};

/** What the agent remembers of earlier runs: /var/lib/eks-node-agent/manifest.json. */
export type Manifest = {
  /** Path to digest of what the agent wrote there. */
  readonly files: Readonly<Record<string, string>>;
  /** Unit name to digest of what it was last started with by the agent. */
  readonly units: Readonly<Record<string, string>>;
  /** Paths of files in which the agent has a block. */
  readonly blocks?: readonly string[];
  /** How the node was configured, when by command line. */
  readonly commandLine?: RecordedCommandLine;
};

export type RecordedCommandLine = {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};

export const EMPTY_MANIFEST: Manifest = { files: {}, units: {} };

export type Observed = {
  readonly files: ReadonlyMap<string, ObservedFile>;
  readonly units: ReadonlyMap<string, ObservedUnit>;
  readonly manifest: Manifest;
};

/** One step that changes the machine. Executed in the order of the list. */
export type Change =
  | { readonly kind: "write-file"; readonly file: PlannedFile; readonly before: ObservedFile; readonly isDrift: boolean }
  | { readonly kind: "remove-file"; readonly path: string; readonly before: ObservedFile; readonly isUnitFile: boolean }
  | { readonly kind: "write-block"; readonly block: PlannedBlock; readonly before: ObservedFile }
  | { readonly kind: "remove-block"; readonly path: string }
  | { readonly kind: "reload-systemd"; readonly reason: string }
  | { readonly kind: "enable-unit"; readonly unit: string }
  | { readonly kind: "start-unit"; readonly unit: string; readonly digest: string; readonly resetFailed: boolean; readonly reason: string }
  | { readonly kind: "restart-unit"; readonly unit: string; readonly digest: string; readonly reason: string };

/** Every planned file and block with what would happen to it, and the steps. */
export type Comparison = {
  readonly files: readonly ComparedFile[];
  readonly blocks: readonly ComparedBlock[];
  readonly changes: readonly Change[];
};

export type ComparedFile = {
  readonly path: string;
  readonly state: "new" | "changed" | "unchanged" | "removed" | "unknown";
  /** The planned file; undefined when it is to be removed. */
  readonly planned: PlannedFile | undefined;
  readonly before: ObservedFile;
};

export type ComparedBlock = {
  readonly path: string;
  /** Of the block: the rest of its file is nobody's business here. */
  readonly state: ComparedFile["state"];
  /** Undefined when the block is to be removed. */
  readonly planned: PlannedBlock | undefined;
  /** The whole file. */
  readonly before: ObservedFile;
};
