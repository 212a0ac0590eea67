import { describe, expect, it } from "vitest";
import { AgentError } from "../../src/errors.ts";
import { PATHS } from "../../src/lib/paths.ts";
import { sourced } from "../../src/lib/sourced.ts";
import { host } from "../resolve/fixture.ts";
import { resolveNameResolution } from "../../src/resolve/name-resolution.ts";
import { noted } from "../resolve/fixture.ts";
import { fileOf, planOf } from "./fixture.ts";

type Asked = { readonly nameservers?: readonly string[]; readonly domains?: readonly string[] };

const instance = ({ nameservers, domains }: Asked): Parameters<typeof resolveNameResolution>[0] => ({
  environment: {},
  ...(nameservers && { nameservers: sourced(nameservers, "user-data") }),
  ...(domains && { domains: sourced(domains, "user-data") }),
});
const present = ["/lib/systemd/system/systemd-resolved.service"];

describe("spec.instance.network", () => {
  it.each<[string, Asked, string | undefined]>([
    ["both", { nameservers: ["10.0.0.2", "2001:db8::53"], domains: ["a.example", "~b.example"] }, "[Resolve]\nDNS=10.0.0.2 2001:db8::53\nDomains=a.example ~b.example\n"],
    ["name servers alone", { nameservers: ["10.0.0.2"] }, "[Resolve]\nDNS=10.0.0.2\n"],
    ["domains alone", { nameservers: [], domains: ["a.example"] }, "[Resolve]\nDomains=a.example\n"],
    ["nothing", {}, undefined],
    ["empty lists", { nameservers: [], domains: [] }, undefined],
  ])("%s", (_, asked, contents) => {
    expect(fileOf(planOf({ instance: instance(asked) }), PATHS.resolvedConfig)?.contents).toBe(contents);
  });

  it("restarts systemd-resolved where it runs, and starts it nowhere", () => {
    const units = (known: Parameters<typeof planOf>[1]): unknown => planOf({ instance: instance({ domains: ["a.example"] }) }, known).units.filter(({ name }) => name === "systemd-resolved.service");
    expect(units({ host: host({ present }) })).toEqual([
      { name: "systemd-resolved.service", enable: false, failure: "note", whenDifferent: "restart", whenDown: "leave", reads: [PATHS.resolvedConfig], startedWith: [] },
    ]);
    expect(units({})).toEqual([]);
  });

  it("says that nobody reads it where there is no systemd-resolved", () => {
    expect(noted((add) => resolveNameResolution(instance({ domains: ["a.example"] }), host(), add)).notes).toEqual([
      { code: "no-resolved", message: "The name servers and domains from user-data have no effect yet, since the image has no systemd-resolved, which reads them." },
    ]);
    expect(noted((add) => resolveNameResolution(instance({}), host(), add)).notes).toEqual([]);
  });

  it.each(["a b", "a\nDNSSEC=no", ""])("cannot be %j, which would be something else to systemd", (domain) => {
    expect(() => resolveNameResolution(instance({ domains: [domain] }), host({ present }), () => undefined)).toThrow(AgentError);
    expect(() => resolveNameResolution(instance({ domains: [domain] }), host({ present }), () => undefined)).toThrow(`Cannot use ${JSON.stringify(domain)} for name resolution (user-data)`);
  });
});
