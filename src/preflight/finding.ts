/** One thing in the plan that kubelet would refuse ("error") or warn of ("note"). */
export type Finding = {
  readonly severity: "error" | "note";
  /** Stable and short, for machines: "flag-removed". */
  readonly code: string;
  /** A sentence without its full stop: what is wrong, the value in quotes, what kubelet expects. */
  readonly message: string;
  /** Where the value came from: "option --kubelet-extra-args", "user-data part 2". */
  readonly source: string;
  /** What the operator can do, as a sentence. */
  readonly remedy: string;
};

/** One flag on kubelet's command line. */
export type KubeletArgument = {
  /** Without dashes in front. */
  readonly name: string;
  /** Undefined for a flag that stands alone. */
  readonly value: string | undefined;
  readonly source: string;
  readonly owner: "agent" | "user";
};

/** A value as JSON, so that its type shows: "110" is a string, 110 a number. */
export function quote(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}

/** "a, b or c" */
export function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
}
