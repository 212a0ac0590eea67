import { describe, expect, it } from "vitest";
import { acceleratorLabels, resolveRuntime } from "../../src/resolve/accelerator.ts";
import type { HostFacts } from "../../src/resolve/facts.ts";
import { HOST, host, noted, version } from "./fixture.ts";

const program = { programs: { ...HOST.programs, "nvidia-container-runtime": "/usr/bin/nvidia-container-runtime" } };
const both = { nvidiaDevice: true, ...program };

describe("the default runtime is chosen by device and program", () => {
  const runc = { value: "runc", source: "default" };

  it.each<[string, Partial<HostFacts>, unknown]>([
    ["neither", {}, runc],
    ["the program alone", program, runc],
    ["both", both, { value: "nvidia", source: "NVIDIA device and /usr/bin/nvidia-container-runtime" }],
  ])("%s", (_, of, result) => {
    expect(noted((add) => resolveRuntime(host(of), add))).toEqual({ result, notes: [] });
  });

  it("the device alone, with a note", () => {
    expect(noted((add) => resolveRuntime(host({ nvidiaDevice: true }), add))).toEqual({
      result: runc,
      notes: [{ code: "no-nvidia-runtime", message: "There is an NVIDIA device, but not /usr/bin/nvidia-container-runtime, so containers run with runc and do not see the device." }],
    });
  });
});

describe("the node's label of a GPU", () => {
  it.each<[string, Partial<HostFacts>, number, readonly string[]]>([
    ["1.35 with device and program", both, 35, ["nvidia.com/gpu.present=true"]],
    ["1.34 with both: none yet", both, 34, []],
    ["1.35 with the device alone: none", { nvidiaDevice: true }, 35, []],
    ["1.35 with the program alone: none", program, 35, []],
  ])("%s", (_, of, minor, labels) => {
    expect(acceleratorLabels(host(of), version(minor)).map(({ text }) => text)).toEqual(labels);
  });
});
