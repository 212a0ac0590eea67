import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../../packaging/project.ts";
import { agent } from "./agent.ts";
import { EC2_LIMITS, EKS_LIMITS, EXPERIMENTS } from "./experiments.ts";
import { fleetPage } from "./page.ts";
import { BOOTSTRAP_SH, NODEADM } from "./peers.ts";
import { plotJoined } from "./plot.ts";
import type { Program } from "./programs.ts";
import { joinPercentile, simulate, type Outcome } from "./simulate.ts";
import { showTable } from "./table.ts";
import { fleetSummary, withFleetSummary } from "./summary.ts";
import { tokenBucket } from "./token-bucket.ts";
import { virtualTime } from "./virtual-time.ts";

const PAGE = readFileSync(join(ROOT, "docs/fleet.md"), "utf8");

describe("tokenBucket()", () => {
  const takeMany = (bucket: ReturnType<typeof tokenBucket>, nowMs: number, times: number): number => Array.from({ length: times }, () => bucket.take(nowMs)).filter(Boolean).length;

  test("it begins full, is refilled at whole seconds, and never holds more than its burst", () => {
    const bucket = tokenBucket({ burst: 5, perSecond: 2 });
    expect([0, 999, 1_000, 1_500, 3_100, 60_000].map((nowMs) => takeMany(bucket, nowMs, 10))).toEqual([5, 0, 2, 0, 4, 5]);
  });
});

describe("virtualTime()", () => {
  test("sleepers wake in the order of their times, and of their going to sleep if those are the same", async () => {
    const time = virtualTime();
    const woken: string[] = [];
    const sleeper = async (name: string, ...sleeps: readonly number[]): Promise<void> => {
      for (const ms of sleeps) {
        await time.sleep(ms);
        woken.push(`${name} ${time.now()}`);
      }
    };
    const all = Promise.all([sleeper("a", 300, 0), sleeper("b", 200, 1_000_000), sleeper("c", 300)]);
    await time.run();
    await all;
    expect(woken).toEqual(["b 200", "a 300", "c 300", "a 310", "b 1000200"]);
  });
});

describe("simulate()", () => {
  const fleet = { program: agent(), nodes: 300, ec2: EC2_LIMITS, eks: EKS_LIMITS };

  test("the same fleet has the same end, to the request", async () => {
    expect(await simulate(fleet)).toEqual(await simulate(fleet));
  });

  test("another seed has another end", async () => {
    expect(await simulate({ ...fleet, seed: 2 })).not.toEqual(await simulate(fleet));
  });

  test.each([
    ["the agent asks EC2 and EKS once each", agent(), 20],
    ["bootstrap.sh asks EKS twice: whether the cluster is active, and what it is", BOOTSTRAP_SH, 30],
    ["nodeadm asks EC2 alone", NODEADM, 10],
  ] as const)("nobody is refused: %s", async (_, program, calls) => {
    const outcome = await simulate({ program, nodes: 10, ec2: EC2_LIMITS, eks: { burst: 1_000, perSecond: 1 } });
    expect([outcome.joinMs.length, outcome.failed, outcome.calls]).toEqual([10, 0, calls]);
  });

  const never = { burst: 0, perSecond: 0 };
  test.each([
    ["bootstrap.sh tries 21 times with a CLI that tries 3 times", BOOTSTRAP_SH, { ec2: never }, 63],
    ["bootstrap.sh ends when its waiter for the cluster fails", BOOTSTRAP_SH, { ec2: EC2_LIMITS, eks: never }, 3],
  ] as const)("everybody is refused: %s", async (_, program, limits, calls) => {
    expect(await simulate({ program, nodes: 1, ...limits })).toEqual({ joinMs: [], failed: 1, calls });
  });

  test("everybody is refused: nodeadm fails after 10 minutes", async () => {
    const { failed, calls } = await simulate({ program: NODEADM, nodes: 1, ec2: never });
    expect([failed, calls % 3, calls > 20 && calls < 90]).toEqual([1, 0, true]);
  });

  test("an agent whose deadline has passed is started again by its unit", async () => {
    const outcome = await simulate({ program: agent(), nodes: 130, ec2: { burst: 1, perSecond: 0.2 } });
    expect([outcome.failed, (joinPercentile(outcome, 100) ?? 0) > 600_000]).toEqual([0, true]);
  });
});

describe("5000 nodes that find EC2's limit", () => {
  let ours: Outcome;
  let theirs: readonly Outcome[];
  beforeAll(async () => {
    const run = (program: Program): Promise<Outcome> => simulate({ program, nodes: 5_000, ec2: EC2_LIMITS });
    ours = await run(agent());
    theirs = [await run(BOOTSTRAP_SH), await run(NODEADM)];
  });
  const p99 = (outcome: Outcome): number => joinPercentile(outcome, 99) ?? Infinity;

  test("all join with the agent", () => {
    expect([ours.failed, ours.joinMs.length]).toEqual([0, 5_000]);
  });

  test("99 % of them have joined no later than with bootstrap.sh or nodeadm", () => {
    expect(theirs.map((peer) => p99(ours) <= p99(peer))).toEqual([true, true]);
  });

  test("they have asked less often than with either", () => {
    expect(theirs.map((peer) => ours.calls < peer.calls)).toEqual([true, true]);
  });

  test("docs/fleet.md shows it, as `main.ts --write` left it", () => {
    const programs = [agent(), BOOTSTRAP_SH, NODEADM];
    const results = [ours, ...theirs].map((outcome, index) => ({ fleet: { program: programs[index] ?? agent(), nodes: 5_000, ec2: EC2_LIMITS }, outcome }));
    expect(PAGE).toContain(showTable(results).split("\n").slice(2).join("\n"));
  });
});

describe("what is shown of it", () => {
  const fleet = { program: NODEADM, nodes: 2_000, ec2: EC2_LIMITS };

  test("percentiles are of all nodes, those that failed among them", () => {
    const outcome = { joinMs: [1_000, 2_000, 3_000], failed: 1, calls: 9 };
    expect([25, 50, 75, 76, 100].map((percent) => joinPercentile(outcome, percent))).toEqual([1_000, 2_000, 3_000, undefined, undefined]);
  });

  test("a table has a dash for what never came", () => {
    const outcome = { joinMs: Array.from({ length: 1_900 }, () => 1_500), failed: 100, calls: 1_234_567 };
    expect(showTable([{ fleet, outcome }]).split("\n").at(2)).toBe("| 2,000 | nodeadm | 1.5 s | 1.5 s | – | – | 100 | 1,234,567 |");
  });

  test("the words of docs/fleet.md are those of page.ts", () => {
    const words = fleetPage(EXPERIMENTS.map((experiment) => ({ ...experiment, table: "" })));
    expect(PAGE.replaceAll(/^\|.*\n/gm, "")).toBe(words);
  });

  test("docs/performance.md has the fleet that is plotted, as docs/fleet.md has it", () => {
    const performancePage = readFileSync(join(ROOT, "docs/performance.md"), "utf8");
    expect(performancePage).toContain(fleetSummary(PAGE));
    expect(withFleetSummary(performancePage, PAGE)).toBe(performancePage);
  });

  test("the plot has a line for each program", () => {
    const outcome = { joinMs: [10_000], failed: 1_999, calls: 1 };
    const lines = plotJoined([{ fleet, outcome }, { fleet: { ...fleet, program: BOOTSTRAP_SH }, outcome }]).match(/<polyline[^>]*stroke="[^"]*"|>(nodeadm|bootstrap\.sh)</g);
    expect(lines).toEqual(['<polyline class="line" stroke="#1a7f37"', ">nodeadm<", '<polyline class="line" stroke="#cf222e"', ">bootstrap.sh<"]);
  });
});
