import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { GENERATED_DOCS } from "../../packaging/docs.ts";
import { manPage } from "../../packaging/docs/man-page.ts";
import { projectPath } from "../../packaging/generate.ts";
import { findTool } from "../../packaging/tool.ts";
import { COMMANDS, OPTIONS, VARIABLES } from "../../src/cli/options.ts";

test.each(GENERATED_DOCS)("$file is what `npm run generate` makes of the code as it is now", ({ file, make }) => {
  expect(readFileSync(projectPath(file), "utf8")).toBe(make());
});

describe("the manual page", () => {
  const path = projectPath("docs/eks-node-agent.8");

  test.skipIf(findTool("groff") === undefined)("is shown at 80 columns, without a warning", () => {
    const { stdout, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-P-cbou", "-ww", "-rLL=80n", path], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  // Its date would be the day of the build, and two builds of one source are to be the same.
  test.skipIf(findTool("mandoc") === undefined)("has no fault that mandoc finds, but that it bears no date", () => {
    const { stdout } = spawnSync("mandoc", ["-T", "lint", path], { encoding: "utf8" });
    expect(stdout.split("\n").filter((line) => line !== "" && !line.includes("missing date"))).toEqual([]);
  });

  test.skipIf(findTool("groff") === undefined)("names every command, option and variable as they are typed", () => {
    const shown = execFileSync("groff", ["-man", "-Tascii", "-P-cbou", "-rLL=200n", path], { encoding: "utf8" });
    const words = [...COMMANDS.map(({ name }) => name), ...OPTIONS.map(({ name }) => `--${name}`), ...VARIABLES.map(({ name }) => name)];
    expect(words.filter((word) => !new RegExp(`^ +(-h, )?${word}( |$)`, "m").test(shown))).toEqual([]);
  });

  test("changes with the version alone", () => {
    expect(manPage("1.2.3-rc.1")).toContain('.TH EKS\\-NODE\\-AGENT 8 "" "eks\\-node\\-agent 1.2.3\\-rc.1"');
  });
});
