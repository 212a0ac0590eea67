import type { Mount } from "../lib/mount-info.ts";

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
  /** Undefined where local disks are nothing to the node. */
  readonly disks: PlannedDisks | undefined;
};

/** The disks of the instance store, and what is kept on them. */
export type PlannedDisks = {
  /** An array of all disks, or each by itself. */
  readonly layout: "raid0" | "raid10" | "mount";
  /** "/dev/nvme1n1" */
  readonly devices: readonly string[];
  /** The array's file system alone, or one for each disk. */
  readonly volumes: readonly PlannedVolume[];
  /** Directories of the root volume whose place is on the array. */
  readonly directories: readonly PlannedDirectory[];
  /** Those of the planned files by which all this is there after a reboot, and by which nothing runs without. */
  readonly unitFiles: readonly string[];
};

export type PlannedVolume = {
  /** By which its file system is known as the agent's, and found at boot. */
  readonly label: string;
  readonly mountPoint: string;
  /** "mnt-k8s\x2ddisks-0.mount" */
  readonly unit: string;
};

export type PlannedDirectory = {
  /** "/var/lib/kubelet" */
  readonly path: string;
  /** The directory of the array that is mounted there. */
  readonly source: string;
  readonly unit: string;
  /** The units whose programs have files open in it, in the order in which they are stopped. */
  readonly users: readonly string[];
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
  /** Undefined where disks are not planned, or are another machine's. */
  readonly disks: ObservedDisks | undefined;
};

export type ObservedDisks = {
  /** In the order of the plan. */
  readonly disks: readonly ObservedDisk[];
  readonly mounts: readonly Mount[];
};

export type ObservedDisk = {
  readonly device: string;
  /** "259:1", as mounts name it. */
  readonly number: string;
  readonly holds: DiskContents;
  /** Where it is mounted itself. */
  readonly mountPoint: string | undefined;
};

/** What is on a disk or an array, by its signatures. */
export type DiskContents =
  | { readonly kind: "nothing" }
  | { readonly kind: "file-system"; readonly type: string; readonly label: string }
  | { readonly kind: "array-member"; readonly array: ObservedArray }
  /** In words: "a partition table (gpt)". */
  | { readonly kind: "other"; readonly what: string };

/** As one of its disks tells. */
export type ObservedArray = {
  readonly uuid: string;
  /** Without the host's name before it; "" where it cannot be told. */
  readonly name: string;
  /** "raid0" */
  readonly level: string;
  /** How many disks it has when it is whole. */
  readonly disks: number;
  /** "/dev/md127", also where the kernel has it and cannot run it yet; undefined where it does not know it. */
  readonly device: string | undefined;
  readonly number: string | undefined;
  readonly isRunning: boolean;
  readonly holds: Exclude<DiskContents, { kind: "array-member" }>;
};

/** One step that changes the machine. Executed in the order of the list. */
export type Change =
  | { readonly kind: "write-file"; readonly file: PlannedFile; readonly before: ObservedFile; readonly isDrift: boolean }
  | { readonly kind: "remove-file"; readonly path: string; readonly before: ObservedFile; readonly isUnitFile: boolean }
  | { readonly kind: "write-block"; readonly block: PlannedBlock; readonly before: ObservedFile }
  | { readonly kind: "remove-block"; readonly path: string }
  /** @param leftovers disks of an earlier array that cannot be whole again */
  | { readonly kind: "create-array"; readonly level: "raid0" | "raid10"; readonly devices: readonly string[]; readonly leftovers: readonly string[]; readonly stop: string | undefined }
  | { readonly kind: "assemble-array"; readonly devices: readonly string[]; readonly stop: string | undefined }
  | { readonly kind: "make-file-system"; readonly device: string; readonly label: string }
  | { readonly kind: "mount"; readonly unit: string; readonly mountPoint: string }
  | { readonly kind: "stop-unit"; readonly unit: string; readonly reason: string }
  | { readonly kind: "copy-directory"; readonly from: string; readonly to: string }
  | { readonly kind: "reload-systemd"; readonly reason: string }
  | { readonly kind: "enable-unit"; readonly unit: string }
  | { readonly kind: "start-unit"; readonly unit: string; readonly digest: string; readonly resetFailed: boolean; readonly reason: string }
  | { readonly kind: "restart-unit"; readonly unit: string; readonly digest: string; readonly reason: string };

/** Every planned file and block with what would happen to it, and the steps. */
export type Comparison = {
  readonly files: readonly ComparedFile[];
  readonly blocks: readonly ComparedBlock[];
  readonly changes: readonly Change[];
  /** What is left as it is, although something else was asked for. */
  readonly notes: readonly ComparisonNote[];
};

/** For the operator: a short, stable code and a sentence. */
export type ComparisonNote = { readonly code: string; readonly message: string };

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
