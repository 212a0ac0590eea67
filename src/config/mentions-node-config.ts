import { unwrap } from "./inflate.ts";

/**
 * Whether user data can hold a NodeConfig at all: every document names its API, and a MIME part whose text is encoded has it
 * in its type. Most user data is a script, for which no YAML parser need be loaded. What cannot be unwrapped may hold one.
 */
export function mentionsNodeConfig(bytes: Buffer): boolean {
  const unwrapped = unwrap(bytes);
  return "fault" in unwrapped || unwrapped.bytes.includes("node.eks.aws");
}
