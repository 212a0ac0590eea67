/** Something of an old configuration that a NodeConfig cannot say. */
export type Loss = {
  /** "option --aws-api-retry-attempts 3", "user-data, line 12: systemctl restart foo" */
  readonly what: string;
  /** What to do instead: one or two sentences. The same for all that are alike. */
  readonly instead: string;
};

/** Instead of what user data does beside configuring the node. */
export const KEEP = "This does something else than configure the node by bootstrap.sh. Keep what is still needed as a part of its own in multi-part user data, beside the NodeConfig.";
