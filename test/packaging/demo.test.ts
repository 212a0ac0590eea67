import { expect, test } from "vitest";
import { executable } from "../build.ts";
import { runTask } from "../task.ts";

test("`npm run demo` looks the cluster up and ends in the file list, the diffs and what they come to", async () => {
  const stdout = await runTask("npm run demo");
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toContain(`${executable.slice(process.cwd().length + 1)} is up to date`);
  expect(stdout).toContain("  cluster       demo,\n");
  expect(stdout).toContain("  new  0644  /etc/kubernetes/kubelet/kubelet-config.json\n");
  expect(stdout).toContain("\n+++ /etc/kubernetes/kubelet/kubelet-config.json\n");
  expect(lines.at(-1)).toBe(`${lines.filter((line) => line.startsWith("+++ ")).length} files would be written.`);
});
