import { expect, it } from "vitest";
import { askingAhead } from "../../src/gather/ask-ahead.ts";
import { createGatherer, type Gatherer } from "../../src/gather/gatherer.ts";
import type { Question } from "../../src/resolve/facts.ts";
import { WORLD } from "../simulator/world.ts";
import { told, withSimulator } from "./fixture.ts";

const LIFE_CYCLE: Question = { kind: "life-cycle" };
const VERSION: Question = { kind: "kubelet-version" };

function counting(answer: (question: Question) => ReturnType<Gatherer["ask"]>) {
  const asked: string[] = [];
  const ask: Gatherer["ask"] = (question) => {
    asked.push(question.kind);
    return answer(question);
  };
  return { ...askingAhead({ ask }), asked };
}

it("what was asked ahead is asked once", async () => {
  const { ask, askAhead, asked } = counting(({ kind }) => Promise.resolve({ privateDnsName: kind }));
  askAhead(LIFE_CYCLE);
  expect(asked).toEqual(["life-cycle"]);
  expect(await Promise.all([ask(LIFE_CYCLE, {}), ask(VERSION, {}), ask(LIFE_CYCLE, {})])).toEqual([{ privateDnsName: "life-cycle" }, { privateDnsName: "kubelet-version" }, { privateDnsName: "life-cycle" }]);
  expect(asked).toEqual(["life-cycle", "kubelet-version"]);
});

it("a failure is told to whoever asks, and to nobody if nobody does", async () => {
  const { ask, askAhead } = counting(() => Promise.reject(new Error("no answer")));
  askAhead(VERSION);
  askAhead(LIFE_CYCLE);
  expect(await told(ask(VERSION, {}))).toBe("Error: no answer");
});

it.each([
  ["spot", { value: "spot" }],
  [undefined, { failure: 'IMDS has no "meta-data/instance-life-cycle"' }],
])("the life cycle %s is %j", async (lifeCycle, answer) => {
  await withSimulator({ world: { ...WORLD, lifeCycle } }, {}, async ({ settings }) => {
    const gatherer = createGatherer(settings);
    expect(await gatherer.ask(LIFE_CYCLE, {})).toEqual({ lifeCycle: answer });
    await gatherer.close();
  });
});
