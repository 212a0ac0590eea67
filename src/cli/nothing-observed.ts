import { EMPTY_MANIFEST, type Observed } from "../plan/plan.ts";

/** A machine on which nothing is there yet. */
export const NOTHING_OBSERVED: Observed = { files: new Map(), units: new Map(), manifest: EMPTY_MANIFEST, disks: undefined };
