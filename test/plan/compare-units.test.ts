import { describe, expect, it } from "vitest";
import { compare } from "../../src/plan/compare.ts";
import type { Change, Manifest, ObservedUnit } from "../../src/plan/plan.ts";
import { unitDigest } from "../../src/plan/unit-digest.ts";
import { file, found, observed, plan, running, unit } from "./plans.ts";

const ENV = "/etc/kubelet.env";
const UNIT_FILE = "/etc/systemd/system/kubelet.service";
const files = [file(ENV), file(UNIT_FILE)];
const kubelet = unit("kubelet.service", [ENV, UNIT_FILE]);
const digest = unitDigest(plan(files), kubelet);
const asPlanned = { [ENV]: found(files[0]?.contents ?? ""), [UNIT_FILE]: found(files[1]?.contents ?? "") };

/** The unit steps for kubelet as it is, with its files as planned. */
function stepsFor(state: ObservedUnit | undefined, units: Manifest["units"], planned = kubelet): readonly Change[] {
  return compare(plan(files, [planned]), observed(asPlanned, state === undefined ? [] : [state], { units })).changes;
}

describe("compare() on a unit whose files are as planned", () => {
  it.each([
    ["inactive", "dead", { kind: "start-unit", resetFailed: false, reason: "inactive (dead)" }],
    ["deactivating", "stop-sigterm", { kind: "start-unit", resetFailed: false, reason: "deactivating (stop-sigterm)" }],
    ["failed", "failed", { kind: "start-unit", resetFailed: true, reason: "failed (failed)" }],
  ])("starts it when it is %s (%s), whatever it was started with", (activeState, subState, step) => {
    for (const units of [{}, { "kubelet.service": digest }] as Manifest["units"][]) {
      expect(stepsFor(running("kubelet.service", { activeState, subState }), units)).toEqual([{ ...step, unit: "kubelet.service", digest }]);
    }
  });

  it("leaves one that is to be left when it is down, and restarts it when it runs with something else", () => {
    const others = unit("kubelet.service", [ENV, UNIT_FILE], { whenDown: "leave" });
    expect(["inactive", "failed"].flatMap((activeState) => stepsFor(running("kubelet.service", { activeState }), {}, others))).toEqual([]);
    expect(stepsFor(undefined, {}, { ...others, enable: false })).toEqual([]);
    expect(stepsFor(running("kubelet.service"), {}, others)).toMatchObject([{ kind: "restart-unit" }]);
  });

  it("starts it when systemd does not know it", () => {
    expect(stepsFor(undefined, {}, unit("kubelet.service", [ENV, UNIT_FILE], { enable: false }))).toEqual([
      { kind: "start-unit", unit: "kubelet.service", digest, resetFailed: false, reason: "not running" },
    ]);
  });

  it.each([
    ["active", "running"],
    ["activating", "auto-restart"],
    ["activating", "start"],
    ["reloading", "reload"],
  ])("leaves it alone when it is %s (%s) with what is planned, and restarts it otherwise", (activeState, subState) => {
    const state = running("kubelet.service", { activeState, subState });
    expect(stepsFor(state, { "kubelet.service": digest })).toEqual([]);
    expect(stepsFor(state, { "kubelet.service": "sha256:other" })).toEqual([
      { kind: "restart-unit", unit: "kubelet.service", digest, reason: "started with other files or another version than planned" },
    ]);
    expect(stepsFor(state, {})).toEqual([
      { kind: "restart-unit", unit: "kubelet.service", digest, reason: "not started by eks-node-agent so far" },
    ]);
  });

  it("restarts it when its program has another version", () => {
    const newer = unit("kubelet.service", [ENV, UNIT_FILE], { startedWith: ["1.34.0"] });
    expect(stepsFor(running("kubelet.service"), { "kubelet.service": digest }, newer)).toMatchObject([{ kind: "restart-unit" }]);
  });

  it.each([
    ["enabled", false],
    ["static", false],
    ["generated", false],
    ["disabled", true],
    ["enabled-runtime", true],
    ["masked", true],
    ["", true],
  ])("with unit file state %j is enabled: %s", (unitFileState, isEnabled) => {
    const steps = stepsFor(running("kubelet.service", { unitFileState }), { "kubelet.service": digest });
    expect(steps).toEqual(isEnabled ? [{ kind: "enable-unit", unit: "kubelet.service" }] : []);
  });

  it("is not enabled when the plan does not ask for it", () => {
    const state = running("kubelet.service", { unitFileState: "disabled" });
    expect(stepsFor(state, { "kubelet.service": digest }, { ...kubelet, enable: false })).toEqual([]);
  });

  it("is reloaded when an earlier run was killed before it could", () => {
    expect(stepsFor(running("kubelet.service", { needDaemonReload: true }), { "kubelet.service": digest })).toEqual([
      { kind: "reload-systemd", reason: "changed on disk since systemd read it: kubelet.service" },
    ]);
  });
});

describe("compare() on a unit whose files change", () => {
  const state = running("kubelet.service", { unitFileState: "static" });
  const old = { "kubelet.service": "sha256:other" };

  it("restarts it for a file that it reads, and does not reload for one that is no unit file", () => {
    const before = { ...asPlanned, [ENV]: found("old") };
    const { changes } = compare(plan(files, [kubelet]), observed(before, [state], { units: old }));
    expect(changes.slice(1)).toEqual([{ kind: "restart-unit", unit: "kubelet.service", digest, reason: `changed: ${ENV}` }]);
  });

  it("reloads, enables and restarts it for its unit file, which may have got an [Install] section", () => {
    const before = { ...asPlanned, [UNIT_FILE]: found("old") };
    const { changes } = compare(plan(files, [kubelet]), observed(before, [state], { units: old }));
    expect(changes.slice(1)).toEqual([
      { kind: "reload-systemd", reason: `changed: ${UNIT_FILE}` },
      { kind: "enable-unit", unit: "kubelet.service" },
      { kind: "restart-unit", unit: "kubelet.service", digest, reason: `changed: ${UNIT_FILE}` },
    ]);
  });

  it("reloads for a drop-in that is removed, and restarts the unit that read it", () => {
    const dropIn = "/etc/systemd/system/kubelet.service.d/30-kubelet-extra-args.conf";
    const reader = unit("kubelet.service", [...kubelet.reads, dropIn]);
    const recorded = { files: { [dropIn]: "sha256:1" }, units: old };
    const { changes } = compare(plan(files, [reader]), observed({ ...asPlanned, [dropIn]: found("x") }, [running("kubelet.service")], recorded));
    expect(changes.slice(1)).toEqual([
      { kind: "reload-systemd", reason: `changed: ${dropIn}` },
      { kind: "restart-unit", unit: "kubelet.service", digest: unitDigest(plan(files), reader), reason: `changed: ${dropIn}` },
    ]);
  });

  it("does not restart it for the mode of a file, nor for another layout of its JSON", () => {
    const config = file("/etc/config.json", '{\n  "a": 1\n}\n');
    const reader = unit("kubelet.service", [config.path]);
    const units = { "kubelet.service": unitDigest(plan([file(config.path, '{"a":1}')]), reader) };
    const { changes } = compare(plan([config], [reader]), observed({ [config.path]: found('{"a":1}', { mode: 0o600 }) }, [running("kubelet.service")], { units }));
    expect(changes.map(({ kind }) => kind)).toEqual(["write-file"]);
  });
});

describe("compare() on several units", () => {
  const units = [unit("containerd.service", [ENV]), unit("sandbox-image.service"), unit("kubelet.service", [UNIT_FILE])];

  it("has every step of one kind before the next, and units in the order of the plan", () => {
    const manifest = { files: { "/etc/old": "sha256:1" } };
    const { changes } = compare(plan(files, units), observed({ "/etc/old": found("x") }, [], manifest));
    expect(changes.map((change) => [change.kind, "unit" in change ? change.unit : ""].join(" ").trim())).toEqual([
      "write-file",
      "write-file",
      "remove-file",
      "reload-systemd",
      "enable-unit containerd.service",
      "enable-unit sandbox-image.service",
      "enable-unit kubelet.service",
      "start-unit containerd.service",
      "start-unit sandbox-image.service",
      "start-unit kubelet.service",
    ]);
  });

  it("restarts only the unit whose files changed", () => {
    const planned = plan(files, units);
    const recorded = { units: Object.fromEntries(units.map((each) => [each.name, unitDigest(planned, each)])) };
    const now = plan([file(ENV, "new\n"), ...files.slice(1)], units);
    const { changes } = compare(now, observed(asPlanned, units.map(({ name }) => running(name)), recorded));
    expect(changes.map((change) => [change.kind, "unit" in change ? change.unit : ""].join(" ").trim())).toEqual(["write-file", "restart-unit containerd.service"]);
  });

  it("has no step for systemd when the plan has no units, as for an image being built", () => {
    expect(compare(plan(files), observed()).changes.map(({ kind }) => kind)).toEqual(["write-file", "write-file"]);
  });
});
