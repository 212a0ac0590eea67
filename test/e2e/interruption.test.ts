import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type Bed, makeBed } from "./bed/bed.ts";
import { describeBeds } from "./bed/describe.ts";
import { until } from "./bed/until.ts";
import { BOOTSTRAP_ARGS, kubeletArguments, kubeletState } from "./node.ts";

const OTHER = ["--kubelet-extra-args", "--node-labels=other=true"];

/** What keeps a run in one of its phases for minutes. */
const PHASES: readonly { readonly phase: string; readonly hold: (bed: Bed) => void | Promise<unknown>; readonly isThere: (bed: Bed) => boolean | Promise<boolean> }[] = [
  {
    phase: "asking IMDS",
    hold: (bed) => bed.cloud.setFaults([{ on: "/latest/meta-data/mac", kind: "hang" }]),
    isThere: async (bed) => (await bed.cloud.requests()).some(({ target }) => target === "/latest/meta-data/mac"),
  },
  {
    phase: "asking EC2 again and again",
    hold: (bed) => bed.cloud.setFaults([{ on: "DescribeInstances", kind: "error", status: 503, name: "RequestLimitExceeded" }]),
    isThere: async (bed) => (await bed.cloud.requests()).some(({ target }) => target === "DescribeInstances"),
  },
  {
    phase: "waiting for the lock",
    hold: (bed) => bed.must("sh", "-c", "mkdir -p /run/eks-node-agent; setsid flock /run/eks-node-agent/lock sleep 300 >/dev/null 2>&1 &"),
    isThere: async (bed) => (await bed.run(["pgrep", "-f", "^flock --conflict"])).status === 0,
  },
  {
    phase: "waiting for containerd",
    hold: (bed) => bed.write("/etc/systemd/system/containerd.service.d/90-slow.conf", "[Service]\nExecStartPre=/bin/sleep 300\n"),
    isThere: (bed) => bed.exists("/etc/systemd/system/kubelet.service.d/10-kubelet-args.conf"),
  },
  {
    phase: "waiting for a healthy kubelet",
    hold: (bed) => bed.write("/etc/fake-kubelet.json", '{"healthz": 500}'),
    isThere: (bed) => bed.kubeletStarts().length > 0,
  },
];

describeBeds("a run that is interrupted", (test) => {
  test.each(PHASES)("ends by SIGTERM while it is $phase, and the next run completes the work", async ({ hold, isThere }) => {
    await using bed = await makeBed();
    await bed.booted();
    await hold(bed);
    const run = bed.run(["sh", "-c", `export AWS_ENDPOINT_URL_EC2=http://10.0.1.1; eks-node-agent ${BOOTSTRAP_ARGS.join(" ")} & echo $! > /run/agent.pid; wait $!; echo $?`]);
    await until("the run has come to that phase", () => isThere(bed));
    await sleep(300);
    await bed.must("sh", "-c", "kill -TERM $(cat /run/agent.pid)");
    await until("the agent has ended", async () => (await bed.run(["sh", "-c", "kill -0 $(cat /run/agent.pid)"])).status !== 0, 3000);
    expect((await run).stdout.trim().split("\n").at(-1)).toBe("143");

    await bed.cloud.setFaults([]);
    bed.remove("/etc/fake-kubelet.json");
    await bed.must("sh", "-c", "rm -f /etc/systemd/system/containerd.service.d/90-slow.conf; systemctl daemon-reload; pkill -x sleep; systemctl stop containerd kubelet || true");
    expect(await bed.agent(...BOOTSTRAP_ARGS)).toMatchObject({ status: 0 });
    expect(bed.kubeletStarts().at(-1)).toEqual(kubeletArguments());
    expect(await kubeletState(bed)).toBe("active");
  });

  test("finishes the file in hand when SIGTERM comes while it writes", async () => {
    await using bed = await makeBed();
    await bed.booted();
    const slowly = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=fsync:delay_enter=400000", "/usr/bin/eks-node-agent", ...BOOTSTRAP_ARGS];
    // systemd-run takes an end by SIGTERM for a good one: the shell tells it apart.
    const run = bed.runUnit(["sh", "-c", '"$@"; echo $?', "sh", ...slowly]);
    await until("it writes", async () => (await bed.must("sh", "-c", "find /etc -name '.*.eks-node-agent-*'")) !== "");
    await bed.must("pkill", "-TERM", "-f", "^/usr/bin/eks-node-agent ");
    expect((await run).stdout.trim().split("\n").at(-1)).toBe("143");
    expect(await bed.must("sh", "-c", "find /etc /var/lib -name '.*.eks-node-agent-*'")).toBe("");
    expect(bed.kubeletStarts()).toEqual([]);
    expect((await bed.agent(...BOOTSTRAP_ARGS)).status).toBe(0);
  });

  test("and another at the same time: one after the other, kubelet is started once", async () => {
    await using bed = await makeBed();
    await bed.booted();
    const runs = await Promise.all([bed.agent(...BOOTSTRAP_ARGS), bed.agent(...BOOTSTRAP_ARGS), bed.agent(...BOOTSTRAP_ARGS)]);
    expect(runs.map(({ status }) => status)).toEqual([0, 0, 0]);
    expect(bed.kubeletStarts()).toEqual([kubeletArguments()]);
  });

  test("by nobody, but that finds another one at work until its deadline, is 75 and names it", async () => {
    await using bed = await makeBed();
    await bed.booted();
    bed.write("/etc/fake-kubelet.json", '{"healthz": 500}');
    const first = bed.agent(...BOOTSTRAP_ARGS, "--wait-timeout", "8s");
    await until("the first run has started kubelet", () => bed.kubeletStarts().length > 0);
    const { status, stderr } = await bed.agent(...BOOTSTRAP_ARGS, "--deadline", "2s");
    expect(stderr).toMatch(/Another run of eks-node-agent, process \d+, holds/);
    expect(status).toBe(75);
    expect((await first).status).toBe(69);
  });
});

describeBeds("a disk that fails", (test) => {
  test.each([
    ["is full", "mount -t tmpfs -o size=64k tmpfs /etc/kubernetes/kubelet && cp /var/keep/* /etc/kubernetes/kubelet && head -c 1M /dev/zero > /etc/kubernetes/kubelet/full || true", "rm -f /etc/kubernetes/kubelet/full"],
    ["is read-only", "mount --bind /etc/kubernetes /etc/kubernetes && mount -o remount,bind,ro /etc/kubernetes", "umount /etc/kubernetes"],
  ])("because it %s: 73, the old file is whole, and the next run completes the work", async (_what, fail, mend) => {
    await using bed = await makeBed();
    await bed.booted();
    expect((await bed.agent(...BOOTSTRAP_ARGS)).status).toBe(0);
    const old = bed.read("/etc/kubernetes/kubelet/kubelet-config.json");
    await bed.must("sh", "-c", `mkdir /var/keep; cp /etc/kubernetes/kubelet/* /var/keep; ${fail}`);
    const { status, stderr } = await bed.agent(...BOOTSTRAP_ARGS.slice(0, -1), "172.20.0.11", ...OTHER);
    expect(stderr).toContain("/etc/kubernetes/kubelet/kubelet-config.json");
    expect(status).toBe(73);
    expect(bed.read("/etc/kubernetes/kubelet/kubelet-config.json")).toBe(old);
    await bed.must("sh", "-c", mend);
    expect((await bed.agent(...BOOTSTRAP_ARGS.slice(0, -1), "172.20.0.11", ...OTHER)).status).toBe(0);
    expect(bed.read("/etc/kubernetes/kubelet/kubelet-config.json")).toContain("172.20.0.11");
    expect(bed.kubeletStarts()).toEqual([kubeletArguments(), kubeletArguments(["--node-labels=other=true"])]);
  });

  test.each([1, 2, 5, 9])("at rename number %i (EIO): 73, every file is whole, and the next run completes the work", async (count) => {
    await using bed = await makeBed();
    await bed.booted();
    expect((await bed.agent(...BOOTSTRAP_ARGS)).status).toBe(0);
    const change = [...BOOTSTRAP_ARGS.slice(0, -1), "172.20.0.11", ...OTHER, "--node-name", "instance-id"];
    const failing = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", `inject=rename:error=EIO:when=${count}`, "/usr/bin/eks-node-agent", ...change];
    const { status } = await bed.runUnit(failing, ["Environment=UV_THREADPOOL_SIZE=1"]);
    expect([0, 73]).toContain(status);
    expect(await bed.must("sh", "-c", "find /etc /var/lib -name '.*.eks-node-agent-*'")).toBe("");
    expect((await bed.agent(...change)).status).toBe(0);
    // A run that fails after the restart, when it would write that down, leaves one restart more to be made.
    const final = bed.kubeletStarts().at(-1);
    expect(final).toContain("--hostname-override=i-0123456789abcdef0");
    expect(final).toContain("--node-labels=other=true");
  });
});
