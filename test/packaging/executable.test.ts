import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectVersion } from "../../packaging/project.ts";
import { rehearse } from "../../packaging/rehearsal.ts";
import { runTool } from "../../packaging/tool.ts";
import { executable } from "../build.ts";
import { HAS_COMPILER } from "../io/compiled-addon.ts";

test("the executable does not obey NODE_OPTIONS", () => {
  const env = { ...process.env, NODE_OPTIONS: "--require=/nowhere.cjs" };
  expect(execFileSync(executable, ["--version"], { env, encoding: "utf8" })).toBe(`eks-node-agent ${projectVersion()}\n`);
});

test.skipIf(!HAS_COMPILER)("the executable starts programs from threads of its addon (skipped without a C++ compiler)", async () => {
  await rehearse(async ({ root, env }) => {
    const kubelet = join(root, "usr/bin/kubelet");
    writeFileSync(kubelet, '#!/bin/sh\ncat /proc/$PPID/task/*/comm >"$0.threads"\necho Kubernetes v1.33.1\n');
    chmodSync(kubelet, 0o755);
    await runTool(executable, ["facts", "demo", "--root", root], { env });
    expect(readFileSync(`${kubelet}.threads`, "utf8").split("\n")).toContain("program");
  });
});
