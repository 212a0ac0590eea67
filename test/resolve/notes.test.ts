import { expect, it } from "vitest";
import { noteList } from "../../src/resolve/notes.ts";

it("an equal note is kept once, in the place of the first", () => {
  const { notes, add } = noteList();
  add("a", "one");
  add("b", "two");
  add("a", "one");
  add("a", "three");
  expect(notes).toEqual([
    { code: "a", message: "one" },
    { code: "b", message: "two" },
    { code: "a", message: "three" },
  ]);
});
