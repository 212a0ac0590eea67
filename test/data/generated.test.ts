import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GENERATED, projectPath } from "../../packaging/generate.ts";

test.each(GENERATED)("$file is what the generator makes of $table", ({ file, table, generate }) => {
  expect(readFileSync(projectPath(file), "utf8")).toBe(generate(readFileSync(projectPath(table), "utf8")));
});
