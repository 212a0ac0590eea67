import { describe, expect, it } from "vitest";
import { exitCounter } from "../../src/apply/exits.ts";
import { isDown, isWaiting, type UnitState } from "../../src/apply/unit-state.ts";

const up: UnitState = { activeState: "active", subState: "running", result: "success", hasJob: false, restarts: 0, ending: undefined };
const between: UnitState = { ...up, activeState: "activating", subState: "auto-restart", result: "exit-code", ending: "exit status 1" };
const failed: UnitState = { ...up, activeState: "failed", subState: "failed", result: "signal", ending: "signal 9" };

describe("exitCounter()", () => {
  it.each([
    ["a unit that runs", [up, up], 0, undefined],
    ["one exit, seen between two starts", [up, between], 1, "exit status 1"],
    ["the same exit, seen after the second start too", [up, between, { ...up, restarts: 1 }], 1, "exit status 1"],
    ["an exit between two looks", [up, { ...up, restarts: 1 }], 1, undefined],
    ["two exits", [up, between, { ...up, restarts: 1 }, { ...between, restarts: 1, ending: "exit status 2" }], 2, "exit status 2"],
    ["an exit before the first look", [between], 1, "exit status 1"],
    ["exits of former days do not count", [{ ...up, restarts: 7 }, { ...up, restarts: 7 }], 0, undefined],
    ["nor those of the program that a pending restart replaces", [{ ...between, restarts: 7, hasJob: true }, up], 0, undefined],
    ["a counter that a restart by hand set back", [{ ...up, restarts: 7 }, up, between], 1, "exit status 1"],
    ["the newer systemd's name for the state", [up, { ...between, subState: "auto-restart-queued" }], 1, "exit status 1"],
    ["a start that systemd gave up", [up, { ...between, result: "resources", ending: undefined }], 1, 'result "resources"'],
    ["an end for good", [up, failed], 1, "signal 9"],
  ] as const)("%s", (_why, states, count, ending) => {
    const countExits = exitCounter();
    expect(states.map(countExits).at(-1)).toEqual({ count, ending });
  });
});

describe("isWaiting() and isDown()", () => {
  it.each([
    ["queued behind another unit's job", { ...up, activeState: "inactive", hasJob: true }, true, false],
    ["a restart that is queued behind one", { ...up, hasJob: true }, true, false],
    ["being started", { ...up, activeState: "activating", hasJob: true }, false, false],
    ["being stopped for a restart", { ...up, activeState: "deactivating", hasJob: true }, false, false],
    ["running", up, false, false],
    ["between two starts", between, false, false],
    ["ended with status 0", { ...up, activeState: "inactive" }, false, true],
    ["failed", failed, false, true],
  ])("%s", (_why, state, waiting, down) => {
    expect([isWaiting(state), isDown(state)]).toEqual([waiting, down]);
  });
});
