// `npm run build`: makes dist/eks-node-agent. `-- --arch x64|arm64` makes that of an architecture, `-- --all` those of both.
import { parseArgs } from "node:util";
import { type Architecture, ARCHITECTURES, HOST, parseArchitecture } from "./architecture.ts";
import { buildAgent } from "./agent.ts";

const { values } = parseArgs({ options: { arch: { type: "string", default: HOST }, all: { type: "boolean", default: false } } });
const wanted = values.all ? (Object.keys(ARCHITECTURES) as Architecture[]) : [parseArchitecture(values.arch)];
for (const arch of wanted) await buildAgent(arch, (line) => process.stdout.write(`${line}\n`));
