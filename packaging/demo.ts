// `npm run demo`: the dry run of a made-up m5.large that is to join a made-up cluster, whose endpoint the agent looks up. Arguments are further options of
// the agent: `npm run demo -- --explain`.
import { spawn } from "node:child_process";
import { agentPath } from "./agent.ts";
import { HOST } from "./architecture.ts";
import { rehearse } from "./rehearsal.ts";

await rehearse(async ({ root, env }) => {
  const args = ["bootstrap", "demo", "--root", root, "--dry-run", ...process.argv.slice(2)];
  process.stdout.write(`$ eks-node-agent ${args.join(" ")}\n\n`);
  process.exitCode = await show(agentPath(HOST), args, env);
});

function show(program: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: "inherit" });
  return new Promise((done, failed) => child.once("error", failed).once("exit", (code) => done(code ?? 1)));
}
