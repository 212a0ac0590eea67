// `npm run example`: writes docs/report-example.svg anew, from a run of the executable on a machine that has nothing else, with an AWS
// that answers badly at first. Needs root, since it changes the root directory.
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { projectPath } from "../../packaging/generate.ts";
import { makeNodeRoot } from "../program/node-root.ts";
import type { Fault } from "../simulator/faults.ts";
import { startSimulator } from "../simulator/simulator.ts";

const FAULTS: readonly Fault[] = [
  { on: "/latest/meta-data/services/domain", kind: "status", status: 503, times: 2 },
  { on: "DescribeCluster", kind: "error", status: 429, name: "ThrottlingException", times: 2 },
];

const simulator = await startSimulator({ latency: { imdsMs: 15, awsMs: 120 }, faults: FAULTS });
const node = makeNodeRoot();
const healthz = createServer((_request, response) => response.end("ok")).listen(0, "127.0.0.1");
try {
  await new Promise((done) => healthz.once("listening", done));
  node.write("/kubelet.json", JSON.stringify({ healthzPort: (healthz.address() as AddressInfo).port }));
  await runWell(["demo", "--kubelet-config-file", "/kubelet.json", "--kubelet-extra-args", "--node-labels=team=a"]);
  writeFileSync(projectPath("docs/report-example.svg"), await runWell(["report", "--output", "svg"]));
} finally {
  healthz.close();
  node.remove();
  await simulator.close();
}

async function runWell(args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await node.run(args, { environment: simulator.environment });
  if (status !== 0) throw new Error(`eks-node-agent ${args.join(" ")} ended with status ${status}: ${stderr}`);
  return stdout;
}
