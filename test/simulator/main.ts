import { startSimulator } from "./simulator.ts";
import { WORLD } from "./world.ts";
import { readFileSync } from "node:fs";

/** `node test/simulator/main.ts [PORT] [USER-DATA-FILE]`: prints the variables to export, then serves until it is interrupted. */
const [port, userDataFile] = process.argv.slice(2);
const userData = userDataFile === undefined ? undefined : readFileSync(userDataFile);
const simulator = await startSimulator({ port: Number(port ?? 0), world: { ...WORLD, userData } });
for (const [name, value] of Object.entries(simulator.environment)) process.stdout.write(`export ${name}=${value}\n`);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void simulator.close());
