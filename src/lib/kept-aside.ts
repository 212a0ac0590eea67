import { posix } from "node:path";

/**
 * Where the file that the image brought at a managed path is kept, once the agent's own has taken its place: a layer of
 * every later run. When the image brought none, an empty JSON object is kept, so that the agent's own file is never taken
 * for the image's.
 */
export function keptAsidePath(path: string): string {
  return `/var/lib/eks-node-agent/image/${posix.basename(path)}`;
}
