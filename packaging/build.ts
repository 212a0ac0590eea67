// `npm run build`: makes dist/eks-node-agent. `-- --arch x64|arm64` makes that of an architecture, `-- --all` those of both.
import { parseArgs } from "node:util";
import { buildAgent } from "./agent.ts";
import { type Architecture, ARCHITECTURES, HOST, parseArchitecture } from "./architecture.ts";

const { values } = parseArgs({ options: { arch: { type: "string", default: HOST }, all: { type: "boolean", default: false } } });
try {
  const wanted = values.all ? (Object.keys(ARCHITECTURES) as Architecture[]) : [parseArchitecture(values.arch)];
  for (const arch of wanted) await buildAgent(arch, (line) => process.stdout.write(`${line}\n`));
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
}
