import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { watchForTimeToSpare } from "../../src/cli/time-to-spare.ts";
import type { Facts, Question } from "../../src/resolve/facts.ts";

const INSTANCE: Question = { kind: "instance" };
const HOST: Question = { kind: "host", credentialProvider: undefined };
const VERSION: Question = { kind: "kubelet-version" };

/** Questions that are answered by hand. */
function watched() {
  let reached = 0;
  const watch = watchForTimeToSpare(() => (reached += 1));
  const answers = new Map<Question, PromiseWithResolvers<Facts>>();
  const { ask } = watch.watching({
    ask: (question) => {
      const answer = Promise.withResolvers<Facts>();
      answers.set(question, answer);
      return answer.promise;
    },
  });
  return {
    ...watch,
    onAwsAsked: async () => {
      watch.onAwsAsked();
      await setImmediate();
    },
    ask: (question: Question) => void ask(question, {}).catch(() => undefined),
    answer: async (question: Question, failure?: Error) => {
      if (failure === undefined) answers.get(question)?.resolve({});
      else answers.get(question)?.reject(failure);
      await setImmediate();
      await setImmediate();
    },
    isReached: () => reached > 0,
  };
}

test("there is time to spare when as many requests of AWS as were expected are under way", async () => {
  const { ask, expect: expectRequests, onAwsAsked, isReached } = watched();
  ask(INSTANCE);
  expectRequests(2);
  await onAwsAsked();
  expect(isReached()).toBe(false);
  await onAwsAsked();
  expect(isReached()).toBe(true);
});

test("a request more than was expected at first is waited for as well, though nothing is pending when that is seen", async () => {
  const { ask, expect: expectRequests, onAwsAsked, isReached } = watched();
  expectRequests(1);
  expectRequests(2);
  expect(isReached()).toBe(false);
  ask(VERSION);
  await onAwsAsked();
  expect(isReached()).toBe(false);
  await onAwsAsked();
  expect(isReached()).toBe(true);
});

test("there is time to spare at once when AWS need not be asked", () => {
  const { ask, expect: expectRequests, isReached } = watched();
  ask(INSTANCE);
  expectRequests(0);
  expect(isReached()).toBe(true);
});

test.each([
  ["answered", undefined],
  ["answered by a failure", new Error("no answer")],
])("there is time to spare when all but the host is %s, though AWS was not asked: else the host would wait for ever", async (_, failure) => {
  const { ask, answer, expect: expectRequests, isReached } = watched();
  ask(INSTANCE);
  ask(HOST);
  ask(VERSION);
  expectRequests(1);
  await answer(INSTANCE);
  expect(isReached()).toBe(false);
  await answer(VERSION, failure);
  expect(isReached()).toBe(true);
});

test("a question that follows from an answer is waited for as well", async () => {
  const { ask, answer, expect: expectRequests, isReached } = watched();
  ask(INSTANCE);
  expectRequests(1);
  const answered = answer(INSTANCE);
  ask(VERSION);
  await answered;
  expect(isReached()).toBe(false);
});

test("nothing pending is no time to spare before the configuration is read: AWS is still to be asked", async () => {
  const { ask, answer, expect: expectRequests, isReached } = watched();
  ask(INSTANCE);
  await answer(INSTANCE);
  expect(isReached()).toBe(false);
  expectRequests(1);
  expect(isReached()).toBe(false);
});

test("the request goes out before the time is spent", () => {
  const { onAwsAsked, expect: expectRequests, isReached } = watched();
  expectRequests(1);
  void onAwsAsked();
  expect(isReached()).toBe(false);
});
