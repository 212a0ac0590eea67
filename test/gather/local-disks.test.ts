import { expect, test } from "vitest";
import { gatherLocalDisks } from "../../src/gather/local-disks.ts";
import { type Entry, withTree } from "./tree.ts";

const id = (name: string): string => `/dev/disk/by-id/nvme-${name}`;
const STORE = "Amazon_EC2_NVMe_Instance_Storage_AWS";

test.each<[string, Readonly<Record<string, Entry>>, readonly string[]]>([
  ["no disks, and no links to any", {}, []],
  ["a volume of EBS is none of them", { "/dev/nvme0n1": "", [id("Amazon_Elastic_Block_Store_vol0123")]: { link: "../../nvme0n1" } }, []],
  ["each disk once, however many links lead to it", { "/dev/nvme1n1": "", [id(`${STORE}1`)]: { link: "../../nvme1n1" }, [id(`${STORE}1_1`)]: { link: "../../nvme1n1" } }, ["/dev/nvme1n1"]],
  ["in the order of their numbers", { "/dev/nvme10n1": "", "/dev/nvme9n1": "", [id(`${STORE}A`)]: { link: "../../nvme10n1" }, [id(`${STORE}B`)]: { link: "../../nvme9n1" } }, ["/dev/nvme9n1", "/dev/nvme10n1"]],
  ["a partition is no disk", { "/dev/nvme1n1": "", "/dev/nvme1n1p1": "", [id(`${STORE}1`)]: { link: "../../nvme1n1" }, [id(`${STORE}1-part1`)]: { link: "../../nvme1n1p1" } }, ["/dev/nvme1n1"]],
  ["a link that leads nowhere", { [id(`${STORE}1`)]: { link: "../../nvme1n1" } }, []],
])("local disks: %s", async (_, tree, devices) => {
  expect(await withTree(tree, gatherLocalDisks)).toEqual(devices);
});
