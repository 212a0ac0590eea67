import { describe, expect, test } from "vitest";
import type { RunView } from "../../src/cli/run-view.ts";
import { showChanges } from "../../src/cli/show-changes.ts";
import { showValues } from "../../src/cli/show-values.ts";
import { valueTable } from "../../src/resolve/value-table.ts";
import { file, found, observed, plan, running, unit } from "../plan/plans.ts";
import { DISK_STEPS } from "./disk-steps.ts";
import { MIXED, NEW_NODE, NODE, view } from "./show-view.ts";

const DRY = { isDryRun: true, explain: false, colour: false };
const REAL = { isDryRun: false, explain: false, colour: false };

const REMARKS = `Notes
  dns-guessed: The cluster DNS address 172.20.0.10 is a guess, since the VPC's
    block 10.0.0.0/16 lies in 10.0.0.0/8. Give --service-ipv4-cidr to be
    certain.

Preflight
  note flag-deprecated: The flag "--register-node" is deprecated in kubelet 1.33
    (option --kubelet-extra-args).
    Set registerNode in the kubelet configuration instead.
`;

const MIXED_DRY = `Inputs
  user data, part 2
  the command line

Facts
  VPC           10.0.0.0/16, 100.64.0.0/16

${REMARKS}
Files
  new                     0644  /etc/systemd/system/kubelet.service
  changed                 0644  /etc/eks/a.conf  (altered since the agent wrote it)
  unchanged               0644  /etc/eks/kept.conf
  unknown (not readable)  0644  /etc/eks/private.conf
  new                     0600  /etc/eks/secret.conf
  changed                 0644  /etc/eks/link.conf
  removed                       /etc/eks/old.conf

/etc/systemd/system/kubelet.service: new, mode 0644
--- /dev/null
+++ /etc/systemd/system/kubelet.service
@@ -0,0 +1,2 @@
+[Service]
+ExecStart=/usr/bin/kubelet

/etc/eks/a.conf: changed, mode 0644
mode 0600, planned 0644
--- /etc/eks/a.conf
+++ /etc/eks/a.conf
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three

/etc/eks/private.conf: unknown (not readable), mode 0644
cannot be read
--- /dev/null
+++ /etc/eks/private.conf
@@ -0,0 +1,1 @@
+mine

/etc/eks/secret.conf: new, mode 0600
--- /dev/null
+++ /etc/eks/secret.conf
<redacted>

/etc/eks/link.conf: changed, mode 0644
symbolic link to /usr/share/link.conf
--- /dev/null
+++ /etc/eks/link.conf
@@ -0,0 +1,1 @@
+linked

Steps
  1. write 5 files
  2. remove 1 file
  3. have systemd read its unit files again (changed:
       /etc/systemd/system/kubelet.service)
  4. enable kubelet.service
  5. restart containerd.service (not started by eks-node-agent so far)
  6. clear the failure of, and start, sandbox-image.service, which is failed
       (failed)
  7. start kubelet.service, which is not running

`;

const MIXED_SUMMARY = (auxiliary: string): string => `5 files ${auxiliary} be written, 1 file ${auxiliary} be removed, sandbox-image and kubelet ${auxiliary} be started, containerd ${auxiliary} be restarted.
`;

describe("a dry run", () => {
  test("shows inputs, facts, remarks, every file with what changes in it, the steps, and a sum", async () => {
    expect(await showChanges(MIXED, DRY)).toBe(MIXED_DRY + MIXED_SUMMARY("would"));
  });

  test("that explains shows the value table before the sum", async () => {
    const table = showValues(valueTable(NODE)).map(({ text }) => `${text}\n`).join("");
    expect(await showChanges(MIXED, { ...DRY, explain: true })).toBe(`${MIXED_DRY}Values\n${table}\n${MIXED_SUMMARY("would")}`);
  });

  test("of a new node shows every line of every file", async () => {
    const lines = new Set((await showChanges(NEW_NODE, DRY)).split("\n"));
    const planned = NEW_NODE.comparison.files.flatMap((each) => each.planned?.contents.trimEnd().split("\n") ?? []);
    expect(planned.length).toBeGreaterThan(100);
    expect(planned.filter((line) => !lines.has(`+${line}`))).toEqual([]);
  });

  test("says so when nothing changes", async () => {
    const unchanged = view(plan([file("/etc/eks/a.conf")]), observed({ "/etc/eks/a.conf": found("contents of /etc/eks/a.conf\n") }), { inputs: ["the command line"] });
    expect(await showChanges(unchanged, DRY)).toBe(`Inputs
  the command line

Facts
  none

Files
  unchanged  0644  /etc/eks/a.conf

Steps
  none

No changes.
`);
  });

  test("says so when there is nothing at all", async () => {
    expect(await showChanges(view(plan([])), DRY)).toBe("Inputs\n  none\n\nFacts\n  none\n\nFiles\n  none\n\nSteps\n  none\n\nNo changes.\n");
  });
});

describe("a real run", () => {
  test("shows remarks, one step for each file and unit, and a sum", async () => {
    expect(await showChanges(MIXED, REAL)).toBe(`${REMARKS}
Steps
   1. write /etc/systemd/system/kubelet.service (new)
   2. write /etc/eks/a.conf (altered since the agent wrote it)
   3. write /etc/eks/private.conf (not readable so far)
   4. write /etc/eks/secret.conf (new)
   5. write /etc/eks/link.conf (in place of a symbolic link)
   6. remove /etc/eks/old.conf (no longer needed)
   7. have systemd read its unit files again (changed:
        /etc/systemd/system/kubelet.service)
   8. enable kubelet.service
   9. restart containerd.service (not started by eks-node-agent so far)
  10. clear the failure of, and start, sandbox-image.service, which is failed
        (failed)
  11. start kubelet.service, which is not running

${MIXED_SUMMARY("will")}`);
  });

  test("that has nothing to do says no more than that", async () => {
    expect(await showChanges(view(plan([])), REAL)).toBe("No changes.\n");
  });
});

test("colours whole lines, and only where colour is asked for", async () => {
  const colourful = view(plan([file("/etc/eks/a.conf", "one\nTWO\n")]), observed({ "/etc/eks/a.conf": found("one\ntwo\n") }), {
    findings: [{ severity: "note", code: "flag-deprecated", message: "The flag is deprecated", source: "user data", remedy: "Drop it." }],
  });
  const heading = (text: string): string => `\x1b[1m${text}\x1b[0m`;
  expect((await showChanges(colourful, { ...DRY, colour: true })).split("\n")).toEqual([
    heading("Inputs"),
    "  none",
    "",
    heading("Facts"),
    "  none",
    "",
    heading("Preflight"),
    "\x1b[33m  note flag-deprecated: The flag is deprecated (user data).\x1b[0m",
    "    Drop it.",
    "",
    heading("Files"),
    "\x1b[33m  changed  0644  /etc/eks/a.conf\x1b[0m",
    "",
    heading("/etc/eks/a.conf: changed, mode 0644"),
    heading("--- /etc/eks/a.conf"),
    heading("+++ /etc/eks/a.conf"),
    "\x1b[36m@@ -1,2 +1,2 @@\x1b[0m",
    " one",
    "\x1b[31m-two\x1b[0m",
    "\x1b[32m+TWO\x1b[0m",
    "",
    heading("Steps"),
    "  1. write 1 file",
    "",
    heading("1 file would be written."),
    "",
  ]);
});

describe("what may be hostile or secret", () => {
  const secret = "http://joe:hunter2@proxy:3128";
  const clean = "http://joe:<redacted>@proxy:3128";
  const hostile: RunView = view(plan([file("/etc/eks/a.conf", `proxy = ${secret}\n\x1b[2J\n`)]), observed({ "/etc/eks/a.conf": found("\x1b[31mred\r\n") }), {
    inputs: [`${secret} \x1b[1m`],
    facts: { vpcIpv4Cidrs: [secret], privateDnsName: "\u202eabc" },
    notes: [{ code: "a-note", message: `${secret} \x07` }],
    findings: [{ severity: "error", code: "an-error", message: secret, source: secret, remedy: secret }],
  });

  test("is shown nowhere as it is", async () => {
    expect(await showChanges(hostile, DRY)).toBe(`Inputs
  ${clean} \\u{1b}[1m

Facts
  VPC           ${clean}
  private DNS   \\u{202e}abc

Notes
  a-note: ${clean} \\u{7}

Preflight
  error an-error: ${clean}
    (${clean}).
    ${clean}

Files
  changed  0644  /etc/eks/a.conf

/etc/eks/a.conf: changed, mode 0644
--- /etc/eks/a.conf
+++ /etc/eks/a.conf
@@ -1,1 +1,2 @@
-\\u{1b}[31mred\\r
+proxy = ${clean}
+\\u{1b}[2J

Steps
  1. write 1 file

1 error: kubelet would not run like this, so nothing would be changed.
`);
  });
});

const THREE = ["a.service", "b.service", "c.mount"];
const SUMMARIES: readonly (readonly [why: string, view: RunView, summary: string])[] = [
  ["one file", view(plan([file("/etc/eks/a.conf")])), "1 file will be written."],
  ["a unit that was never started", view(plan([], [unit("kubelet.service")])), "kubelet will be started."],
  ["three units to restart", view(plan([], THREE.map((name) => unit(name))), observed({}, THREE.map((name) => running(name)))), "a, b and c.mount will be restarted."],
  ["a unit to enable that runs as it should", withChanges([{ kind: "enable-unit", unit: "kubelet.service" }]), "kubelet will be enabled."],
  ["local disks", withChanges(DISK_STEPS), "/dev/nvme1n1 and /dev/nvme2n1 will be formatted, /var/lib/kubelet will be put on local disks."],
  ["disks each by itself", withChanges([{ kind: "make-file-system", device: "/dev/nvme1n1", label: "k8s-disks-1" }]), "/dev/nvme1n1 will be formatted."],
  ["unit files to read again, and nothing else", withChanges([{ kind: "reload-systemd", reason: "changed on disk" }]), "systemd will read its unit files again."],
];

test.each(SUMMARIES)("the sum of %s", async (_why, each, summary) => {
  expect((await showChanges(each, REAL)).split("\n").at(-2)).toBe(summary);
});

function withChanges(changes: RunView["comparison"]["changes"]): RunView {
  return { ...view(plan([])), comparison: { files: [], blocks: [], changes, notes: [] } };
}
