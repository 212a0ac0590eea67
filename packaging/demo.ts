// `npm run demo`: joins a made-up node to a made-up cluster, in a folder that goes away afterwards: what would be done, the doing, and that nothing is
// left to do. Arguments are further options of the agent: `npm run demo -- --explain`.
import { spawn } from "node:child_process";
import { agentPath } from "./agent.ts";
import { HOST } from "./architecture.ts";
import { rehearse } from "./rehearsal.ts";

const RUNS = [["--dry-run"], [], ["--dry-run"]];

await rehearse(async ({ root, env }) => {
  for (const options of RUNS) {
    const args = ["bootstrap", "demo", "--root", root, ...options, ...process.argv.slice(2)];
    process.stdout.write(`\n$ eks-node-agent ${args.join(" ")}\n`);
    process.exitCode = await show(agentPath(HOST), args, env);
    if (process.exitCode !== 0) return;
  }
});

function show(program: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: "inherit" });
  return new Promise((done, failed) => child.once("error", failed).once("exit", (code) => done(code ?? 1)));
}
