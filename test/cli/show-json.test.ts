import { readFileSync } from "node:fs";
import { Ajv2020, type SchemaObject } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { showJson } from "../../src/cli/show-json.ts";
import { valueTable } from "../../src/resolve/value-table.ts";
import { file, plan } from "../plan/plans.ts";
import { DISK_STEPS } from "./disk-steps.ts";
import { MIXED, NEW_NODE, NODE, view } from "./show-view.ts";

const FILES = [
  { path: "/etc/systemd/system/kubelet.service", mode: "0644", change: "new", contents: "[Service]\nExecStart=/usr/bin/kubelet\n", redacted: false },
  { path: "/etc/eks/a.conf", mode: "0644", change: "changed", contents: "one\nTWO\nthree\n", redacted: false },
  { path: "/etc/eks/kept.conf", mode: "0644", change: "unchanged", contents: "kept\n", redacted: false },
  { path: "/etc/eks/private.conf", mode: "0644", change: "unknown", contents: "mine\n", redacted: false },
  { path: "/etc/eks/secret.conf", mode: "0600", change: "new", contents: "<redacted>", redacted: true },
  { path: "/etc/eks/link.conf", mode: "0644", change: "changed", contents: "linked\n", redacted: false },
  { path: "/etc/eks/old.conf", mode: null, change: "removed", contents: null, redacted: false },
];

const UNITS = [
  { name: "containerd.service", change: "restart", reason: "not started by eks-node-agent so far", enable: false },
  { name: "sandbox-image.service", change: "start", reason: "failed (failed)", enable: false },
  { name: "kubelet.service", change: "start", reason: "not running", enable: true },
];

describe("showJson()", () => {
  test("is the whole run, with the keys in their order", () => {
    const expected = {
      inputs: ["user data, part 2", "the command line"],
      facts: { vpcIpv4Cidrs: ["10.0.0.0/16", "100.64.0.0/16"] },
      notes: MIXED.notes,
      findings: MIXED.findings,
      values: valueTable(NODE),
      files: FILES,
      blocks: [],
      disks: [],
      units: UNITS,
    };
    expect(showJson(MIXED)).toBe(`${JSON.stringify(expected, null, 2)}\n`);
  });

  test("has the blocks in files of others", () => {
    const { comparison, ...rest } = view(plan([]));
    const blocks = [
      { path: "/etc/hosts", state: "changed", planned: { path: "/etc/hosts", lines: ["10.0.0.1 a"] }, before: { kind: "absent" } },
      { path: "/etc/motd", state: "removed", planned: undefined, before: { kind: "absent" } },
    ] as const;
    expect(JSON.parse(showJson({ ...rest, comparison: { ...comparison, blocks } }))).toMatchObject({
      blocks: [
        { path: "/etc/hosts", change: "changed", lines: ["10.0.0.1 a"] },
        { path: "/etc/motd", change: "removed", lines: null },
      ],
    });
  });

  test("has the steps about local disks", () => {
    const { comparison, ...rest } = view(plan([]));
    expect(JSON.parse(showJson({ ...rest, comparison: { ...comparison, changes: DISK_STEPS } }))).toMatchObject({
      disks: [
        { change: "create-array", description: "make a raid0 array of /dev/nvme1n1, /dev/nvme2n1, where /dev/nvme2n1 had a part of one that is lost" },
        { change: "assemble-array", description: "assemble the array of /dev/nvme1n1, /dev/nvme2n1" },
        { change: "make-file-system", description: "make an XFS file system on /dev/md/kubernetes, labelled k8s-disks-0" },
        { change: "mount", description: "mount /mnt/k8s-disks/0 (mnt-k8s\\x2ddisks-0.mount)" },
        { change: "stop-unit", description: "stop kubelet.service, which uses /var/lib/kubelet" },
        { change: "copy-directory", description: "copy /var/lib/kubelet to /mnt/k8s-disks/0/kubelet, unless it is there already" },
      ],
    });
  });

  test("does not depend on the order in which facts came", () => {
    const facts = { vpcIpv4Cidrs: ["10.0.0.0/16"], privateDnsName: "a" };
    const reversed = { privateDnsName: "a", vpcIpv4Cidrs: ["10.0.0.0/16"] };
    expect(showJson(view(plan([]), {}, { facts }))).toBe(showJson(view(plan([]), {}, { facts: reversed })));
  });

  test("shows no secret", () => {
    const secret = "http://joe:hunter2@proxy:3128";
    const hostile = view(plan([file("/etc/eks/a.conf", `proxy = ${secret}\n`)]), {}, {
      inputs: [secret],
      facts: { vpcIpv4Cidrs: [secret], resolves: { a: true } },
      notes: [{ code: "a-note", message: secret }],
      findings: [{ severity: "error", code: "an-error", message: secret, source: secret, remedy: secret }],
    });
    const clean = "http://joe:<redacted>@proxy:3128";
    expect(JSON.parse(showJson(hostile))).toEqual({
      inputs: [clean],
      facts: { resolves: { a: true }, vpcIpv4Cidrs: [clean] },
      notes: [{ code: "a-note", message: clean }],
      findings: [{ severity: "error", code: "an-error", message: clean, source: clean, remedy: clean }],
      values: valueTable(NODE),
      files: [{ path: "/etc/eks/a.conf", mode: "0644", change: "new", contents: `proxy = ${clean}\n`, redacted: true }],
      blocks: [],
      disks: [],
      units: [],
    });
  });
});

describe("docs/dry-run.schema.json", () => {
  const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(JSON.parse(readFileSync("docs/dry-run.schema.json", "utf8")) as SchemaObject);
  const errorsOf = (value: unknown): readonly string[] => (validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`));
  const mixed = JSON.parse(showJson(MIXED)) as Record<string, unknown>;

  test.each([["files and units in each state", MIXED], ["a new node", NEW_NODE], ["an empty plan", view(plan([]))]])("describes %s", (_what, each) => {
    expect(errorsOf(JSON.parse(showJson(each)))).toEqual([]);
  });

  const OTHERS: readonly (readonly [what: string, change: Record<string, unknown>, errors: readonly string[]])[] = [
    ["a key that it does not know", { more: 1 }, [" must NOT have additional properties"]],
    ["a mode as a number", { files: [{ ...FILES[0], mode: 420 }] }, ["/files/0/mode must be string", '/files/0 must match "else" schema', "/files/0/mode must be string,null"]],
    ["a removed file with contents", { files: [{ ...FILES[6], contents: "old\n" }] }, ["/files/0/contents must be null", '/files/0 must match "then" schema']],
    ["an unknown change of a unit", { units: [{ ...UNITS[0], change: "stop" }] }, ["/units/0/change must be equal to one of the allowed values"]],
    ["a code in words", { notes: [{ code: "DNS guessed", message: "m" }] }, ['/notes/0/code must match pattern "^[a-z0-9]+(-[a-z0-9]+)*$"']],
  ];
  test.each(OTHERS)("refuses %s", (_what, change, errors) => {
    expect(errorsOf({ ...mixed, ...change })).toEqual(errors);
  });

  test("describes the example of docs/dry-run.md", () => {
    const example = /```json\n([\s\S]*?)```/.exec(readFileSync("docs/dry-run.md", "utf8"))?.[1] ?? "";
    expect(errorsOf(JSON.parse(example))).toEqual([]);
  });
});
