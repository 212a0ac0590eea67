import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apply } from "../../src/apply/apply.ts";
import { observe } from "../../src/apply/observe.ts";
import { noteFailedUnits } from "../../src/apply/units.ts";
import { compare } from "../../src/plan/compare.ts";
import type { PlannedUnit } from "../../src/plan/plan.ts";
import { file, plan, unit } from "../plan/plans.ts";
import { makeTestMachine, QUICK, type TestMachine } from "./test-machine.ts";

const [IMAGE_FILE, KUBELET_FILE] = ["sandbox-image.service", "kubelet.service"].map((name) => `/etc/systemd/system/${name}`) as [string, string];

let m: TestMachine;
beforeEach(() => {
  m = makeTestMachine();
});
afterEach(() => m.remove());

async function run(image: Partial<PlannedUnit>): Promise<void> {
  const files = [file(IMAGE_FILE, "[Service]\nExecStart=/bin/true\n"), file(KUBELET_FILE, "[Service]\nExecStart=/usr/bin/kubelet $KUBELET_ARGS\n")];
  const planned = plan(files, [unit("sandbox-image.service", [IMAGE_FILE], image), unit("kubelet.service", [KUBELET_FILE])]);
  const observed = await observe(m.machine, planned, m.hooks);
  await apply(m.machine, { plan: planned, observed, changes: compare(planned, observed, m.machine.owner).changes, commandLine: undefined }, m.hooks, QUICK);
}

const starts = (): readonly string[] => m.commands().filter((call) => /^(start|restart) /.test(call)).map((call) => call.split(" -- ").at(-1) ?? "");

describe("a unit that systemd refuses to start", () => {
  beforeEach(() => m.unit("sandbox-image.service", { mode: "refuses" }));

  it("is a note where the node does its work without it, and the next one is started", async () => {
    await run({ failure: "note" });
    expect(starts()).toEqual(["sandbox-image.service kubelet.service", "sandbox-image.service", "kubelet.service"]);
    expect(m.notes).toEqual([expect.stringMatching(/^unit-failed: "systemctl start --no-block -- sandbox-image\.service" failed with status \d+: .+\. .+$/)]);
  });

  it("is the end of the run where it is needed", async () => {
    await expect(run({ failure: "error" })).rejects.toMatchObject({ code: "unit-not-up" });
    expect(starts()).toEqual(["sandbox-image.service"]);
  });
});

describe("a unit that was started with something else", () => {
  it.each([["restart", ["sandbox-image.service"]], ["leave", []]] as const)("%s: %j", async (whenDifferent, expected) => {
    await run({ whenDifferent });
    starts();
    await run({ whenDifferent, startedWith: ["another image"] });
    expect(starts()).toEqual(expected);
  });
});

describe("noteFailedUnits()", () => {
  const tell = async (mode: string): Promise<readonly string[]> => {
    m.unit("sandbox-image.service", { mode });
    await run({ failure: "note" });
    await new Promise((resolve) => setTimeout(resolve, 150));
    await noteFailedUnits(["sandbox-image.service"], m.hooks.note);
    return m.notes;
  };

  it.each([
    ["fails-after-1", ["unit-failed: sandbox-image.service failed (exit-code). See: systemctl status sandbox-image.service."]],
    ["dies-after-1", ["unit-failed: sandbox-image.service failed (exit-code), and systemd tries it again. See: systemctl status sandbox-image.service."]],
    ["ok", []],
  ])("of one that %s", async (mode, notes) => {
    expect(await tell(mode)).toEqual(notes);
  });
});
