import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { ROOT } from "../../packaging/project.ts";
import { type Bed, makeBed } from "./bed/bed.ts";
import { describeBeds } from "./bed/describe.ts";
import { until } from "./bed/until.ts";
import { BOOTSTRAP_ARGS } from "./node.ts";

const UNIT = "eks-node-agent.service";
const TRANSCRIPT = join(ROOT, "docs/systemctl-status.md");

type Entry = Readonly<Record<string, string>>;

describeBeds("what an operator sees", (test) => {
  test("the journal has a priority, an event and fields for what was done", async () => {
    await using bed = await startedWith(BOOTSTRAP_ARGS);
    const entries = await entriesOf(bed);
    const written = entries.filter((entry) => entry["EKS_PATH"] === "/etc/kubernetes/pki/ca.crt");
    expect(written).toEqual([
      expect.objectContaining({ PRIORITY: "6", MESSAGE_ID: expect.stringMatching(/^[0-9a-f]{32}$/) as string, DURATION_MS: expect.stringMatching(/^\d+$/) as string, SYSLOG_IDENTIFIER: "eks-node-agent", _SYSTEMD_UNIT: UNIT }),
    ]);
    const phases = entries.map((entry) => entry["EKS_PHASE"]).filter((phase) => phase !== undefined);
    expect(phases).toEqual(expect.arrayContaining(["config", "facts", "observe", "apply", "verify"]));
  });

  test("the journal has the code of an error, and what failed the system call", async () => {
    await using bed = await startedWith(BOOTSTRAP_ARGS, (machine) => machine.must("sh", "-c", "mkdir /etc/kubernetes && mount -t tmpfs -o ro tmpfs /etc/kubernetes"));
    const errors = (await entriesOf(bed)).filter((entry) => entry["EKS_CODE"] !== undefined);
    // EROFS
    expect(errors).toEqual([expect.objectContaining({ PRIORITY: "3", EKS_CODE: "write-failed", EKS_EXIT_STATUS: "73", ERRNO: "30" })]);
  });

  test("no part of a run that a script starts speaks in the name of the script's service", async () => {
    await using bed = await makeBed();
    await bed.booted();
    const script = `/usr/bin/eks-node-agent ${BOOTSTRAP_ARGS.join(" ")}; sleep 1; systemd-notify --ready --status=script`;
    bed.write("/etc/systemd/system/site.service", `[Service]\nType=notify\nNotifyAccess=all\nExecStart=/bin/sh -c '${script}; sleep 60'\n`);
    await bed.must("systemctl", "start", "site.service");
    expect(await bed.show("site.service", "ActiveState", "StatusText")).toEqual({ ActiveState: "active", StatusText: "script" });
  });

  test("systemctl status tells of success and of failures as docs/systemctl-status.md has it", async () => {
    const sections = [
      await section("A node that is up", BOOTSTRAP_ARGS),
      await section("A cluster that does not exist: not tried again", ["elsewhere"]),
      await section("A kubelet that does not stay up", BOOTSTRAP_ARGS, (bed) => bed.write("/etc/fake-kubelet.json", '{"failures": 9}')),
    ];
    const text = `# What \`systemctl status eks-node-agent\` tells\n\n${sections.join("\n")}`;
    if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(TRANSCRIPT, text);
    expect(ownLines(text)).toEqual(ownLines(readFileSync(TRANSCRIPT, "utf8")));
  });
});

/** A machine on which the unit has run with these arguments, whatever came of it. */
async function startedWith(args: readonly string[], prepare: (bed: Bed) => unknown = () => undefined): Promise<Bed> {
  const bed = await makeBed();
  await bed.booted();
  await prepare(bed);
  bed.write("/etc/sysconfig/eks-node-agent", `EKS_NODE_AGENT_ARGS="${args.join(" ")}"\n`);
  await bed.run(["systemctl", "start", UNIT]);
  await until("the agent has ended", async () => (await bed.show(UNIT, "MainPID"))["MainPID"] === "0");
  await bed.must("journalctl", "--sync");
  return bed;
}

async function entriesOf(bed: Bed): Promise<readonly Entry[]> {
  const lines = await bed.must("journalctl", `--unit=${UNIT}`, "--output=json", "--no-pager");
  return lines.split("\n").map((line) => JSON.parse(line) as Entry);
}

async function section(title: string, args: readonly string[], prepare?: (bed: Bed) => unknown): Promise<string> {
  await using bed = await startedWith(args, prepare);
  const { stdout } = await bed.run(["systemctl", "status", "--no-pager", "--full", "--lines=8", UNIT]);
  return `## ${title}\n\n\`\`\`text\n${steady(stdout)}\`\`\`\n`;
}

/** With times, durations and process ids as they might be. */
function steady(text: string): string {
  return text
    .replaceAll(/since .*? ago/g, "since Mon 2026-01-05 10:00:00 UTC; 1min ago")
    .replaceAll(/^\w{3} \d\d \d\d:\d\d:\d\d /gm, "Jan 05 10:00:00 ")
    .replaceAll(/\b(Process: |Main PID: |eks-node-agent\[)\d+/g, "$11234")
    .replaceAll(/\b\d+(\.\d+)?(ms|s)\b/g, "10ms")
    .replaceAll(/duration_ms=\d+/g, "duration_ms=10");
}

/** What the agent says; how systemd sets it out is another matter, and differs between its versions. */
function ownLines(text: string): readonly string[] {
  return text.split("\n").filter((line) => /^#|^ +Status: | eks-node-agent\[\d+\]: |^ {38}/.test(line));
}
