import { describe, expect, it } from "vitest";
import { KERNEL_DEFAULTS } from "../../src/resolve/facts.ts";
import { unprotectedKernel } from "../../src/resolve/kernel-defaults.ts";
import { host, noted, userArguments } from "./fixture.ts";

const below = { protectKernelDefaults: true };
const layers = (sysctls: Readonly<Record<string, number>>): unknown =>
  noted((add) => unprotectedKernel({ host: host({ sysctls }), user: userArguments(), userConfig: [] }, below, add));

describe("each setting of the kernel that kubelet demands", () => {
  it.each(Object.entries(KERNEL_DEFAULTS))("%s, another than %i", (name, wanted) => {
    expect(layers({ ...KERNEL_DEFAULTS, [name]: wanted + 1 })).toEqual({
      result: [{ value: { protectKernelDefaults: false }, source: "kernel settings of this host" }],
      notes: [
        {
          code: "kernel-defaults-differ",
          message: `protectKernelDefaults is written false, since kubelet would refuse to start: ${name} is ${wanted + 1} and not ${wanted}. Kubelet sets them itself then.`,
        },
      ],
    });
  });

  it("are as the rule has them", () => {
    expect(KERNEL_DEFAULTS).toEqual({
      "vm.overcommit_memory": 1,
      "vm.panic_on_oom": 0,
      "kernel.panic": 10,
      "kernel.panic_on_oops": 1,
      "kernel.keys.root_maxkeys": 1000000,
      "kernel.keys.root_maxbytes": 25000000,
    });
    expect(layers(KERNEL_DEFAULTS)).toEqual({ result: [], notes: [] });
  });
});
