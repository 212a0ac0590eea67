import { afterEach, beforeEach, expect, test } from "vitest";
import { enableTogether } from "../../src/apply/enable-units.ts";
import { makeTestMachine, type TestMachine } from "./test-machine.ts";

let m: TestMachine;
beforeEach(() => {
  m = makeTestMachine();
  for (const name of ["a.service", "b.service"]) m.write(`/etc/systemd/system/${name}`, "[Service]\nExecStart=/bin/true\n");
});
afterEach(() => m.remove());

test("units are enabled and systemd reloaded by one call", async () => {
  const { reload, enable } = enableTogether(["a.service", "b.service"]);
  await Promise.all([reload(), enable("a.service"), enable("b.service")]);
  expect(m.commands()).toEqual(["--quiet enable -- a.service b.service"]);
});

test("where one is refused the reload and the others are not lost, and its error is its own", async () => {
  const { reload, enable } = enableTogether(["gone.service", "b.service"]);
  const [first, second, third] = await Promise.allSettled([reload(), enable("gone.service"), enable("b.service")]);
  expect(m.commands().toSorted()).toEqual(["--quiet enable -- b.service", "--quiet enable -- gone.service", "--quiet enable -- gone.service b.service", "daemon-reload"]);
  expect([first.status, third.status]).toEqual(["fulfilled", "fulfilled"]);
  expect(second).toMatchObject({ status: "rejected", reason: { message: '"systemctl --quiet enable -- gone.service" failed with status 1: Failed to enable unit: Unit file gone.service does not exist' } });
});

test("with nothing to enable systemd is reloaded by itself", async () => {
  await enableTogether([]).reload();
  expect(m.commands()).toEqual(["daemon-reload"]);
});
