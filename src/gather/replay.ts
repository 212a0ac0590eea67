import { AgentError } from "../errors.ts";
import { count, either, flag, integer, listOf, mapOf, object, oneOf, type Shape, text } from "../lib/shape.ts";
import type { Facts } from "../resolve/facts.ts";

const LARGEST_BYTES = 8 * 1024 * 1024;

/**
 * The facts of a file that `eks-node-agent facts` printed.
 *
 * @param source the file's name, for messages
 * @throws AgentError "config-invalid" that names everything wrong with it
 */
export function factsFromFile(contents: string, source: string): Facts {
  if (Buffer.byteLength(contents) > LARGEST_BYTES) throw unusable(source, `it is larger than ${LARGEST_BYTES} bytes`, []);
  const value = parse(contents, source);
  const problems = FACTS(value, "");
  if (problems.length > 0) throw unusable(source, `${problems.length === 1 ? "1 thing in it is" : `${problems.length} things in it are`} wrong`, problems);
  return value as Facts;
}

function parse(contents: string, source: string): unknown {
  try {
    return JSON.parse(contents) as unknown;
  } catch (error) {
    throw unusable(source, `it is not JSON: ${(error as Error).message}`, []);
  }
}

function unusable(source: string, why: string, lines: readonly string[]): AgentError {
  return new AgentError("config-invalid", `Cannot use "${source}" as facts: ${why}`, { remedy: "Write one anew on a node: eks-node-agent facts > facts.json.", lines });
}

/** Either a value or the reason why there is none. */
function answer(value: Shape): Shape {
  return either({ value: object({ value }), failure: object({ failure: text }) });
}

const INSTANCE = object(
  { id: text, type: text, region: text, zone: text, accountId: text, dnsSuffix: text, mac: text },
  { localIpv4: text },
);

const CLUSTER = object(
  { name: text, endpoint: text, certificateAuthority: text, ipFamily: oneOf("ipv4", "ipv6") },
  { serviceIpv4Cidr: text, serviceIpv6Cidr: text, id: text, outpostArn: text },
);

const VERSION = object({ version: text, source: text });

const HOST = object({
  cpus: count,
  memoryMiB: count,
  architecture: oneOf("x86_64", "aarch64"),
  cgroupVersion: oneOf(1, 2),
  swapOn: flag,
  fips: flag,
  nvidiaDevice: flag,
  bpfMounted: flag,
  sysctls: mapOf(integer),
  programs: mapOf(text),
  files: mapOf(text),
  present: listOf(text),
  enabledUnits: listOf(text),
});

const FACTS = object(
  {},
  {
    instance: INSTANCE,
    vpcIpv4Cidrs: listOf(text),
    lifeCycle: answer(text),
    ipv6Address: answer(text),
    cluster: answer(CLUSTER),
    privateDnsName: text,
    localHostname: answer(text),
    instanceType: answer(object({ enis: count, ipv4PerEni: count })),
    addresses: mapOf(listOf(text)),
    resolves: mapOf(flag),
    kubeletVersion: answer(VERSION),
    containerdVersion: answer(VERSION),
    host: HOST,
    localDisks: listOf(text),
  } satisfies Record<keyof Facts, Shape>,
);
