import { describe, expect, it } from "vitest";
import { poll } from "../../src/apply/poll.ts";

describe("poll()", () => {
  it("asks until there is an answer", async () => {
    const answers = [undefined, undefined, "yes", "again"];
    expect(await poll(() => Promise.resolve(answers.shift()), { timeoutMs: 10_000, firstPauseMs: 1 })).toBe("yes");
    expect(answers).toEqual(["again"]);
  });

  it("takes false for an answer", async () => {
    expect(await poll(() => Promise.resolve(false), { timeoutMs: 10_000, firstPauseMs: 1 })).toBe(false);
  });

  it("asks once more when the time is over, and then has no answer", async () => {
    const asked: number[] = [];
    expect(await poll((sinceMs) => { asked.push(sinceMs); return Promise.resolve(undefined); }, { timeoutMs: 20, firstPauseMs: 15 })).toBe(undefined);
    expect(asked.length).toBeGreaterThanOrEqual(2);
    expect(asked[0]).toBeLessThan(asked[1] ?? 0);
  });

  it("ends a pause when it is aborted", async () => {
    const stop = new AbortController();
    const polling = poll(() => Promise.resolve(undefined), { timeoutMs: 60_000, firstPauseMs: 60_000, signal: stop.signal });
    setTimeout(() => { stop.abort(new Error("SIGTERM")); }, 5);
    await expect(polling).rejects.toThrow(/^SIGTERM$/);
  });
});
