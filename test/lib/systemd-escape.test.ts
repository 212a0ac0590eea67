import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { mountUnitName } from "../../src/lib/systemd-escape.ts";

const CASES: readonly (readonly [path: string, unit: string])[] = [
  ["/var/lib/kubelet", "var-lib-kubelet.mount"],
  ["/mnt/k8s-disks/0", "mnt-k8s\\x2ddisks-0.mount"],
  ["/", "-.mount"],
  ["//mnt//disks/", "mnt-disks.mount"],
  ["/.hidden/a.b", "\\x2ehidden-a.b.mount"],
  ["/100% local", "100\\x25\\x20local.mount"],
  ["/a:b_c~", "a:b_c\\x7e.mount"],
  ["/größe", "gr\\xc3\\xb6\\xc3\\x9fe.mount"],
];

test.each(CASES)("%s", (path, unit) => {
  expect(mountUnitName(path)).toBe(unit);
});

test.skipIf(spawnSync("systemd-escape", ["--version"]).status !== 0)("systemd says the same", () => {
  const { stdout } = spawnSync("systemd-escape", ["--path", "--suffix=mount", ...CASES.map(([path]) => path)], { encoding: "utf8" });
  expect(stdout.trim().split(" ")).toEqual(CASES.map(([, unit]) => unit));
});
