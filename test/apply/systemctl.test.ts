import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseProperties, systemctl } from "../../src/apply/systemctl.ts";
import { makeTestMachine, type TestMachine } from "./test-machine.ts";

let m: TestMachine;
beforeEach(() => { m = makeTestMachine(); });
afterEach(() => m.remove());

describe("parseProperties()", () => {
  it("has a map for each unit, and each line of a list", () => {
    const text = "EnvironmentFiles=/a (ignore_errors=yes)\nEnvironmentFiles=/b (ignore_errors=no)\nJob=\nExecStart={ argv[]=/bin/x --a=b }\n\nJob=7\n\n";
    expect(parseProperties(text).map((properties) => Object.fromEntries(properties))).toEqual([
      { EnvironmentFiles: ["/a (ignore_errors=yes)", "/b (ignore_errors=no)"], Job: [""], ExecStart: ["{ argv[]=/bin/x --a=b }"] },
      { Job: ["7"] },
    ]);
  });
});

describe("systemctl()", () => {
  it("is an explained error when it may not be executed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "systemctl-"));
    writeFileSync(join(folder, "systemctl"), "", { mode: 0o644 });
    vi.stubEnv("PATH", folder);
    await expect(systemctl(["daemon-reload"])).rejects.toMatchObject({
      code: "program-missing",
      message: 'Cannot talk to systemd: the program "systemctl" on PATH cannot be executed',
    });
    rmSync(folder, { recursive: true });
  });


  it("is an explained error when there is none", async () => {
    vi.stubEnv("PATH", "/nowhere");
    await expect(systemctl(["daemon-reload"])).rejects.toMatchObject({
      code: "program-missing",
      message: 'Cannot talk to systemd: there is no program "systemctl" on PATH',
      remedy: "Run eks-node-agent where systemd runs; for an image being built, give its directory with --root.",
    });
  });
});
