import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { agentPath } from "../../packaging/agent.ts";
import { type Architecture, ARCHITECTURES, HOST } from "../../packaging/architecture.ts";
import { DIST, lockedPackage, projectVersion, ROOT } from "../../packaging/project.ts";
import { buildRpms } from "../../packaging/rpm.ts";
import { findTool, runTool } from "../../packaging/tool.ts";
import { runTask } from "../task.ts";

import "../build.ts";

const architectures = Object.keys(ARCHITECTURES) as readonly Architecture[];
const COMPAT = `dist/eks-node-agent-compat-${projectVersion()}-1.noarch.rpm`;

/** The oldest glibc that the package asks for, and the agent may use. */
const GLIBC_FLOOR = "2.28";
const BUILD_TIMEOUT_MS = 300_000;

const missing = findTool("rpmbuild") === undefined ? "there is no rpmbuild (Debian: rpm)" : await whyNoNode(HOST === "x64" ? "arm64" : "x64");

describe.skipIf(missing !== undefined)(`\`npm run rpm\`${missing === undefined ? "" : ` (skipped: ${missing})`}`, () => {
  let printed: string;
  beforeAll(async () => {
    printed = await runTask("npm run rpm");
  }, BUILD_TIMEOUT_MS);

  test("makes the packages of both architectures in dist/", () => {
    const made = printed.split("\n").filter((line) => line.endsWith(".rpm"));
    expect(new Set(made)).toEqual(new Set([...architectures.map(agentPackage), COMPAT]));
  });

  for (const arch of architectures) describe(`the packages for ${ARCHITECTURES[arch].rpm}`, () => testPackages(arch));
});

/** The Node.js of another architecture is fetched from the registry, once. */
async function whyNoNode(arch: Architecture): Promise<string | undefined> {
  const { version } = lockedPackage(`node-linux-${arch}`);
  return runTool("npm", ["view", `node-linux-${arch}@${version}`, "version", "--prefer-offline", "--fetch-retries=0"]).then(
    () => undefined,
    () => `there is no registry that has node-linux-${arch} ${version}`,
  );
}

function agentPackage(arch: Architecture): string {
  return `dist/eks-node-agent-${projectVersion()}-1.${ARCHITECTURES[arch].rpm}.rpm`;
}

function testPackages(arch: Architecture): void {
  const agent = join(ROOT, agentPackage(arch));
  const compat = join(ROOT, COMPAT);

  test("hold these files, with these owners and modes", async () => {
    expect(await filesOf(agent)).toEqual([
      "-rw-r--r-- root:root /etc/sysconfig/eks-node-agent config noreplace",
      "-rwxr-xr-x root:root /usr/bin/eks-node-agent",
      "-rw-r--r-- root:root /usr/lib/systemd/system-preset/80-eks-node-agent.preset",
      "-rw-r--r-- root:root /usr/lib/systemd/system/eks-node-agent.service",
      "-rw-r--r-- root:root /usr/share/bash-completion/completions/eks-node-agent",
      "-rw-r--r-- root:root /usr/share/fish/vendor_completions.d/eks-node-agent.fish",
      "-rw-r--r-- root:root /usr/share/licenses/eks-node-agent/LICENSE license",
      "-rw-r--r-- root:root /usr/share/man/man8/eks-node-agent.8.gz documentation",
      "-rw-r--r-- root:root /usr/share/zsh/site-functions/_eks-node-agent",
    ]);
    expect(await filesOf(compat)).toEqual([
      "-rwxr-xr-x root:root /etc/eks/bootstrap.sh config noreplace",
      "lrwxrwxrwx root:root /etc/eks/max-pods-calculator.sh -> ../../usr/bin/eks-node-agent",
      "lrwxrwxrwx root:root /usr/bin/imds -> eks-node-agent",
    ]);
  });

  test("hold the executable as it was built", async () => {
    const digests = await query(agent, "[%{FILENAMES} %{FILEDIGESTS}\n]");
    const built = createHash("sha256").update(readFileSync(agentPath(arch))).digest("hex");
    expect(digests.split("\n")).toContain(`/usr/bin/eks-node-agent ${built}`);
  });

  test(`need glibc ${GLIBC_FLOOR}`, async () => {
    expect((await query(agent, "[%{REQUIRENEVRS}\n]")).split("\n")).toContain(`glibc >= ${GLIBC_FLOOR}`);
  });

  const objdump = findTool(`${ARCHITECTURES[arch].gnu}-objdump`);
  test.skipIf(objdump === undefined)("hold an executable that needs no newer glibc", async () => {
    expect(await newestGlibcSymbol(objdump ?? "objdump", arch)).toBe(GLIBC_FLOOR);
  });

  test("start nothing when they are installed or upgraded", async () => {
    const scripts = (await runTool("rpm", ["-qp", "--scripts", agent])) + (await runTool("rpm", ["-qp", "--scripts", compat]));
    const jobs = scripts.split("\n").map((line) => line.trim()).filter((line) => line.startsWith("systemctl "));
    expect(jobs).toEqual([
      "systemctl --no-reload preset eks-node-agent.service || :",
      "systemctl daemon-reload || :",
      "systemctl --no-reload disable --now eks-node-agent.service || :",
      "systemctl --no-reload disable eks-node-agent.service || :",
      "systemctl daemon-reload || :",
    ]);
  });

  // One architecture stands for both: rpmbuild does the same for either. It is the last, whose name is in the compat package as that of the machine that it was made for.
  test.runIf(arch === architectures.at(-1))("are the same, byte for byte, when they are built again", { timeout: BUILD_TIMEOUT_MS }, async () => {
    const again = mkdtempSync(join(tmpdir(), "eks-node-agent-rpm-"));
    onTestFinished(() => rmSync(again, { recursive: true }));
    for (const name of await buildRpms(arch, again, () => undefined)) {
      const [first, second] = [join(DIST, name), join(again, name)];
      expect(await query(second, "%{PAYLOADDIGEST}")).toBe(await query(first, "%{PAYLOADDIGEST}"));
      expect(digestOf(second)).toBe(digestOf(first));
    }
  });

  test.skipIf(findTool("rpmlint") === undefined)("rpmlint has nothing to say", async () => {
    const report = await runTool("rpmlint", ["--config", join(import.meta.dirname, "rpmlint.toml"), agent, compat]);
    expect(report).toContain(" 2 packages and 0 specfiles checked; 0 errors, 0 warnings");
  });
}

/** Without the docs for people, which grow. */
async function filesOf(path: string): Promise<readonly string[]> {
  const format = "[%{FILEMODES:perms} %{FILEUSERNAME}:%{FILEGROUPNAME} %{FILENAMES} -> %{FILELINKTOS} %{FILEFLAGS:fflags}\n]";
  const lines = (await query(path, format)).replace(/\n$/, "").split("\n");
  const flags: Readonly<Record<string, string>> = { cn: " config noreplace", l: " license", d: " documentation" };
  return lines
    .map((line) => line.replace(/ (\w*)$/, (_, letters: string) => flags[letters] ?? letters).replace(/ -> (?!\S*\/|eks)/, ""))
    .filter((line) => !/ \/usr\/share\/doc\//.test(line));
}

function query(path: string, format: string): Promise<string> {
  return runTool("rpm", ["-qp", "--qf", format, path]);
}

async function newestGlibcSymbol(objdump: string, arch: Architecture): Promise<string> {
  const symbols = await runTool(objdump, ["-T", agentPath(arch)]);
  const minors = [...symbols.matchAll(/\bGLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
  return `2.${Math.max(...minors)}`;
}

function digestOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
