import { parseAddress, parseCidr } from "../lib/ip.ts";
import { isJsonObject, type JsonObject } from "../lib/json.ts";
import { didYouMean } from "../lib/nearest.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import { splitWords } from "../lib/systemd-words.ts";
import { parseToml } from "../lib/toml.ts";
import { fieldsOfKubelet } from "./kubelet-fragment.ts";
import type { FlagWords, NodeConfig } from "./node-config.ts";
import { mapping, plainText, type Reader, text } from "./readers.ts";
import { matching, type Parser, quote, serviceCidr } from "./setting-values.ts";

/** The services' block, of either family. */
export const parseServiceBlock: Parser<string> = (block) => serviceCidr(parseCidr(block)?.family ?? "ipv4")(block);

/** A KubeletConfiguration, in which a null removes what is set so far. */
export const kubeletConfig: Reader<Sourced<JsonObject>> = (value, place) => {
  const read = mapping(value, place);
  if (read === undefined) return undefined;
  const { fields, faults } = fieldsOfKubelet(read);
  for (const { key, message } of faults) place.at(key).refuse(message);
  return sourced(fields, place.source);
};

/** One text of flags, split as systemd splits it for nodeadm. */
export const flagWords: Reader<FlagWords> = (value, place) => {
  const given = plainText(value, place);
  if (given === undefined) return undefined;
  const split = splitWords(given.value);
  if ("problem" in split) return place.refuse(`${split.problem}.`);
  for (const remark of split.remarks) place.tolerate("kubelet-arguments-quoting", remark);
  return sourced(split.words, place.source);
};

/** Text in TOML, as data. */
export const toml: Reader<Sourced<JsonObject>> = (value, place) => {
  const given = plainText(value, place);
  if (given === undefined) return undefined;
  const parsed = parseToml(given.value);
  if ("value" in parsed) return sourced(parsed.value, place.source);
  return place.refuse(`Cannot read this as TOML${parsed.line === undefined ? "" : `, line ${parsed.line} of it`}: ${parsed.fault}`);
};

export const runtimeSpec: Reader<Sourced<JsonObject>> = (value, place) => {
  const read = mapping(value, place);
  return read === undefined ? undefined : sourced(withoutNulls(read), place.source);
};

function withoutNulls(object: JsonObject): JsonObject {
  const entries = Object.entries(object).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.map(([key, value]) => [key, isJsonObject(value) ? withoutNulls(value) : value]));
}

type Strategy = NonNullable<NodeConfig["instance"]["localDisks"]>["value"];

const STRATEGIES: ReadonlyMap<string, Strategy> = new Map([["RAID0", "raid0"], ["RAID10", "raid10"], ["Mount", "mount"]]);

export const parseStrategy: Parser<Strategy> = (word) => {
  const value = STRATEGIES.get(word);
  return value === undefined ? { fault: "expected RAID0, RAID10 or Mount" } : { value };
};

const MOUNTS = ["Containerd", "PodLogs", "SOCI"];

export const disabledMount: Reader<Sourced<string>> = (value, place) => {
  const mount = plainText(value, place);
  if (mount === undefined || MOUNTS.includes(mount.value)) return mount;
  return place.tolerate("unknown-mount", `There is no mount ${quote(mount.value)} that could be disabled${didYouMean(mount.value, MOUNTS) || ": there are Containerd, PodLogs and SOCI."}`);
};

/** An address, with or without a port, an interface and a server's name, as resolved.conf(5) has it. */
export const nameserver: Reader<Sourced<string>> = (value, place) => {
  const server = text(matching(/^[^\s\p{Cc}]+$/u, "the address of a name server"))(value, place);
  if (server === undefined) return undefined;
  const address = server.value.replace(/[%#].*$/, "").replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
  if (parseAddress(address) === undefined) place.tolerate("no-address", `${quote(server.value)} is no IP address, so no name will be asked of it.`);
  return server;
};
