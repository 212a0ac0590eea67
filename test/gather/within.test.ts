import { expect, test } from "vitest";
import { within } from "../../src/gather/within.ts";

const HANGS = (): Promise<string> => new Promise(() => undefined);

test("an answer in time is the answer", async () => {
  expect(await within(60_000, undefined, () => Promise.resolve("answer"), () => "late")).toBe("answer");
});

test("without one, `late` decides, and what is still asked is told to end", async () => {
  let told: AbortSignal | undefined;
  const ask = (signal: AbortSignal): Promise<string> => ((told = signal), HANGS());
  expect([await within(1, undefined, ask, () => "late"), told?.aborted]).toEqual(["late", true]);
});

test("a failure of the answer is thrown", async () => {
  const failure = new Error("no");
  await expect(within(60_000, undefined, () => Promise.reject(failure), () => "late")).rejects.toBe(failure);
});

test("an abort ends both with the signal's reason", async () => {
  const controller = new AbortController();
  const waiting = within(60_000, controller.signal, HANGS, () => "late");
  controller.abort("enough");
  await expect(waiting).rejects.toBe("enough");
});
