import { readdirSync, realpathSync } from "node:fs";
import { ifThere } from "./read-host-file.ts";

const BY_ID = "/dev/disk/by-id";

/** udev's links to the disks of an instance store, which say what Amazon calls them; those to their partitions look alike. */
const INSTANCE_STORE = /NVMe_Instance_Storage/;
const PARTITION = /-part\d+$/;

/** The devices of the instance store's disks, such as "/dev/nvme1n1", each once and in the order of their numbers. */
export function gatherLocalDisks(root: string): readonly string[] {
  const names = ifThere(root + BY_ID, (folder) => readdirSync(folder)) ?? [];
  const links = names.filter((name) => INSTANCE_STORE.test(name) && !PARTITION.test(name)).map((name) => `${root}${BY_ID}/${name}`);
  // A link whose disk has gone leads nowhere.
  const targets = links.map((link) => ifThere(link, () => realpathSync(link)));
  const devices = new Set(targets.filter((target) => target !== undefined).map((target) => target.slice(root.length)));
  return [...devices].sort(new Intl.Collator("en", { numeric: true }).compare);
}
