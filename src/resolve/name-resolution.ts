import type { InstanceConfig } from "../config/node-config.ts";
import { AgentError } from "../errors.ts";
import { type HostFacts, RESOLVED_UNITS } from "./facts.ts";
import type { AddNote } from "./notes.ts";

/** What systemd-resolved is asked for. */
export type NameResolution = {
  readonly nameservers: readonly string[];
  readonly domains: readonly string[];
  /** Whether the image has systemd-resolved. */
  readonly hasResolved: boolean;
};

/** @throws AgentError "config-invalid" for a value that would be another setting, or two */
export function resolveNameResolution({ nameservers, domains }: InstanceConfig, { present }: HostFacts, addNote: AddNote): NameResolution {
  const hasResolved = RESOLVED_UNITS.some((path) => present.includes(path));
  const asked = nameservers ?? domains;
  if (asked !== undefined && !hasResolved) {
    addNote("no-resolved", `The name servers and domains from ${asked.source} have no effect yet, since the image has no systemd-resolved, which reads them.`);
  }
  return { nameservers: words(nameservers), domains: words(domains), hasResolved };
}

function words(given: InstanceConfig["domains"]): readonly string[] {
  const odd = given?.value.find((word) => !/^[^\s\p{Cc}]+$/u.test(word));
  if (odd === undefined) return given?.value ?? [];
  throw new AgentError("config-invalid", `Cannot use ${JSON.stringify(odd)} for name resolution (${given?.source ?? ""}): it has a space or a control character, or nothing`, {
    remedy: "Give an address or a domain by itself.",
  });
}
