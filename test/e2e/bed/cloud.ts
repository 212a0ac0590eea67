import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Fault } from "../../simulator/faults.ts";
import type { SimulatedRequest } from "../../simulator/simulator.ts";
import { type World, WORLD } from "../../simulator/world.ts";
import { skyOf } from "./network.ts";
import type { SkyOrder } from "./sky.ts";

/** A bed's AWS, IMDS at 169.254.169.254 included. Each change holds when its promise is kept. */
export type Cloud = {
  readonly setWorld: (changes: Partial<World>) => Promise<void>;
  readonly setFaults: (faults: readonly Fault[]) => Promise<void>;
  readonly forgetTokens: () => Promise<void>;
  readonly requests: () => Promise<readonly SimulatedRequest[]>;
  readonly close: () => Promise<void>;
};

/** Starts the AWS above the bed of this name: WORLD, with the changes of `setWorld`, which add up. */
export async function startCloud(name: string): Promise<Cloud> {
  const command = [`--net=/run/netns/${skyOf(name)}`, process.execPath, join(import.meta.dirname, "sky.ts")];
  const child = spawn("nsenter", command, { stdio: ["ignore", "inherit", "inherit", "ipc"], serialization: "advanced" });
  let world = WORLD;
  let turn: Promise<unknown> = once(child, "message");
  await turn;
  const ask = (order: SkyOrder): Promise<readonly SimulatedRequest[]> => {
    const answer = turn.then(async () => {
      child.send(order);
      const [requests] = (await once(child, "message")) as [readonly SimulatedRequest[]];
      return requests;
    });
    turn = answer;
    return answer;
  };
  return {
    setWorld: async (changes) => {
      world = { ...world, ...changes };
      await ask({ kind: "world", world });
    },
    setFaults: async (faults) => void (await ask({ kind: "faults", faults })),
    forgetTokens: async () => void (await ask({ kind: "forget-tokens" })),
    requests: () => ask({ kind: "requests" }),
    close: async () => {
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    },
  };
}
