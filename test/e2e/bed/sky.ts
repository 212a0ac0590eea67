/** The process of a bed's AWS: `node sky.ts` with a channel to the test that started it, in the sky's network namespace. */
import { startSimulator } from "../../simulator/simulator.ts";
import type { SimulatedRequest } from "../../simulator/simulator.ts";
import type { Fault } from "../../simulator/faults.ts";
import type { World } from "../../simulator/world.ts";

export type SkyOrder =
  | { readonly kind: "world"; readonly world: World }
  | { readonly kind: "faults"; readonly faults: readonly Fault[] }
  | { readonly kind: "forget-tokens" }
  | { readonly kind: "requests" };

/** The answer to every order, in their sequence: the requests so far. The first comes unasked, when the AWS is up. */
export type SkyAnswer = readonly SimulatedRequest[];

if (process.send !== undefined) {
  const simulator = await startSimulator({ address: "0.0.0.0", port: 80 });
  const answer = (): boolean | undefined => process.send?.(simulator.requests satisfies SkyAnswer);
  process.on("message", (order: SkyOrder) => {
    if (order.kind === "world") simulator.setWorld(order.world);
    if (order.kind === "faults") simulator.setFaults(order.faults);
    if (order.kind === "forget-tokens") simulator.forgetTokens();
    answer();
  });
  process.once("disconnect", () => process.exit());
  answer();
}
