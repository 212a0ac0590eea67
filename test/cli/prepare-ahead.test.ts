import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { machineAt } from "../../src/apply/machine.ts";
import { parseCommandLine } from "../../src/cli/flags.ts";
import { loadConfig } from "../../src/cli/load-config.ts";
import type { Staged } from "../../src/apply/stage.ts";
import type { Preparation, Prepared } from "../../src/cli/prepare.ts";
import { prepareAhead } from "../../src/cli/prepare-ahead.ts";
import { EMPTY_MANIFEST } from "../../src/plan/plan.ts";
import type { Facts } from "../../src/resolve/facts.ts";
import { withTree } from "../gather/tree.ts";
import { CLUSTER_CA_PEM } from "../simulator/world.ts";
import { commandWorld } from "./command-world.ts";

const KNOWN = JSON.parse(readFileSync(join(import.meta.dirname, "../golden/kubelet-1.33/facts.json"), "utf8")) as Facts;
const EXPECTED: Facts = { ...KNOWN, privateDnsName: "ip-10-0-3-4.us-west-2.compute.internal" };
const OTHER: Facts = { ...KNOWN, privateDnsName: "i-0123456789abcdef0.us-west-2.compute.internal" };

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

type Ran = {
  readonly prepared: Prepared;
  /** How often the machine was looked at. */
  readonly looks: number;
  readonly notes: readonly string[];
  /** Whether what was staged is ready to be put in place, or was taken back; none of it where nothing was. */
  readonly staged: readonly ("ready" | "discarded")[];
};

/** Prepares with facts that are expected at once, and answered as `answer` has it when the machine has been looked at. */
async function run(answer: () => Promise<Facts>, expected: Promise<Facts> = Promise.resolve(EXPECTED)): Promise<Ran> {
  // It makes a note each time that the machine is looked at.
  return withTree({ "/var/lib/eks-node-agent/manifest.json": "{ not JSON" }, async (root) => {
    const words = ["demo", "--root", root, "--b64-cluster-ca", Buffer.from(CLUSTER_CA_PEM).toString("base64"), "--apiserver-endpoint", "https://example.gr7.us-west-2.eks.amazonaws.com"];
    const command = await parseCommandLine(words, {});
    if (command.kind !== "bootstrap") throw new Error(`expected bootstrap, got ${command.kind}`);
    const loaded = await loadConfig(command.flags, { root: undefined, userData: () => Promise.resolve(undefined) }, () => undefined);
    if (loaded === undefined) throw new Error("the command line configures nothing");
    const looked = Promise.withResolvers<void>();
    const [notes, looks, staged]: [string[], string[], ("ready" | "discarded")[]] = [[], [], []];
    const stage = (): Promise<Staged> => {
      const index = staged.push("ready") - 1;
      return Promise.resolve({ kept: [], manifest: undefined, last: EMPTY_MANIFEST, put: () => Promise.resolve(), discard: () => Promise.resolve(void (staged[index] = "discarded")) });
    };
    const preparation: Preparation = {
      flags: command.flags,
      machine: machineAt(root),
      loaded,
      facts: { facts: looked.promise.then(answer), expected, close: () => Promise.resolve() },
      locked: undefined,
      addNote: (code) => void notes.push(code),
      world: {
        ...commandWorld().world,
        colour: false,
        isRoot: true,
        record: () => undefined,
        phase: async (name, action) => {
          looks.push(name);
          try {
            return await action();
          } finally {
            looked.resolve();
          }
        },
      },
    };
    if (expected === NEVER) looked.resolve();
    const ran = await prepareAhead(preparation, stage).catch((error: unknown) => {
      expect(staged).toEqual(["discarded"]);
      throw error;
    });
    expect(ran.staged === undefined).toBe(!staged.includes("ready"));
    return { prepared: ran.prepared, looks: looks.length, notes: notes.toSorted(), staged };
  });
}

const NEVER = new Promise<never>(() => undefined);

function nodeName({ prepared }: Ran): string {
  return prepared.node.identity.hostnameOverride?.value ?? "";
}

test("when the facts are as expected the machine has been looked at before they came, once, and each note is there once", async () => {
  const ran = await run(() => Promise.resolve(structuredClone(EXPECTED)));
  expect([nodeName(ran), ran.looks, ran.notes, ran.staged]).toEqual(["ip-10-0-3-4.us-west-2.compute.internal", 1, ["containerd-unchecked", "manifest-broken"], ["ready"]]);
});

test("when they are not, everything is prepared anew by the facts, and notes of the first time are not heard", async () => {
  const ran = await run(() => Promise.resolve(OTHER));
  expect([nodeName(ran), ran.looks, ran.notes, ran.staged]).toEqual(["i-0123456789abcdef0.us-west-2.compute.internal", 2, ["containerd-unchecked", "manifest-broken"], ["discarded"]]);
});

test("when they come late the machine is looked at again, since it may have changed", async () => {
  const ran = await run(() => {
    vi.advanceTimersByTime(3001);
    return Promise.resolve(EXPECTED);
  });
  expect([nodeName(ran), ran.looks, ran.staged]).toEqual(["ip-10-0-3-4.us-west-2.compute.internal", 2, ["discarded"]]);
});

test("when they do not come their failure is the run's", async () => {
  await expect(run(() => Promise.reject(new Error("EC2 does not answer")))).rejects.toThrow("EC2 does not answer");
});

test("when nothing can be expected the facts are waited for", async () => {
  const ran = await run(() => Promise.resolve(OTHER), NEVER);
  expect([nodeName(ran), ran.looks, ran.notes, ran.staged]).toEqual(["i-0123456789abcdef0.us-west-2.compute.internal", 1, ["containerd-unchecked", "manifest-broken"], []]);
});
