import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CONFIGURED_UNIT, noteMissingEnvironmentFiles, refuseForeignExecStart } from "../../src/apply/foreign-drop-ins.ts";
import { readCommand } from "../../src/apply/unit-command.ts";
import { makeTestMachine, type TestMachine } from "./test-machine.ts";

const FRAGMENT = "/etc/systemd/system/kubelet.service";
const FOREIGN = `${FRAGMENT}.d/99-custom.conf`;
const OURS = new Set([FRAGMENT, `${FRAGMENT}.d/10-kubelet-args.conf`]);

let m: TestMachine;
beforeEach(() => {
  m = makeTestMachine();
  m.write(FRAGMENT, "[Service]\nExecStart=/usr/bin/kubelet $KUBELET_ARGS\n");
  m.write(`${FRAGMENT}.d/10-kubelet-args.conf`, "[Service]\nEnvironment='KUBELET_ARGS=--v=2'\n");
});
afterEach(() => m.remove());

const refuse = (stage: "before-writing" | "loaded") => readCommand(CONFIGURED_UNIT.name).then((command) => refuseForeignExecStart(m.machine, OURS, stage, command));
const refused = (path: string) => ({
  code: "preflight-failed",
  exitStatus: 78,
  message: `${path} sets an ExecStart for kubelet.service without $KUBELET_ARGS: kubelet would run without the node's settings`,
  remedy: "Remove its ExecStart= lines, or add $KUBELET_ARGS to the command; flags of your own belong in --kubelet-extra-args or spec.kubelet.flags.",
});

describe("refuseForeignExecStart()", () => {
  it.each([
    ["no other drop-in", undefined],
    ["one that sets the environment", "[Service]\nEnvironment=A=b\n"],
    ["one that adds to the command", "[Service]\nExecStart=\nExecStart=/usr/bin/numactl /usr/bin/kubelet ${KUBELET_ARGS}\n"],
  ])("takes %s", async (_what, text) => {
    if (text !== undefined) m.write(FOREIGN, text);
    await refuse("before-writing");
    await refuse("loaded");
    expect(m.calls().length).toBe(2);
  });

  it("refuses one whose command has not our arguments, and names the file", async () => {
    m.write(FOREIGN, "[Service]\nExecStart=\nExecStart=/usr/bin/kubelet --my-own\n");
    m.write(`${FRAGMENT}.d/50-harmless.conf`, "[Service]\nNice=5\n");
    await expect(refuse("before-writing")).rejects.toMatchObject(refused(FOREIGN));
    await expect(refuse("loaded")).rejects.toMatchObject(refused(FOREIGN));
  });

  it("takes another bootstrapper's unit before it is replaced, and refuses one that stays", async () => {
    const other = "[Service]\nExecStart=/usr/bin/kubelet $NODEADM_KUBELET_ARGS\n";
    m.write("/usr/lib/systemd/system/kubelet.service", other);
    m.write(FRAGMENT, other);
    await refuse("before-writing");
    const loaded = await readCommand(CONFIGURED_UNIT.name);
    expect(() => refuseForeignExecStart(m.machine, new Set(), "loaded", loaded)).toThrow(expect.objectContaining(refused(FRAGMENT)));
  });
});

describe("noteMissingEnvironmentFiles()", () => {
  it("notes the file that is missing and must not be", async () => {
    m.write("/etc/there", "");
    m.write(FOREIGN, "[Service]\nEnvironmentFile=/etc/there\nEnvironmentFile=-/etc/optional\nEnvironmentFile=/etc/missing\nEnvironmentFile=/etc/pattern*\n");
    noteMissingEnvironmentFiles(m.machine, await readCommand(CONFIGURED_UNIT.name), m.hooks.note);
    expect(m.notes).toEqual([
      "environment-file-missing: kubelet.service has EnvironmentFile=/etc/missing, which does not exist: systemd will not start it. Make the file, or write EnvironmentFile=-/etc/missing.",
    ]);
  });
});
