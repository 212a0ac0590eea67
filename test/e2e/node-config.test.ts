import { expect } from "vitest";
import { type Bed, makeBed } from "./bed/bed.ts";
import { describeBeds } from "./bed/describe.ts";
import { CA, ENDPOINT } from "./node.ts";

const FILE = "/etc/eks/nodeadm.d/10-node.yaml";

/** @param spec lines of the document after its cluster */
function nodeConfig(spec: string): string {
  return `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster:
    name: demo
    apiServerEndpoint: ${ENDPOINT}
    certificateAuthority: ${CA}
    cidr: 172.20.0.0/16
${spec}`;
}

/** Of the variables, those that a service's program finds in its environment. */
async function environmentOf(bed: Bed, unit: string, ...names: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { MainPID = "" } = await bed.show(unit, "MainPID");
  const variables = (await bed.must("cat", `/proc/${MainPID}/environ`)).split("\0").map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)] as const);
  return Object.fromEntries(variables.filter(([name]) => names.includes(name)));
}

const ODD = "a 'b' \"c\" $HOME 100% %h back\\slash #x";

describeBeds("spec.instance.environment", (test) => {
  test("is what services find, letter by letter, and is gone again when it is no longer asked for", async () => {
    await using bed = await makeBed();
    await bed.booted();
    bed.write(FILE, nodeConfig(`  instance:\n    environment:\n      default: {ODD: ${JSON.stringify(ODD)}, OF: all}\n      kubelet: {OF: kubelet}\n`));
    expect(await bed.agent()).toMatchObject({ status: 0 });
    expect(await environmentOf(bed, "kubelet.service", "ODD", "OF")).toEqual({ ODD, OF: "kubelet" });
    expect(await environmentOf(bed, "containerd.service", "ODD", "OF")).toEqual({ ODD, OF: "all" });

    bed.write(FILE, nodeConfig("  instance:\n    environment:\n      default: {OF: others}\n"));
    expect(await bed.agent()).toMatchObject({ status: 0 });
    expect(await environmentOf(bed, "kubelet.service", "ODD", "OF")).toEqual({ OF: "others" });
    expect(await environmentOf(bed, "containerd.service", "ODD", "OF")).toEqual({ OF: "others" });

    bed.write(FILE, nodeConfig(""));
    expect(await bed.agent()).toMatchObject({ status: 0 });
    expect(await environmentOf(bed, "kubelet.service", "ODD", "OF")).toEqual({});
    expect(await environmentOf(bed, "containerd.service", "ODD", "OF")).toEqual({});
  });

  test("is not shown", async () => {
    await using bed = await makeBed();
    await bed.booted();
    bed.write(FILE, nodeConfig("  instance:\n    environment:\n      default: {NOT_SHOWN: hush-hush}\n"));
    const { status, stdout, stderr } = await bed.agent("--dry-run", "--explain", "--log-level", "debug");
    expect(status).toBe(0);
    expect(stdout).toContain("/etc/systemd/system.conf.d/50-eks-environment.conf");
    expect(stdout + stderr).not.toContain("hush-hush");
  });
});

describeBeds("spec.containerd.config", (test) => {
  test("that containerd refuses stops the run, and containerd runs on with what it had", async () => {
    await using bed = await makeBed();
    await bed.booted();
    bed.write(FILE, nodeConfig(""));
    expect(await bed.agent()).toMatchObject({ status: 0 });
    const [before, { MainPID = "" }] = [bed.read("/etc/containerd/config.toml"), await bed.show("containerd.service", "MainPID")];

    bed.write(FILE, nodeConfig('  containerd:\n    config: |\n      [plugins."io.containerd.grpc.v1.cri"]\n      max_concurrent_downloads = "three"\n'));
    const { status, stderr } = await bed.agent();
    expect(status).toBe(78);
    expect(stderr).toContain("containerd cannot use the configuration that is planned for /etc/containerd/config.toml: ");
    expect(stderr).toContain(FILE);
    expect(bed.read("/etc/containerd/config.toml")).toBe(before);
    expect(await bed.show("containerd.service", "MainPID", "ActiveState")).toEqual({ MainPID, ActiveState: "active" });
  });

  test("reaches containerd, which is started anew", async () => {
    await using bed = await makeBed();
    await bed.booted();
    bed.write(FILE, nodeConfig(""));
    expect(await bed.agent()).toMatchObject({ status: 0 });
    bed.write(FILE, nodeConfig('  containerd:\n    config: |\n      [plugins."io.containerd.grpc.v1.cri"]\n      max_concurrent_downloads = 7\n'));
    expect(await bed.agent()).toMatchObject({ status: 0 });
    expect(await bed.must("containerd", "config", "dump")).toContain("max_concurrent_downloads = 7");
    expect((await bed.show("containerd.service", "ActiveState")).ActiveState).toBe("active");
  });
});
