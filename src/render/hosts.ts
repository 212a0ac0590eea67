import { PATHS } from "../lib/paths.ts";
import type { PlannedBlock } from "../plan/plan.ts";
import type { Node } from "../resolve/node.ts";

/** The API server of a local cluster on Outposts, which is to be found without a name server. */
export function renderHosts({ apiServerAddresses }: Node): readonly PlannedBlock[] {
  if (apiServerAddresses === undefined) return [];
  const { host, addresses } = apiServerAddresses.value;
  return [{ path: PATHS.hosts, lines: addresses.map((address) => `${address} ${host}`) }];
}
