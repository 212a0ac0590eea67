import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { printToml } from "../../src/lib/toml.ts";

describe("printToml()", () => {
  it("has the order of the value, values of a table before its tables", () => {
    expect(printToml({ version: 3, plugins: { "io.containerd.cri.v1.images": { pinned_images: { sandbox: "a/b:1" }, snapshotter: "soci" } }, imports: ["/etc/*.toml"], empty: {} })).toBe(
      [
        "version = 3",
        'imports = [ "/etc/*.toml" ]',
        "",
        '[plugins."io.containerd.cri.v1.images"]',
        'snapshotter = "soci"',
        "",
        '[plugins."io.containerd.cri.v1.images".pinned_images]',
        'sandbox = "a/b:1"',
        "",
        "[empty]",
        "",
      ].join("\n"),
    );
  });

  it("is read back as the same value", () => {
    const value = { a: 'quo"te\\ \n', b: [1, 2.5, true], "c.d": { e: "ü" }, list: [{ x: 1 }, { y: 2 }] };
    expect(parse(printToml(value))).toEqual(value);
  });
});
