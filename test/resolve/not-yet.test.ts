import { describe, expect, it } from "vitest";
import type { NodeConfig } from "../../src/config/node-config.ts";
import { noteNotYet } from "../../src/resolve/not-yet.ts";
import { host, nodeConfig, noted, option } from "./fixture.ts";

const instance = (changes: Partial<NodeConfig["instance"]>): Partial<NodeConfig> => ({ instance: { environment: {}, ...changes } });

describe("what is asked for, and not done yet, is said", () => {
  it.each<[string, Partial<NodeConfig>, Partial<ReturnType<typeof host>>, readonly string[]]>([
    ["nothing", {}, {}, []],
    ["local disks", instance({ localDisks: option("raid0", "local-disks") }), {}, ["The disks of the instance store stay as they are, although option --local-disks asks for more: this version of the agent cannot do that yet."]],
    ["no local disks", instance({ localDisks: option("none", "local-disks") }), {}, []],
  ])("%s", (_, config, of, messages) => {
    expect(noted((add) => noteNotYet(nodeConfig(config), host(of), add)).notes).toEqual(messages.map((message) => ({ code: "not-yet", message })));
  });
});
