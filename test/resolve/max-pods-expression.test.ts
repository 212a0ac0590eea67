import { describe, expect, it } from "vitest";
import { evaluateMaxPods } from "../../src/config/max-pods-expression.ts";
import { PATHS } from "../../src/lib/paths.ts";
import { sourced } from "../../src/lib/sourced.ts";
import { needsInstanceType, resolveTableMaxPods } from "../../src/resolve/max-pods.ts";
import { resolveMaxPodsExpression } from "../../src/resolve/max-pods-expression.ts";
import { FACTS, facts, host, INSTANCE, nodeConfig, noted } from "./fixture.ts";

const SOURCE = "user-data part 1";

type Case = { readonly expression: string; readonly type?: string; readonly known?: typeof FACTS };

function pods({ expression, type = "m4.xlarge", known = FACTS }: Case): unknown {
  const instance = { ...INSTANCE, type };
  const config = nodeConfig({ kubelet: { maxPodsExpression: sourced(expression, SOURCE) } });
  return noted((add) => resolveMaxPodsExpression({ config, facts: known, instance, evaluateMaxPods }, resolveTableMaxPods(known, instance, () => undefined), add));
}

const imageTable = facts({ host: host({ files: { [PATHS.eniMaxPods]: "m4.xlarge 20\nz9.large 44\n" } }) });

describe("maxPodsExpression", () => {
  it.each<[string, Case, number]>([
    ["reckons with the type's limits", { expression: "default_enis * 100 + ips_per_eni" }, 415],
    ["and with the count of the image's table", { expression: "max_pods + default_enis", known: imageTable }, 24],
    ["EC2's answer stands for a type in no table", { expression: "default_enis * 10", type: "z9.large", known: facts({ instanceType: { value: { enis: 3, ipv4PerEni: 10 } } }) }, 30],
  ])("%s", (_, of, value) => {
    expect(pods(of)).toEqual({ result: { value, source: `maxPodsExpression (${SOURCE})` }, notes: [] });
  });

  it("that is empty asks for nothing", () => {
    expect(pods({ expression: " " })).toEqual({ result: { value: 58, source: "built-in table (m4.xlarge)" }, notes: [] });
  });

  it("that does not evaluate leaves the table's count, with a note", () => {
    expect(pods({ expression: "99 - fake" })).toEqual({
      result: { value: 58, source: "built-in table (m4.xlarge)" },
      notes: [
        {
          code: "max-pods-expression",
          message: "The expression for maxPods from user-data part 1 does not evaluate (unknown variable: fake; there are default_enis, ips_per_eni, max_pods), so 58 pods from built-in table (m4.xlarge) are used.",
        },
      ],
    });
  });

  it("does not evaluate for a type whose limits nobody knows", () => {
    expect(pods({ expression: "max_pods * 2", type: "z9.large", known: imageTable })).toMatchObject({
      result: { value: 44 },
      notes: [{ message: expect.stringContaining("(the limits of the instance type z9.large are not known), so 44 pods") as string }],
    });
  });

  it.each([
    ["EC2 is asked for the limits that the image's table does not have", "z9.large", true],
    ["and not for those of the built-in table", "m4.xlarge", false],
  ])("%s", (_, type, needed) => {
    const config = nodeConfig({ kubelet: { maxPodsExpression: sourced("max_pods", SOURCE) } });
    expect(needsInstanceType(config, imageTable, { ...INSTANCE, type })).toBe(needed);
  });
});
