import { expect, test } from "vitest";
import { fixedDelay, fullJitter, GaveUp, halfJitter, retry, SYSTEM_CLOCK } from "../../src/io/retry.ts";
import type { RetryOptions, RetryPolicy, Try, Verdict } from "../../src/io/retry.ts";
import { fakeClock } from "../gather/fixture.ts";

const POLICY: RetryPolicy = { delay: fixedDelay(1_000), perTryMs: 5_000, brief: { withinMs: 3_500, delay: fixedDelay(500) } };

/** An attempt that meets `verdicts` one after another, and then succeeds; its trace; and options on a fake clock. */
function scenario(verdicts: readonly Verdict[], policy: Partial<RetryPolicy> = {}) {
  const clock = fakeClock();
  const tries: Try[] = [];
  const options: RetryOptions = {
    policy: { ...POLICY, ...policy },
    clock,
    deadlineAt: clock.now() + 10_000,
    classify: (error) => (error as { verdict: Verdict }).verdict,
  };
  const attempt = (one: Try): Promise<string> => {
    tries.push(one);
    const verdict = verdicts[one.number - 1];
    return verdict === undefined ? Promise.resolve("value") : Promise.reject(Object.assign(new Error(`failure ${one.number}`), { verdict }));
  };
  return { clock, tries, options, attempt };
}

test("a failure that may pass is tried again after the policy's delay", async () => {
  const { attempt, options, clock } = scenario(["retry", "retry"]);
  expect([await retry(attempt, options), clock.slept]).toEqual(["value", [1_000, 1_000]]);
});

test("a fatal failure is thrown as it is, at once", async () => {
  const { attempt, options, clock } = scenario(["retry", "fatal"]);
  const error: unknown = await retry(attempt, options).catch((thrown: unknown) => thrown);
  expect([error, clock.slept]).toEqual([Object.assign(new Error("failure 2"), { verdict: "fatal" }), [1_000]]);
});

test.each<[string, readonly Verdict[], Partial<RetryPolicy>, number, number]>([
  ["when the next try would begin at the deadline", Array<Verdict>(99).fill("retry"), {}, 10, 9_000],
  ["after the last of the allowed tries", Array<Verdict>(99).fill("retry"), { maxTries: 3 }, 3, 2_000],
  ["after one try when one is allowed", ["retry"], { maxTries: 1 }, 1, 0],
  ["of a brief failure when its time is over, whatever the deadline", Array<Verdict>(99).fill("brief"), {}, 7, 3_000],
  ["of a brief failure after its own time, not that of failures before it", ["retry", "retry", ...Array<Verdict>(99).fill("brief")], {}, 9, 5_000],
])("it gives up %s", async (_, verdicts, policy, tries, elapsedMs) => {
  const { attempt, options } = scenario(verdicts, policy);
  const error: unknown = await retry(attempt, options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(GaveUp);
  expect(error).toMatchObject({ tries, elapsedMs, message: `failure ${tries}`, cause: { message: `failure ${tries}` } });
});

test("a brief failure that comes again after another one has its whole time again", async () => {
  const { attempt, options, clock } = scenario([...Array<Verdict>(6).fill("brief"), "retry", ...Array<Verdict>(6).fill("brief")]);
  expect(await retry(attempt, options)).toBe("value");
  expect(clock.slept.reduce((sum, ms) => sum + ms)).toBe(7_000);
});

test("a try never gets more time than is left until the deadline", async () => {
  const { attempt, options, tries } = scenario(["retry", "retry", "retry"], { delay: fixedDelay(3_000) });
  await retry(attempt, options);
  expect(tries.map(({ timeoutMs }) => timeoutMs)).toEqual([5_000, 5_000, 4_000, 1_000]);
});

test("onRetry is told of each failure before the wait", async () => {
  const { attempt, options } = scenario(["retry", "brief"]);
  const told: unknown[] = [];
  await retry(attempt, { ...options, onRetry: ({ error, failures, delayMs }) => told.push([(error as Error).message, failures, delayMs]) });
  expect(told).toEqual([["failure 1", 1, 1_000], ["failure 2", 2, 500]]);
});

test("an abort during a wait ends it with the signal's reason", async () => {
  const { attempt, options } = scenario(["retry"], { delay: fixedDelay(60_000) });
  const controller = new AbortController();
  const reason = new Error("the other question failed");
  const onRetry = (): void => void setImmediate(() => controller.abort(reason));
  const running = retry(attempt, { ...options, clock: SYSTEM_CLOCK, deadlineAt: SYSTEM_CLOCK.now() + 600_000, signal: controller.signal, onRetry });
  await expect(running).rejects.toBe(reason);
});

test("full jitter is anything up to a step that doubles and is capped", () => {
  const delay = fullJitter(1_000, 20_000);
  expect([1, 2, 3, 4, 5, 6, 50].map((failures) => delay(failures, () => 0.5))).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  expect([delay(1, () => 0), delay(50, () => 0.999)]).toEqual([0, 19_980]);
});

test("half jitter is anything from half of such a step to all of it", () => {
  const delay = halfJitter(1_000, 30_000);
  expect([1, 2, 3, 4, 5, 6, 50].map((failures) => delay(failures, () => 0))).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  expect([delay(1, () => 0.5), delay(50, () => 0.999)]).toEqual([750, 29_985]);
});
