import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { errnoOf } from "../errors.ts";
import type { RetryPolicy, Try } from "../io/retry.ts";
import { fullJitter } from "../io/retry.ts";
import { observedRequest } from "./events.ts";
import { RemoteFailure } from "./failures.ts";
import { persistently } from "./persistently.ts";
import type { RetryContext } from "./persistently.ts";
import type { GatherSettings } from "./settings.ts";

type Context = RetryContext & Pick<GatherSettings, "nameServers">;

const POLICY: RetryPolicy = { delay: fullJitter(500, 5_000), perTryMs: 5_000, brief: { withinMs: 10_000, delay: fullJitter(500, 2_000) } };

/** From this try on the machine's other ways to find a host are good enough, /etc/hosts among them. */
const TRIES_OF_DNS = 4;

/**
 * A host's addresses as its name servers give them. /etc/hosts is not asked first: the agent itself writes there what it
 * found the last time, which must not be found again. A node that is cut off from its name servers goes on with that.
 *
 * @throws AgentError "unreachable" when there are none at the deadline
 */
export function gatherAddresses(host: string, context: Context): Promise<readonly string[]> {
  const task = `Cannot find the addresses of the API server ${host}`;
  const remedy = "Check the VPC's name servers (/etc/resolv.conf), and the host name in --apiserver-endpoint; the agent's unit tries again.";
  return persistently(context, { service: "dns", target: host, task, remedy, policy: POLICY }, async (one) => {
    const found = await observedRequest(context, { service: "dns", target: host, attempt: one.number }, () => ask(host, one, context));
    if (found.addresses.length > 0) return found.addresses;
    throw new RemoteFailure("the name has no address", { verdict: "retry", code: "unreachable", remedy });
  });
}

/** The status is HTTP's word for it, since that is what a request is recorded with. */
type Found = { readonly status: number; readonly addresses: readonly string[] };

async function ask(host: string, one: Try, context: Context): Promise<Found> {
  const resolver = new Resolver({ timeout: Math.ceil(one.timeoutMs), tries: 1 });
  if (context.nameServers !== undefined) resolver.setServers(context.nameServers);
  const cancel = (): void => resolver.cancel();
  context.signal?.addEventListener("abort", cancel, { once: true });
  try {
    const ipv4 = await orNone(resolver.resolve4(host));
    const addresses = ipv4.length > 0 ? ipv4 : await orNone(resolver.resolve6(host));
    return foundOf(addresses);
  } catch (error) {
    context.signal?.throwIfAborted();
    if (one.number < TRIES_OF_DNS) throw failure(error);
    return askMachine(host, error);
  } finally {
    context.signal?.removeEventListener("abort", cancel);
  }
}

async function askMachine(host: string, ofDns: unknown): Promise<Found> {
  try {
    return foundOf((await lookup(host, { all: true })).map(({ address }) => address));
  } catch {
    throw failure(ofDns);
  }
}

function foundOf(addresses: readonly string[]): Found {
  const unique = [...new Set(addresses)].filter((address) => isIP(address) !== 0);
  return { status: unique.length > 0 ? 200 : 404, addresses: unique };
}

/** Names without addresses of the one family may have some of the other. */
async function orNone(addresses: Promise<string[]>): Promise<readonly string[]> {
  try {
    return await addresses;
  } catch (error) {
    if (errnoOf(error) === "ENODATA") return [];
    throw error;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: "no name server knows it",
  ESERVFAIL: "the name servers fail",
  EREFUSED: "the name servers refuse to answer",
  ECONNREFUSED: "no name server answers",
  ETIMEOUT: "no name server answers in time",
};

function failure(error: unknown): unknown {
  const code = errnoOf(error);
  if (code === undefined) return error;
  return new RemoteFailure(`${REASONS[code] ?? "the look-up failed"} (${code})`, {
    verdict: "retry",
    code: "unreachable",
    remedy: "Check the VPC's name servers (/etc/resolv.conf), and the host name in --apiserver-endpoint; the agent's unit tries again.",
    cause: error,
  });
}
