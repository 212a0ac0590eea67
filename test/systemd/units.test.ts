import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../packaging/project.ts";
import { findTool } from "../../packaging/tool.ts";
import { EMPTY_NODE_CONFIG, type NodeConfig } from "../../src/config/node-config.ts";
import { EXIT_STATUS } from "../../src/errors.ts";
import { sourced } from "../../src/lib/sourced.ts";
import { render } from "../../src/render/plan.ts";
import type { Facts } from "../../src/resolve/facts.ts";
import { resolveNode } from "../../src/resolve/node.ts";

const UNIT = readFileSync(join(ROOT, "systemd/eks-node-agent.service"), "utf8");
/** Where Debian and Red Hat-like systems keep the units that all others refer to. */
const SYSTEM_UNITS = "/usr/lib/systemd/system";

/** Source: systemd.exec(5), "Process Exit Codes". */
const SYSEXITS: Readonly<Record<string, number>> = {
  USAGE: 64,
  DATAERR: 65,
  NOINPUT: 66,
  NOUSER: 67,
  NOHOST: 68,
  UNAVAILABLE: 69,
  SOFTWARE: 70,
  OSERR: 71,
  OSFILE: 72,
  CANTCREAT: 73,
  IOERR: 74,
  TEMPFAIL: 75,
  PROTOCOL: 76,
  NOPERM: 77,
  CONFIG: 78,
};

/** All that a unit file can hold of what an operator asks for. */
const CONFIG: NodeConfig = {
  ...EMPTY_NODE_CONFIG,
  cluster: {
    name: sourced("demo", "test"),
    apiServerEndpoint: sourced("https://demo.example.com", "test"),
    certificateAuthority: sourced("-----BEGIN CERTIFICATE-----\n", "test"),
    serviceCidrs: [sourced("172.20.0.0/16", "test")],
  },
  kubelet: { ...EMPTY_NODE_CONFIG.kubelet, flags: [sourced(["--node-labels=a=b", `--v=5`, "--odd=% $HOME ${HOME} \\ ' \" <"], "test")] },
};

const FACTS: Facts = {
  instance: {
    id: "i-0123456789abcdef0",
    type: "m5.large",
    region: "us-west-2",
    zone: "us-west-2a",
    accountId: "111122223333",
    dnsSuffix: "amazonaws.com",
    mac: "02:01:23:45:67:89",
    localIpv4: "10.0.1.23",
  },
  privateDnsName: "ip-10-0-1-23.us-west-2.compute.internal",
  kubeletVersion: { value: { version: "1.33.1", source: "test" } },
  containerdVersion: { value: { version: "2.1.4", source: "test" } },
  host: {
    cpus: 2,
    memoryMiB: 8192,
    architecture: "x86_64",
    cgroupVersion: 2,
    swapOn: false,
    fips: false,
    nvidiaDevice: false,
    // As on every machine whose systemd is 238 or later, which mounts it, and takes no unit of anybody's for it.
    bpfMounted: true,
    sysctls: {},
    programs: { iptables: "/usr/sbin/iptables", containerd: "/usr/bin/containerd", "ecr-credential-provider": "/etc/eks/image-credential-provider/ecr-credential-provider" },
    files: {},
    present: [],
    enabledUnits: [],
  },
};

const missing = findTool("systemd-analyze") === undefined || !existsSync(join(SYSTEM_UNITS, "sysinit.target"));
describe.skipIf(missing)(missing ? "systemd-analyze verify: not tried, this machine has no systemd" : "systemd-analyze verify has nothing to say", () => {
  const root = mkdtempSync(join(tmpdir(), "eks-node-agent-units-"));
  const rendered = render(resolveNode(CONFIG, FACTS)).files.filter(({ isUnitFile }) => isUnitFile);
  afterAll(() => rmSync(root, { recursive: true }));

  beforeAll(() => {
    const targetsOnly = (path: string): boolean => path === SYSTEM_UNITS || path.endsWith(".target");
    cpSync(SYSTEM_UNITS, join(root, SYSTEM_UNITS), { recursive: true, filter: targetsOnly });
    put(root, `${SYSTEM_UNITS}/containerd.service`, "[Service]\nExecStart=/usr/bin/containerd\n");
    put(root, `${SYSTEM_UNITS}/eks-node-agent.service`, UNIT);
    for (const { path, contents } of rendered) put(root, path, contents);
    for (const program of ["/usr/bin/eks-node-agent", "/usr/bin/kubelet", "/usr/bin/containerd", "/usr/sbin/iptables"]) put(root, program, "", 0o755);
  });

  test("about eks-node-agent.service", () => expect(verify(root, "eks-node-agent.service")).toEqual({ status: 0, said: "" }));

  test("about the units and drop-ins that a node gets", () => {
    const units = rendered.map(({ path }) => basename(path)).filter((name) => /\.(service|mount)$/.test(name));
    expect(units).toContain("kubelet.service");
    for (const unit of [...units, "containerd.service"]) expect({ unit, ...verify(root, unit) }).toEqual({ unit, status: 0, said: "" });
  });
});

test("eks-node-agent.service retries what a later try may cure, and nothing else", () => {
  const prevented = settings("RestartPreventExitStatus").flatMap((value) => value.split(" ").map((name) => SYSEXITS[name] ?? Number(name)));
  const statuses = [...new Set(Object.values(EXIT_STATUS))];
  expect(statuses.filter((status) => !prevented.includes(status))).toEqual([75]);
});

test.each([...UNIT.matchAll(/^(?:After|Before|Wants|Requires|WantedBy|RequiredBy)=.*$/gm)].map(([line]) => line))("eks-node-agent.service gives its reason for %s", (line) => {
  const lines = UNIT.split("\n");
  expect(lines[lines.indexOf(line) - 1]).toMatch(/^# ./);
});

function settings(name: string): readonly string[] {
  return [...UNIT.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);
}

/** --man=no, since the manual page is in the package and not on this machine. */
function verify(root: string, unit: string): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", `--root=${root}`, unit], { encoding: "utf8" });
  return { status, said: stdout + stderr };
}

function put(root: string, path: string, contents: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), contents, { mode });
}
