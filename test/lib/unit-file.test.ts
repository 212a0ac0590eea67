import { expect, it } from "vitest";
import { printUnitFile } from "../../src/lib/unit-file.ts";

it("printUnitFile() has a section after the other, settings in their order, repeated ones and whole lines as they are", () => {
  const text = printUnitFile([
    ["Unit", [["After", "a.service"], ["After", "b.service"]]],
    ["Service", ["Environment='A=b c'", ["Slice", "runtime.slice"]]],
    ["Install", []],
  ]);
  expect(text).toBe("[Unit]\nAfter=a.service\nAfter=b.service\n\n[Service]\nEnvironment='A=b c'\nSlice=runtime.slice\n\n[Install]\n");
});
