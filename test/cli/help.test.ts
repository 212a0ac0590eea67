import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { showHelp } from "../../src/cli/help.ts";
import { COMMANDS, OPTIONS } from "../../src/cli/options.ts";

describe.each(COMMANDS.map(({ name }) => name))("showHelp(%j)", (command) => {
  const golden = join(import.meta.dirname, "help", `${command}.txt`);
  const text = showHelp(command);

  it("is the text that was read and found good", () => {
    if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(golden, text);
    expect(text).toBe(readFileSync(golden, "utf8"));
  });

  it("fits 80 columns, with nothing at the ends of lines", () => {
    expect(text.split("\n").filter((line) => line.length > 80 || line.endsWith(" "))).toEqual([]);
  });
});

describe("the table of options", () => {
  it.each(OPTIONS.map((option) => [option.name, option] as const))("--%s is a sentence's beginning without its end", (_, { does, standard }) => {
    expect(does).toMatch(/^\S.*[^.\s]$/);
    expect(standard).not.toBe("");
  });

  it.each(COMMANDS.map(({ name }) => name))("names every option of %s once", (command) => {
    const names = OPTIONS.filter(({ commands }) => commands.includes(command)).map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});
