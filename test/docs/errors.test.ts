import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorCodes, ERRORS, EXIT_STATUSES } from "../../packaging/docs/error-table.ts";
import { showError } from "../../src/cli/show-error.ts";
import { EXIT_STATUS, type ErrorCode } from "../../src/errors.ts";
import type { Ended } from "../program/node-root.ts";
import { withCluster } from "../simulator/world.ts";
import type { Fault } from "../simulator/faults.ts";
import { DOCS_WORLD, type DocsNode, IF_SKIPPED, makeDocsNode, NO_DOCS_NODE } from "./docs-node.ts";

// The build of the executable: the tests run it.
import "../build.ts";

const CONFIGURE = "eks-node-agent my-cluster --wait none --deadline 1s";
const NOT_ALLOWED = "User: arn:aws:sts::111122223333:assumed-role/demo-node-role/i-0123456789abcdef0 is not authorized to perform: eks:DescribeCluster on resource: arn:aws:eks:us-west-2:111122223333:cluster/my-cluster";

/** What goes wrong, for each code. The order matters to none of them. */
const PROVOKED: Readonly<Record<Exclude<ErrorCode, "bug">, (node: DocsNode) => Promise<Ended>>> = {
  usage: (node) => node.shell("eks-node-agent my-cluster --b64-cluster-cert x"),
  "last-run-broken": (node) => node.shell("echo '{' > /var/lib/eks-node-agent/last-run.json; status=0; eks-node-agent report || status=$?; rm /var/lib/eks-node-agent/last-run.json; exit $status"),
  "no-config": (node) => node.shell("eks-node-agent"),
  "no-last-run": (node) => node.shell("rm -f /var/lib/eks-node-agent/last-run.json; eks-node-agent report"),
  "unit-not-up": (node) => {
    node.write("/stubs/units/kubelet.service/mode", "dies-after-100");
    node.write("/stubs/units/kubelet.service/restart-ms", "100");
    node.write("/stubs/units/kubelet.service/journal", "E0101 kubelet: failed to run Kubelet: no such plugin\n");
    node.write("/root/kubelet.yaml", "healthzPort: 9\n");
    return node.shell("eks-node-agent my-cluster --kubelet-config-file kubelet.yaml");
  },
  "program-missing": (node) => node.shell(`mv /usr/bin/kubelet /etc/eks/kubelet-version.txt /tmp; status=0; ${CONFIGURE} || status=$?; mv /tmp/kubelet /usr/bin; mv /tmp/kubelet-version.txt /etc/eks; exit $status`),
  "write-failed": (node) => node.shell(`rm -rf /etc/kubernetes/pki; mkdir -p /etc/kubernetes/pki/ca.crt; status=0; ${CONFIGURE} || status=$?; rm -rf /etc/kubernetes/pki; exit $status`),
  // The port of "discard", where nothing listens.
  unreachable: (node) => node.shell(CONFIGURE, { environment: { AWS_EC2_METADATA_SERVICE_ENDPOINT: "http://127.0.0.1:9" } }),
  throttled: (node) => withFault(node, { on: "DescribeCluster", kind: "error", status: 429, name: "ThrottlingException", message: "Rate exceeded" }),
  "cluster-not-ready": (node) => withClusterAs(node, { status: "CREATING", endpoint: null, certificateAuthority: null }),
  "lock-busy": (node) => node.shell(`mkdir -p /run/eks-node-agent; flock /run/eks-node-agent/lock sleep 3 & sleep 0.3; status=0; ${CONFIGURE} || status=$?; wait; exit $status`),
  "remote-nonsense": (node) => withFault(node, { on: "/latest/meta-data/mac", kind: "html" }),
  "access-denied": (node) => withFault(node, { on: "DescribeCluster", kind: "error", status: 403, name: "AccessDeniedException", message: NOT_ALLOWED }),
  "no-instance-profile": (node) => {
    node.simulator.setWorld({ ...DOCS_WORLD, role: undefined });
    return node.shell(CONFIGURE);
  },
  "not-root": (node) => node.shell(CONFIGURE, { uid: 65534 }),
  "source-unreadable": (node) => node.shell(`${CONFIGURE} --kubelet-config-file /etc/kubelet.yaml`),
  "cluster-not-found": (node) => node.shell("eks-node-agent my-clustre --wait none"),
  "cluster-unusable": (node) => withClusterAs(node, { status: "FAILED" }),
  "config-invalid": (node) => node.shell(`${CONFIGURE} --apiserver-endpoint https://https://a`),
  "disks-in-use": (node) => withDisk(node, { fstype: "ext4", label: "data", uuid: "1", mountpoint: "/data" }),
  "disks-failed": (node) => withDisk(node, {}),
  "preflight-failed": (node) => node.shell(`${CONFIGURE} --kubelet-extra-args '--network-plugin=cni'`),
};

function withDisk(node: DocsNode, contents: object): Promise<Ended> {
  const lsblk = JSON.stringify({ blockdevices: [{ name: "/dev/nvme1n1", "maj:min": "259:1", type: "disk", size: 1, ...contents }] });
  const programs = { lsblk: `echo '${lsblk}'`, udevadm: "exit 0", blkid: "exit 2", mdadm: 'echo "mdadm: RUN_ARRAY failed: Invalid argument" >&2; exit 1' };
  for (const [name, body] of Object.entries(programs)) node.write(`/usr/bin/${name}`, `#!/bin/sh\n${body}\n`, 0o755);
  node.write("/proc/self/mountinfo", "");
  node.write("/dev/nvme1n1", "");
  mkdirSync(`${node.path}/dev/disk/by-id`, { recursive: true });
  rmSync(`${node.path}${DISK_LINK}`, { force: true });
  symlinkSync("../../nvme1n1", `${node.path}${DISK_LINK}`);
  return node.shell(`${CONFIGURE} --local-disks raid0`);
}

const DISK_LINK = "/dev/disk/by-id/nvme-Amazon_EC2_NVMe_Instance_Storage_AWS1";

function withFault(node: DocsNode, fault: Fault): Promise<Ended> {
  node.simulator.setFaults([fault]);
  return node.shell(CONFIGURE);
}

function withClusterAs(node: DocsNode, change: Parameters<typeof withCluster>[2]): Promise<Ended> {
  node.simulator.setWorld(withCluster(DOCS_WORLD, "my-cluster", change));
  return node.shell(CONFIGURE);
}

describe.skipIf(NO_DOCS_NODE !== undefined)(`the example of an error is what the agent says${IF_SKIPPED}`, () => {
  let node: DocsNode;
  beforeAll(async () => {
    node = await makeDocsNode();
  });
  afterAll(() => node.close());

  test.each(Object.entries(PROVOKED) as [Exclude<ErrorCode, "bug">, (node: DocsNode) => Promise<Ended>][])("%s", async (code, provoke) => {
    node.simulator.setWorld(DOCS_WORLD);
    node.simulator.setFaults([]);
    const { stderr, status } = await provoke(node);
    const said = stderr.slice(stderr.indexOf("error: "));
    expect(neutral(said)).toBe(neutral(`${ERRORS[code].example}\ncode: ${code}, exit status ${EXIT_STATUS[code]}\n`));
    expect(status).toBe(EXIT_STATUS[code]);
  });
});

test("the example of a bug is what the agent says", () => {
  const error = new TypeError("Cannot read properties of undefined (reading 'version')");
  expect(showError(error, { version: "0", colour: false }).text.split("\n")[0]).toBe(ERRORS.bug.example);
});

test("every exit status of an error is in the table of all", () => {
  const listed = EXIT_STATUSES.map(([status]) => status);
  expect(errorCodes().filter(([, status]) => !listed.includes(status))).toEqual([]);
});

/** Without what differs between a run of a second against a simulator and one of minutes on a node. */
function neutral(text: string): string {
  return text
    .replace(/ \(\d+ tries in \d+ s\)/g, "")
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, "http://169.254.169.254")
    .replace(/for more than \d+ s/g, "for long")
    .replace(", the last time with exit status 1", "");
}
