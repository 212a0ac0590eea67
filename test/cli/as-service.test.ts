import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { asService } from "../../src/cli/as-service.ts";
import { phasesLoggedTo } from "../../src/cli/phases.ts";
import { commandWorld } from "./command-world.ts";

let folder: string;

/** A systemd-notify that writes down what it is told, for who has no addon. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "as-service-"));
  writeFileSync(join(folder, "systemd-notify"), `#!/bin/sh\nprintf '%s\\n' "$@" >>${folder}/told\n`);
  chmodSync(join(folder, "systemd-notify"), 0o755);
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"]}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const told = (): readonly string[] => readFileSync(join(folder, "told"), "utf8").split("\n").filter((line) => line.startsWith("STATUS="));

test("systemd is told of the phase that goes on when one within it has ended, and of what each took in the order of their beginnings", async () => {
  const { world } = commandWorld();
  const environment = { NOTIFY_SOCKET: "/nowhere", SYSTEMD_EXEC_PID: String(process.pid) };
  await asService({ ...world, environment, colour: false, isRoot: true, record: () => undefined, phase: phasesLoggedTo(world.log, () => 0) }, async ({ phase }) => {
    await phase("facts", async () => {
      await phase("observe", () => undefined);
    });
    return 0;
  });
  expect(told().map((line) => line.replaceAll(/\d+(\.\d+)?m?s/g, "T"))).toEqual([
    "STATUS=asking the instance metadata, AWS and the host",
    "STATUS=looking at the machine",
    "STATUS=asking the instance metadata, AWS and the host",
    "STATUS=finished in T (facts T, observe T)",
  ]);
});
