import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import { unitFileFault } from "../lib/systemd-quote.ts";
import type { NodeConfig } from "./node-config.ts";
import type { Place } from "./place.ts";
import { notMapping, type Reader } from "./readers.ts";

type Environments = NodeConfig["instance"]["environment"];
type Variables = Environments[string];

/**
 * Variables by service; "default" are those of all. A service is named without ".service". Its name becomes part of a path,
 * and the variables lines of a unit file; the values may be secrets, and are in no message.
 */
export const environments: Reader<Environments> = (value, place) => {
  if (!isJsonObject(value)) return place.refuse(notMapping(value));
  return Object.entries(value).reduce<Environments>((all, [name, variables]) => {
    const service = serviceOf(name, place.at(name));
    const read = variablesOf(variables, place.at(name));
    return service === undefined ? all : { ...all, [service]: { ...all[service], ...read } };
  }, {});
};

/** What systemd allows in a unit's name, as far as it fits into a file's name with ".service.d". */
const SERVICE = /^[A-Za-z0-9:_@\\-][A-Za-z0-9:_.@\\-]{0,199}$/;

function serviceOf(name: string, place: Place): string | undefined {
  const service = name.replace(/\.service$/, "");
  if (SERVICE.test(service)) return service;
  return place.refuse(`Cannot use ${JSON.stringify(name)} as the name of a service: expected "default", or a name such as "kubelet" or "containerd".`);
}

function variablesOf(value: JsonValue, place: Place): Variables {
  if (value === null) return {};
  if (!isJsonObject(value)) return place.refuse("Cannot use this: expected a mapping of variables to their values.") ?? {};
  return Object.fromEntries(entriesOf(value, place));
}

function entriesOf(variables: JsonObject, place: Place): readonly (readonly [string, Sourced<string>])[] {
  return Object.entries(variables).flatMap(([name, value]) => {
    const read = value === null ? undefined : valueOf(name, value, place.at(name));
    return read === undefined ? [] : [[name, sourced(read, place.source)] as const];
  });
}

function valueOf(name: string, value: JsonValue, place: Place): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name)) return place.refuse(`Cannot use ${JSON.stringify(name)} as the name of a variable: it has letters, digits and "_", and begins with no digit.`);
  if (typeof value !== "string") return place.refuse(`Cannot use a value that is no text: put it in quotes, as in ${name}: "…".`);
  const fault = unitFileFault(value);
  return fault === undefined ? value : place.refuse(`Cannot use this value: it contains ${fault}, for which systemd would ignore the whole setting.`);
}
