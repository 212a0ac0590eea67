import { expect } from "vitest";
import { EVENTS } from "../../src/cli/events.ts";
import { type Bed, makeBed } from "./bed/bed.ts";
import { describeBeds } from "./bed/describe.ts";
import { until } from "./bed/until.ts";
import { NODE_CONFIG } from "./node.ts";

const UNIT = "eks-node-agent.service";
const READY = { ActiveState: "active", SubState: "exited", Result: "success" };

describeBeds("eks-node-agent.service tells systemd", (test) => {
  test("that it is ready, and how long each phase took", async () => {
    await using bed = await started();
    expect(await stateOf(bed)).toEqual(READY);
    expect(await statusOf(bed)).toMatch(/^finished in [\d.]+m?s \(config [\d.]+m?s, facts .*, observe .*, apply .*, verify .*\)$/);
  });

  const WAYS: readonly (readonly [why: string, prepare: (bed: Bed) => unknown, hasFields: boolean])[] = [
    ["where there is no libsystemd", (bed) => bed.must("sh", "-c", "rm /usr/lib/*/libsystemd.so.0*"), true],
    // There is no place for them to be loaded from. An executable that was built without a C++ compiler is in the same position.
    ["where no addon can be loaded", (bed) => dropIn(bed, "Environment=RUNTIME_DIRECTORY=\nPrivateTmp=no\nReadOnlyPaths=/run /dev/shm /var/tmp"), false],
  ];
  test.each(WAYS)("the same %s", async (_why, prepare, hasFields) => {
    await using bed = await started(prepare);
    expect(await stateOf(bed)).toEqual(READY);
    expect(await statusOf(bed)).toMatch(/^finished in /);
    expect(await bed.journal(UNIT)).toContain("run finished in ");
    expect(await hasEntries(bed)).toBe(hasFields);
  });

  test("that it is ready when nothing is configured and nothing is changed", async () => {
    await using bed = await started();
    await bed.cloud.setWorld({ userData: "" });
    await bed.must("systemctl", "restart", UNIT);
    expect(await stateOf(bed)).toEqual(READY);
    expect(await statusOf(bed)).toMatch(/^finished in [\d.]+m?s \(config [\d.]+m?s\)$/);
  });

  test("that it waits, so that a limit on its start does not end it", async () => {
    await using bed = await started((each) => {
      dropIn(each, "TimeoutStartSec=8s");
      each.write("/etc/fake-kubelet.json", '{"healthz": 500}');
      each.write("/etc/sysconfig/eks-node-agent", 'EKS_NODE_AGENT_ARGS="demo --wait-timeout 12s"\n');
    });
    expect(await stateOf(bed)).toEqual({ ActiveState: "failed", SubState: "failed", Result: "exit-code" });
    expect(await statusOf(bed)).toBe("kubelet.service is active but not healthy (http://127.0.0.1:10248/healthz: 500) after 12 s");
  });

  test("why it failed", async () => {
    await using bed = await started((each) => each.cloud.setWorld({ userData: NODE_CONFIG.replace("demo", "elsewhere") }));
    expect(await stateOf(bed)).toEqual({ ActiveState: "failed", SubState: "failed", Result: "exit-code" });
    expect(await statusOf(bed)).toContain('"elsewhere"');
  });
});

/** A machine on which the unit was started once; the end of that start is not looked at. */
async function started(prepare: (bed: Bed) => unknown = () => undefined): Promise<Bed> {
  const bed = await makeBed();
  await bed.booted();
  await bed.cloud.setWorld({ userData: NODE_CONFIG });
  await prepare(bed);
  await bed.must("systemctl", "daemon-reload");
  await bed.run(["systemctl", "start", UNIT]);
  return bed;
}

function dropIn(bed: Bed, lines: string): void {
  bed.write(`/etc/systemd/system/${UNIT}.d/50-test.conf`, `[Service]\n${lines}\n`);
}

/** READY=1 comes before the end of the process. */
function stateOf(bed: Bed): Promise<Readonly<Record<string, string>>> {
  return until(`${UNIT} has ended`, async () => {
    const { SubState, ...others } = await bed.show(UNIT, ...Object.keys(READY));
    return SubState !== "running" && { ...others, SubState: SubState ?? "" };
  });
}

async function statusOf(bed: Bed): Promise<string> {
  return (await bed.show(UNIT, "StatusText"))["StatusText"] ?? "";
}

/** Whether the journal has entries with fields, and not only lines. */
async function hasEntries(bed: Bed): Promise<boolean> {
  await bed.must("journalctl", "--sync");
  return (await bed.must("journalctl", "--unit", UNIT, "--output=cat", "--no-pager", `MESSAGE_ID=${EVENTS["run-finished"].id}`)) !== "";
}
