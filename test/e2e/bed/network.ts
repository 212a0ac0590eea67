import { must } from "./execute.ts";

/** What may be wrong between a bed and IMDS. */
export type NetworkFault =
  /** Packets vanish: a connection times out. */
  | "black-hole"
  /** A connection is refused at once, and one that is open is reset. */
  | "refused"
  | "unreachable";

const VERDICTS: Readonly<Record<NetworkFault, string>> = {
  "black-hole": "drop",
  refused: "reject with tcp reset",
  unreachable: "reject with icmp type host-unreachable",
};

/** Two network namespaces: the bed's own, named as it is, and "the sky" above it, where AWS is. The bed reaches nothing else. */
export async function makeNetwork(name: string, mac: string): Promise<void> {
  const sky = skyOf(name);
  await must(["ip", "netns", "add", name]);
  await must(["ip", "netns", "add", sky]);
  await must(["ip", "link", "add", "eth0", "netns", name, "address", mac, "type", "veth", "peer", "name", "vpc", "netns", sky]);
  for (const address of ["10.0.1.1/24", "169.254.169.254/32"]) await must(["ip", "-n", sky, "addr", "add", address, "dev", "vpc"]);
  for (const [namespace, device] of [[sky, "lo"], [sky, "vpc"], [name, "lo"], [name, "eth0"]] as const) await must(["ip", "-n", namespace, "link", "set", device, "up"]);
  await must(["ip", "-n", name, "addr", "add", "10.0.1.23/24", "dev", "eth0"]);
  await must(["ip", "-n", name, "route", "add", "default", "via", "10.0.1.1"]);
  // What is beyond is answered "unreachable" at once, and is no black hole.
  await must(["ip", "netns", "exec", sky, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"]);
}

export async function removeNetwork(name: string): Promise<void> {
  for (const namespace of [name, skyOf(name)]) await must(["ip", "netns", "del", namespace]).catch(() => undefined);
}

/** @param base the root whose nft is used: the machine need not have one */
export async function breakNetwork(name: string, base: string, fault: NetworkFault | undefined): Promise<void> {
  const nft = ["ip", "netns", "exec", skyOf(name), "chroot", base, "nft"];
  await must([...nft, "flush", "ruleset"]);
  if (fault === undefined) return;
  const rules = `table ip faults { chain input { type filter hook input priority 0; ip daddr 169.254.169.254 tcp dport 80 ${VERDICTS[fault]}; }; }\n`;
  await must([...nft, "-f", "-"], { input: rules });
}

export function skyOf(name: string): string {
  return `${name}-sky`;
}
