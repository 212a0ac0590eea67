import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { ARCHITECTURES, HOST } from "../../packaging/architecture.ts";
import { projectVersion, ROOT } from "../../packaging/project.ts";
import { runTask } from "../task.ts";

import "../build.ts";

// It ran before all tests, since most of those of the whole program use what it makes.
test("`npm run build` makes dist/eks-node-agent, an executable for this machine", () => {
  expect(inject("build").split("\n")).toContainEqual(expect.stringMatching(new RegExp(`^dist/eks-node-agent( is up to date|: \\d+ MB for ${HOST}, in \\d+ s)$`)));
  expect(execFileSync(join(ROOT, "dist/eks-node-agent"), ["--version"], { encoding: "utf8" })).toBe(`eks-node-agent ${projectVersion()}\n`);
});

test("`npm run build` leaves alone what was made from the same inputs", async () => {
  expect((await runTask("npm run build")).trimEnd().split("\n").at(-1)).toBe("dist/eks-node-agent is up to date");
});

test("`npm run build -- --arch` takes the architectures that there are", async () => {
  const names = Object.keys(ARCHITECTURES).join(" or ");
  await expect(runTask("npm run --silent build -- --arch riscv64")).rejects.toThrow(`"riscv64" is not an architecture that the agent is built for: expected ${names}`);
});
