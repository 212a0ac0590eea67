import { describe, expect, it } from "vitest";
import { PATHS } from "../../src/lib/paths.ts";
import { sourced } from "../../src/lib/sourced.ts";
import { fileOf, planOf } from "./fixture.ts";

const of = (variables: Readonly<Record<string, string>>): Readonly<Record<string, { value: string; source: string }>> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, sourced(value, "user-data")]));

const plan = planOf({
  instance: { environment: { default: of({ A: 'b c "d" \'e\' 100%', TZ: "UTC" }), kubelet: of({ GODEBUG: "x=1" }), docker: of({ D: "\\" }) } },
});

describe("spec.instance.environment", () => {
  it.each([
    [PATHS.systemEnvironment, "[Manager]\nDefaultEnvironment='A=b c \"d\" \\'e\\' 100%%'\nDefaultEnvironment='TZ=UTC'\n"],
    ["/etc/systemd/system/kubelet.service.d/50-eks-environment.conf", "[Service]\nEnvironment='GODEBUG=x=1'\n"],
    ["/etc/systemd/system/docker.service.d/50-eks-environment.conf", "[Service]\nEnvironment='D=\\\\'\n"],
  ])("is in %s, for which systemd reloads, and which only root reads", (path, contents) => {
    expect(fileOf(plan, path)).toEqual({ path, contents, mode: 0o600, comparedAs: "bytes", isUnitFile: true, isSecret: true });
  });

  it("is what a unit is restarted for, if the agent starts it", () => {
    const environmentOf = (name: string): unknown => plan.units.find((unit) => unit.name === name)?.reads.filter((path) => path.includes("environment"));
    expect(environmentOf("kubelet.service")).toEqual([PATHS.systemEnvironment, "/etc/systemd/system/kubelet.service.d/50-eks-environment.conf"]);
    expect(environmentOf("containerd.service")).toEqual([PATHS.systemEnvironment]);
    expect(environmentOf("docker.service")).toBeUndefined();
  });

  it("makes no file where there is none", () => {
    expect(planOf().files.filter(({ path }) => path.includes("environment"))).toEqual([]);
  });
});
