import type { LastRun } from "../../src/report/last-run.ts";

/** A run in which all went well at once. */
export const DONE: LastRun = {
  version: "1.2.3",
  startedAt: "2026-01-31T12:00:00.000Z",
  durationMs: 240,
  inputs: { commandLine: ["demo"], environment: [], sources: ["command line: demo"] },
  node: { cluster: "demo", instanceId: "i-0123456789abcdef0", instanceType: "m5.large", zone: "us-west-2a", kubeletVersion: "1.33.5" },
  phases: [
    { name: "config", title: "reading the configuration", startMs: 60, durationMs: 2, outcome: "done" },
    { name: "facts", title: "asking the instance metadata, AWS and the host", startMs: 62, durationMs: 120, outcome: "done" },
    { name: "observe", title: "looking at the machine", startMs: 182, durationMs: 20, outcome: "done" },
    { name: "apply", title: "applying the changes", startMs: 203, durationMs: 30, outcome: "done" },
    { name: "verify", title: "waiting for kubelet", startMs: 233, durationMs: 6, outcome: "done" },
  ],
  requests: [
    { service: "imds", target: "/latest/api/token", attempt: 1, startMs: 63, durationMs: 4, status: 200 },
    { service: "imds", target: "/latest/meta-data/mac", attempt: 1, startMs: 67, durationMs: 5, status: 200 },
    { service: "imds", target: "/latest/meta-data/local-ipv4", attempt: 1, startMs: 67, durationMs: 5, status: 404 },
    { service: "ec2", target: "DescribeInstances", attempt: 1, startMs: 80, durationMs: 100, status: 200 },
  ],
  retries: [],
  commands: [{ argv: ["/usr/bin/kubelet", "--version"], startMs: 64, durationMs: 30 }],
  changes: [
    { kind: "write-file", subject: "/etc/kubernetes/pki/ca.crt", outcome: "done", startMs: 204, durationMs: 4 },
    { kind: "write-file", subject: "/etc/systemd/system/kubelet.service", outcome: "done", startMs: 204, durationMs: 6 },
    { kind: "remove-file", subject: "/etc/systemd/system/kubelet.service.d/30-kubelet-extra-args.conf", outcome: "done", startMs: 210, durationMs: 1 },
    { kind: "reload-systemd", outcome: "done", startMs: 211, durationMs: 9 },
    { kind: "start-unit", subject: "kubelet.service", outcome: "done", startMs: 220, durationMs: 12 },
  ],
  notes: [],
  findings: [],
  result: { kind: "done", exitStatus: 0 },
};

/** A run with tries again, notes, a step that failed and one that was not reached. */
export const FAILED: LastRun = {
  ...DONE,
  durationMs: 95_250,
  inputs: {
    commandLine: ["bootstrap", "demo", "--b64-cluster-ca", "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t".repeat(40), "--kubelet-extra-args", "--node-labels=team=it's", "--docker-config-json", "<redacted>"],
    environment: ["APISERVER_ENDPOINT", "KUBELET_EXTRA_ARGS"],
    sources: ["environment APISERVER_ENDPOINT", "environment KUBELET_EXTRA_ARGS", "command line: demo", "option --b64-cluster-ca"],
  },
  phases: [
    { name: "config", title: "reading the configuration", startMs: 60, durationMs: 2, outcome: "done" },
    { name: "facts", title: "asking the instance metadata, AWS and the host", startMs: 62, durationMs: 90_938, outcome: "done" },
    { name: "observe", title: "looking at the machine", startMs: 91_000, durationMs: 20, outcome: "done" },
    { name: "apply", title: "applying the changes", startMs: 91_020, durationMs: 4_230, outcome: "failed" },
  ],
  requests: [
    { service: "imds", target: "/latest/api/token", attempt: 1, startMs: 63, durationMs: 2_000, failure: "no answer within 2 s" },
    { service: "imds", target: "/latest/api/token", attempt: 2, startMs: 2_113, durationMs: 7, status: 200 },
    { service: "imds", target: "/latest/meta-data/network/interfaces/macs/02:01:23:45:67:89/vpc-ipv4-cidr-blocks", attempt: 1, startMs: 2_120, durationMs: 9, status: 200 },
    { service: "eks", target: "DescribeCluster", attempt: 1, startMs: 2_200, durationMs: 90, status: 429 },
    { service: "eks", target: "DescribeCluster", attempt: 2, startMs: 22_290, durationMs: 110, status: 429 },
    { service: "eks", target: "DescribeCluster", attempt: 3, startMs: 52_400, durationMs: 5_000, failure: "no answer within 5 s" },
    { service: "eks", target: "DescribeCluster", attempt: 4, startMs: 90_880, durationMs: 120, status: 200 },
    { service: "ec2", target: "DescribeInstanceTypes", attempt: 1, startMs: 2_200, durationMs: 80, status: 403 },
  ],
  retries: [
    { service: "imds", target: "/latest/api/token", failures: 1, startMs: 2_063, durationMs: 50, reason: "no answer within 2 s" },
    { service: "eks", target: "DescribeCluster", failures: 1, startMs: 2_290, durationMs: 20_000, reason: "it is throttled (ThrottlingException: Rate exceeded)" },
    { service: "eks", target: "DescribeCluster", failures: 2, startMs: 22_400, durationMs: 30_000, reason: "it is throttled (ThrottlingException: Rate exceeded)" },
    { service: "eks", target: "DescribeCluster", failures: 3, startMs: 57_400, durationMs: 33_480, reason: "no answer within 5 s" },
  ],
  commands: [
    { argv: ["/usr/bin/kubelet", "--version"], startMs: 64, durationMs: 30 },
    { argv: ["/usr/bin/containerd", "--version"], startMs: 64, durationMs: 10_000, failure: "it did not end within 10 s" },
  ],
  changes: [
    { kind: "write-file", subject: "/etc/systemd/system/kubelet.service.d/20-kubelet-cloud-provider.conf", outcome: "done", startMs: 91_040, durationMs: 10 },
    { kind: "enable-unit", subject: "containerd.service", outcome: "done", startMs: 91_050, durationMs: 30 },
    { kind: "restart-unit", subject: "containerd.service", outcome: "failed", startMs: 91_080, durationMs: 4_170 },
    { kind: "start-unit", subject: "kubelet.service", outcome: "not reached" },
  ],
  notes: [{ code: "dns-guessed", message: "The cluster DNS address 172.20.0.10 is a guess, since the VPC's block 10.0.0.0/16 lies in 10.0.0.0/8. Give --service-ipv4-cidr to be certain." }],
  findings: [
    {
      severity: "note",
      code: "flag-deprecated",
      message: 'The flag "--register-node" is deprecated in kubelet 1.33',
      source: "option --kubelet-extra-args",
      remedy: "Set registerNode in the kubelet configuration instead.",
    },
  ],
  result: {
    kind: "failed",
    exitStatus: 69,
    code: "unit-not-up",
    message: "containerd.service is not running: failed (failed), exit status 1",
    lines: ["containerd: failed to load TOML: /etc/containerd/config.toml: invalid & broken <here>", "containerd.service: Main process exited, code=exited, status=1/FAILURE"],
    remedy: "See why: journalctl -u containerd.service.",
  },
};

/** A run that a signal ended while it was asking. */
export const STOPPED: LastRun = {
  ...DONE,
  durationMs: 1_500,
  node: {},
  phases: [{ name: "facts", title: "asking the instance metadata, AWS and the host", startMs: 60, durationMs: 1_440, outcome: "failed" }],
  requests: [{ service: "imds", target: "/latest/api/token", attempt: 1, startMs: 63, durationMs: 1_437, failure: "ended by SIGTERM" }],
  commands: [],
  changes: [],
  result: { kind: "stopped", signal: "SIGTERM" },
};
