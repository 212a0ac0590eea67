import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
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

test("the executable opens no debugger on SIGUSR1", async () => {
  const hanging = { faults: [{ on: "*", kind: "hang" }] } as const;
  await rehearse(async ({ root, env }) => {
    const { child, stderr } = started(["facts", "demo", "--root", root], env);
    setTimeout(() => child.kill("SIGUSR1"), 300);
    setTimeout(() => child.kill("SIGTERM"), 600);
    const [, signal] = (await once(child, "close")) as [null, string];
    expect([signal, stderr()]).toEqual(["SIGTERM", ""]);
  }, hanging);
});

test("the executable waits another time in each run before it tries again, though V8 begins with the same seed", async () => {
  const throttled = { faults: [{ on: "/latest/meta-data/mac", kind: "status", status: 429, times: 1 }] } as const;
  const runs = Array.from({ length: 3 }, () => rehearse(async ({ root, env }) => {
    const { child, stderr } = started(["facts", "demo", "--root", root], env);
    await once(child, "close");
    return /delay_ms=(\d+)/.exec(stderr())?.[1];
  }, throttled));
  const pauses = await Promise.all(runs);
  expect(pauses).not.toContain(undefined);
  expect(new Set(pauses).size).toBeGreaterThan(1);
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

function started(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(executable, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let text = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  return { child, stderr: () => text };
}
