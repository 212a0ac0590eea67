import { expect, test } from "vitest";
import { createGatherer } from "../../src/gather/gatherer.ts";
import { gatherLocalHostname } from "../../src/gather/instance.ts";
import type { Facts } from "../../src/resolve/facts.ts";
import type { SimulatorOptions } from "../simulator/simulator.ts";
import { WORLD } from "../simulator/world.ts";
import { told, withSimulator } from "./fixture.ts";

const PATH = "/latest/meta-data/local-hostname";

test.each<[string, SimulatorOptions, Facts["localHostname"]]>([
  ["EC2's own", {}, { value: "ip-10-0-1-23.us-west-2.compute.internal" }],
  ["in lower case", { world: { ...WORLD, localHostname: "IP-10-0-1-23.Corp.Example" } }, { value: "ip-10-0-1-23.corp.example" }],
  ["of more than one domain, as it is", { world: { ...WORLD, localHostname: "ip-10-0-1-23.a.example b.example" } }, { value: "ip-10-0-1-23.a.example b.example" }],
  ["missing", { faults: [{ on: PATH, kind: "status", status: 404 }] }, { failure: 'IMDS has no "meta-data/local-hostname"' }],
  ["empty for a moment", { faults: [{ on: PATH, kind: "empty", times: 2 }] }, { value: "ip-10-0-1-23.us-west-2.compute.internal" }],
])("the local host name %s", async (_, options, answer) => {
  await withSimulator(options, {}, async ({ settings }) => {
    const gatherer = createGatherer(settings);
    expect(await gatherer.ask({ kind: "local-hostname" }, {})).toEqual({ localHostname: answer });
    await gatherer.close();
  });
});

test("a page of HTML is no local host name, which ends no run", async () => {
  await withSimulator({ faults: [{ on: PATH, kind: "html" }] }, {}, async ({ settings }) => {
    const gatherer = createGatherer(settings);
    const { localHostname } = await gatherer.ask({ kind: "local-hostname" }, {});
    expect(localHostname).toEqual({ failure: expect.stringContaining("the answer is a page of HTML") as string });
    await gatherer.close();
  });
});

test("a local host name that does not come is not waited for until the deadline", async () => {
  await withSimulator({ faults: [{ on: PATH, kind: "hang" }] }, {}, async ({ settings }) => {
    const gatherer = createGatherer(settings);
    expect(await told(gatherLocalHostname(gatherer.imds, undefined, 50))).toContain('IMDS did not tell "meta-data/local-hostname" within 0.05 s');
    await gatherer.close();
  });
});
