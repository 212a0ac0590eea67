import type { DocumentParser } from "./document.ts";
import { parseV1alpha1 } from "./v1alpha1.ts";

/** The versions of `kind: NodeConfig` that are understood, by apiVersion. */
export const NODE_CONFIG_VERSIONS: ReadonlyMap<string, DocumentParser> = new Map([["node.eks.aws/v1alpha1", parseV1alpha1]]);
