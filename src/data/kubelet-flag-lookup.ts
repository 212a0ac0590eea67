import { KUBELET_FLAGS } from "./kubelet-flags.ts";

/** A flag of any kubelet from 1.20 to 1.36. Numbers are minors of 1.x; 20 stands for "already there". */
export type KubeletFlag = {
  readonly name: string;
  /** "bool", "int32", "duration", "map<string,string> (k<v)": what the value must look like. */
  readonly type: string;
  readonly repeat: "last-wins" | "appends" | "merges";
  readonly os: "all" | "linux" | "windows";
  readonly added: number;
  /** First minor that warns of it. */
  readonly deprecatedIn: number | undefined;
  /** First minor that no longer warns of it. */
  readonly undeprecatedIn: number | undefined;
  /** First minor without it, where passing it ends kubelet. */
  readonly removedIn: number | undefined;
  /** KubeletConfiguration path of the same setting. */
  readonly configField: string | undefined;
  readonly configFieldSince: number | undefined;
};

/** The flag of this name, without dashes in front; `_` and `-` are the same, as for kubelet. Undefined if no version knows it. */
export function kubeletFlag(name: string): KubeletFlag | undefined {
  return kubeletFlags().get(name.replaceAll("_", "-"));
}

/** Whether kubelet 1.`minor` on Linux accepts the flag. */
export function isFlagIn(flag: KubeletFlag, minor: number): boolean {
  return flag.os !== "windows" && minor >= flag.added && (flag.removedIn === undefined || minor < flag.removedIn);
}

/** Whether kubelet 1.`minor` accepts the flag and warns of it. */
export function isFlagDeprecatedIn(flag: KubeletFlag, minor: number): boolean {
  const begun = flag.deprecatedIn !== undefined && minor >= flag.deprecatedIn;
  const ended = flag.undeprecatedIn !== undefined && minor >= flag.undeprecatedIn;
  return begun && !ended && isFlagIn(flag, minor);
}

/** Whether `--name` alone is complete: kubelet never takes the next word as the value of such a flag. */
export function isBoolFlag(flag: KubeletFlag): boolean {
  return flag.type.startsWith("bool");
}

/** All flags by name, parsed at the first question. */
export function kubeletFlags(): ReadonlyMap<string, KubeletFlag> {
  parsed ??= new Map(KUBELET_FLAGS.trim().split("\n").map((row) => parseRow(row)).map((flag) => [flag.name, flag]));
  return parsed;
}

let parsed: ReadonlyMap<string, KubeletFlag> | undefined;

function parseRow(row: string): KubeletFlag {
  const [name = "", type = "", repeat, os, added, deprecatedIn, undeprecatedIn, removedIn, configField = "", configFieldSince] = row.split("\t");
  return {
    name,
    type,
    repeat: repeat === "appends" || repeat === "merges" ? repeat : "last-wins",
    os: os === "linux" || os === "windows" ? os : "all",
    added: Number(added),
    deprecatedIn: minor(deprecatedIn),
    undeprecatedIn: minor(undeprecatedIn),
    removedIn: minor(removedIn),
    configField: configField === "" ? undefined : configField,
    configFieldSince: minor(configFieldSince),
  };
}

function minor(cell: string | undefined): number | undefined {
  return cell === undefined || cell === "" ? undefined : Number(cell);
}
