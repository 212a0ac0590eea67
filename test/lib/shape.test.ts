import { expect, test } from "vitest";
import { count, listOf, object, ofKind, openObject, text, type Shape } from "../../src/lib/shape.ts";

const FILE = object({ path: text }, { size: count });
const NAMED = openObject({ name: text }, { tags: listOf(text) });
const EITHER = ofKind({ done: openObject({ status: count }), failed: openObject({ message: text }) });

const CASES: readonly (readonly [why: string, shape: Shape, value: unknown, problems: readonly string[]])[] = [
  ["an object with all it needs", FILE, { path: "/a" }, []],
  ["an object with what it may have", FILE, { path: "/a", size: 0 }, []],
  ["an object with something else", FILE, { path: "/a", mode: 1 }, ["x.mode is unknown"]],
  ["everything that is wrong", FILE, { size: -1, mode: 1 }, ["x.path is missing", "x.size: expected a whole number, not -1", "x.mode is unknown"]],
  ["no object", FILE, [], ["x: expected an object, not []"]],
  ["an open object with something else", NAMED, { name: "a", colour: "red" }, []],
  ["an open object without what it needs", NAMED, { tags: ["a", 1] }, ["x.name is missing", "x.tags[1]: expected text, not 1"]],
  ["no open object", NAMED, null, ["x: expected an object, not null"]],
  ["a kind", EITHER, { kind: "done", status: 0 }, []],
  ["a kind without what it needs", EITHER, { kind: "failed", status: 0 }, ["x.message is missing"]],
  ["an unknown kind", EITHER, { kind: "lost" }, ['x.kind: expected "done" or "failed", not "lost"']],
  ["a kind that every object has", EITHER, { kind: "toString" }, ['x.kind: expected "done" or "failed", not "toString"']],
  ["no kind", EITHER, {}, ['x.kind: expected "done" or "failed", not nothing']],
];
test.each(CASES)("%s", (_why, shape, value, problems) => {
  expect(shape(value, "x")).toEqual(problems);
});
