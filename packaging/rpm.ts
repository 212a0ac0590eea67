// `npm run rpm`: makes the packages of both architectures in dist/. `-- --arch x64|arm64` makes those of one.
import { copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildAgent } from "./agent.ts";
import { type Architecture, ARCHITECTURES, parseArchitecture } from "./architecture.ts";
import { BUILD, DIST, projectVersion, ROOT } from "./project.ts";
import { writeRpmSources } from "./rpm-content.ts";
import { runTool } from "./tool.ts";

/**
 * Makes eks-node-agent for `arch`, and eks-node-agent-compat, which fits both, in `output`.
 *
 * @returns the names of the two files
 */
export async function buildRpms(arch: Architecture, output: string, say: (line: string) => void): Promise<readonly string[]> {
  await buildAgent(arch, say);
  const work = join(BUILD, `rpm-${arch}.${process.pid}`);
  writeRpmSources(arch, join(work, "SOURCES"));
  await runRpmbuild(arch, work);
  const names = readdirSync(join(work, "RPMS"));
  mkdirSync(output, { recursive: true });
  for (const name of names) copyFileSync(join(work, "RPMS", name), join(output, name));
  rmSync(work, { recursive: true });
  return names;
}

async function runRpmbuild(arch: Architecture, work: string): Promise<void> {
  const defines = {
    _topdir: work,
    _rpmdir: join(work, "RPMS"),
    _rpmfilename: "%%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm",
    // rpm allows no hyphen in a version; a "~" sorts a release candidate before its release.
    agent_version: projectVersion().replaceAll("-", "~"),
  };
  const options = Object.entries(defines).flatMap(([name, value]) => ["--define", `${name} ${value}`]);
  const env = { SOURCE_DATE_EPOCH: await sourceDate() };
  await runTool("rpmbuild", ["-bb", "--quiet", "--target", ARCHITECTURES[arch].rpm, ...options, join(ROOT, "rpm/eks-node-agent.spec")], { env });
}

/** Seconds since 1970: SOURCE_DATE_EPOCH, else the time of the commit, else that of ZIP's first day, for sources without their history. */
async function sourceDate(): Promise<string> {
  const given = process.env["SOURCE_DATE_EPOCH"];
  if (given !== undefined) return given;
  return (await runTool("git", ["-C", ROOT, "log", "-1", "--format=%ct"]).catch(() => "315532800")).trim();
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { arch: { type: "string" } } });
  const wanted = values.arch === undefined ? (Object.keys(ARCHITECTURES) as Architecture[]) : [parseArchitecture(values.arch)];
  const say = (line: string): boolean => process.stdout.write(`${line}\n`);
  for (const arch of wanted) {
    for (const name of await buildRpms(arch, DIST, say)) say(`dist/${name}`);
  }
}
