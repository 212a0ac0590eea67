import { expect, it } from "vitest";
import { OPTIONS, VARIABLES } from "../../src/cli/options.ts";
import { OVERRIDES } from "../../src/config/gather-overrides.ts";
import { SETTINGS } from "../../src/config/settings.ts";

it("config reads every option of bootstrap.sh and every variable that the command line takes", () => {
  const offered = [...OPTIONS.flatMap(({ name, variable }) => (variable === undefined ? [] : [`${name} ${variable}`])), ...VARIABLES.map(({ name }) => `- ${name}`)];
  const read = [...SETTINGS, ...OVERRIDES].map(({ option, variable }) => `${option ?? "-"} ${variable}`);
  const apart = ["kubelet-extra-args KUBELET_EXTRA_ARGS", "service-ipv4-cidr SERVICE_IPV4_CIDR", "service-ipv6-cidr SERVICE_IPV6_CIDR", "containerd-config-file CONTAINERD_CONFIG_FILE"];
  expect([...read, ...apart].sort()).toEqual(offered.sort());
});

it("every option of bootstrap.sh has its variable", () => {
  expect(OPTIONS.filter(({ group, variable }) => (group === "bootstrap.sh") !== (variable !== undefined))).toEqual([]);
});
