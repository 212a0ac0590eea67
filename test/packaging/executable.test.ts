import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { projectVersion } from "../../packaging/project.ts";
import { executable } from "../build.ts";

test("the executable does not obey NODE_OPTIONS", () => {
  const env = { ...process.env, NODE_OPTIONS: "--require=/nowhere.cjs" };
  expect(execFileSync(executable, ["--version"], { env, encoding: "utf8" })).toBe(`eks-node-agent ${projectVersion()}\n`);
});
