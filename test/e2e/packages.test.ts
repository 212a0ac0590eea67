import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, inject } from "vitest";
import { type Bed, makeBed } from "./bed/bed.ts";
import { describeBeds } from "./bed/describe.ts";
import { must } from "./bed/execute.ts";
import { BOOTSTRAP_ARGS, kubeletState } from "./node.ts";

const COMPAT = ["/etc/eks/bootstrap.sh", "/etc/eks/max-pods-calculator.sh", "/usr/bin/imds"];

describeBeds("the RPM packages", (test) => {
  test("install, with the unit there, disabled and not started", async () => {
    await using bed = await bareBed();
    await bed.must("sh", "-c", "rpm --install /packages/*.rpm");
    expect(await bed.show("eks-node-agent.service", "LoadState", "UnitFileState", "ActiveState")).toEqual({ LoadState: "loaded", UnitFileState: "disabled", ActiveState: "inactive" });
    expect(await bed.must("rpm", "--verify", "eks-node-agent", "eks-node-agent-compat")).toBe("");
    expect(await bed.must("/usr/bin/eks-node-agent", "--version")).toMatch(/^eks-node-agent \d/);
  });

  test("bring imds and max-pods-calculator.sh, which answer as those of bootstrap.sh's images", async () => {
    await using bed = await makeBed();
    await bed.booted();
    expect(await bed.must("/usr/bin/imds", "/latest/meta-data/instance-id")).toBe("i-0123456789abcdef0");
    expect(await bed.must("/etc/eks/max-pods-calculator.sh", "--instance-type-from-imds", "--cni-version", "1.18.3")).toBe("29");
  });

  test("upgrade an older build: the unit stays enabled, nothing is started, the operator's files are kept", async () => {
    await using bed = await bareBed();
    await installOlder(bed);
    await bed.must("systemctl", "enable", "--quiet", "eks-node-agent.service");
    bed.write("/etc/sysconfig/eks-node-agent", "EKS_NODE_AGENT_ARGS=mine\n");
    await bed.must("sh", "-c", "rpm --upgrade /packages/eks-node-agent-[0-9]*.rpm");
    expect(await bed.show("eks-node-agent.service", "UnitFileState", "ActiveState", "NeedDaemonReload")).toEqual({ UnitFileState: "enabled", ActiveState: "inactive", NeedDaemonReload: "no" });
    expect(bed.read("/etc/sysconfig/eks-node-agent")).toBe("EKS_NODE_AGENT_ARGS=mine\n");
    expect(await bed.must("rpm", "-q", "--queryformat", "%{VERSION}\n", "eks-node-agent")).not.toContain("0.0.1");
  });

  test("keep a line that an image's builder has put into bootstrap.sh, when they are upgraded", async () => {
    await using bed = await bareBed();
    await bed.must("sh", "-c", "rpm --install /packages/*.rpm");
    await bed.must("sed", "-i", "/^set -o errexit/a echo mine", "/etc/eks/bootstrap.sh");
    await bed.must("sh", "-c", "rpm --upgrade --replacepkgs /packages/*.rpm");
    expect(bed.read("/etc/eks/bootstrap.sh")).toContain("echo mine\n");
  });

  test("are removed: the unit is disabled, the node stays as it is, and a kubeconfig that names the agent is told of", async () => {
    await using bed = await makeBed();
    await bed.booted();
    expect((await bed.agent(...BOOTSTRAP_ARGS)).status).toBe(0);
    await bed.must("systemctl", "enable", "--quiet", "eks-node-agent.service");
    const kubeconfig = bed.read("/var/lib/kubelet/kubeconfig").replace(/command: .*|"command": ".*"/, "command: /usr/bin/eks-node-agent");
    bed.write("/var/lib/kubelet/kubeconfig", kubeconfig);
    const { status, stderr } = await bed.run(["rpm", "--erase", "eks-node-agent", "eks-node-agent-compat"]);
    expect(status).toBe(0);
    expect(stderr).toContain("Warning: /var/lib/kubelet/kubeconfig names /usr/bin/eks-node-agent, which is being removed");
    expect(await bed.must("sh", "-c", "find /etc/systemd -lname '*eks-node-agent*'; ls -d /usr/bin/eks-node-agent /etc/eks/bootstrap.sh 2>/dev/null | cat")).toBe("");
    expect(bed.read("/var/lib/kubelet/kubeconfig")).toBe(kubeconfig);
    expect(await kubeletState(bed)).toBe("active");
  });

  test.each(COMPAT)("leave %s alone when it is there without a package, and say so", async (path) => {
    await using bed = await bareBed();
    bed.write(path, "#!/bin/sh\necho theirs\n", 0o755);
    const { status, stderr } = await bed.run(["sh", "-c", "rpm --install /packages/*.rpm"]);
    expect(stderr).toContain(`eks-node-agent-compat brings its own ${path}, and will not replace the one that is there`);
    expect(status).not.toBe(0);
    expect(bed.read(path)).toBe("#!/bin/sh\necho theirs\n");
    expect((await bed.run(["rpm", "-q", "eks-node-agent"])).status).toBe(0);
    expect((await bed.run(["rpm", "-q", "eks-node-agent-compat"])).status).toBe(1);
  });

  test("do not take a file of another package's", async () => {
    await using bed = await bareBed();
    await installTheirs(bed);
    const { status, stderr } = await bed.run(["sh", "-c", "rpm --install /packages/*.rpm"]);
    expect(stderr).toContain("/etc/eks/bootstrap.sh");
    expect(stderr).toContain("theirs-1-1");
    expect(status).not.toBe(0);
    expect(bed.read("/etc/eks/bootstrap.sh")).toBe("theirs\n");
  });
});

/** Debian without the agent, and its packages in /packages. */
async function bareBed(): Promise<Bed> {
  const bed = await makeBed({ bare: true });
  const { packages, folder } = inject("beds");
  mkdirSync(bed.outside("/packages"));
  for (const path of packages) cpSync(path, join(bed.outside("/packages"), basename(path)));
  cpSync(join(folder, "noarch/bed-provides-1-1.noarch.rpm"), bed.outside("/bed-provides.rpm"));
  await bed.booted();
  await bed.must("rpm", "--install", "/bed-provides.rpm");
  return bed;
}

/** A package of these names with a version before every release. */
async function installOlder(bed: Bed): Promise<void> {
  const unit = readFileSync(join(import.meta.dirname, "../../systemd/eks-node-agent.service"), "utf8");
  await installPackage(bed, "eks-node-agent", "0.0.1", {
    "/usr/bin/eks-node-agent": "#!/bin/sh\necho older\n",
    "/usr/lib/systemd/system/eks-node-agent.service": unit.replace(/^Description=.*$/m, "Description=older"),
    "/etc/sysconfig/eks-node-agent": "# older\n",
  }, ["/etc/sysconfig/eks-node-agent"]);
}

async function installTheirs(bed: Bed): Promise<void> {
  await installPackage(bed, "theirs", "1", { "/etc/eks/bootstrap.sh": "theirs\n" }, []);
}

async function installPackage(bed: Bed, name: string, version: string, files: Readonly<Record<string, string>>, configs: readonly string[]): Promise<void> {
  const list = Object.keys(files).map((path) => `%attr(0755, root, root) ${configs.includes(path) ? "%config(noreplace) " : ""}${path}`);
  const head = [`Name: ${name}`, `Version: ${version}`, "Release: 1", `Summary: ${name}`, "License: MIT", "BuildArch: noarch", "AutoReqProv: no"];
  const install = Object.entries(files).map(([path, text]) => `install -D /dev/stdin %{buildroot}${path} <<'END'\n${text}END`);
  const work = join(inject("beds").folder, `${bed.name}-${name}`);
  mkdirSync(work);
  const spec = join(work, `${name}.spec`);
  writeFileSync(spec, [...head, "%description", name, "%install", ...install, "%files", ...list, ""].join("\n"));
  await must(["rpmbuild", "-bb", "--quiet", "--define", `_topdir ${work}`, "--define", `_rpmdir ${work}`, spec]);
  cpSync(join(work, `noarch/${name}-${version}-1.noarch.rpm`), bed.outside(`/${name}.rpm`));
  await bed.must("rpm", "--install", `/${name}.rpm`);
}
