import { AgentError } from "../errors.ts";
import type { Answer, Facts, InstanceFacts, Question } from "../resolve/facts.ts";
import { gatherAddresses } from "./addresses.ts";
import { createAws } from "./aws.ts";
import type { AwsContext } from "./aws.ts";
import { eitherSignal } from "./either-signal.ts";
import { fetchInstanceType, fetchPrivateDnsName, loadEc2 } from "./ec2.ts";
import { describeCluster, describeClusterOnce, loadEks } from "./eks.ts";
import { gatherHost } from "./host.ts";
import { createImds } from "./imds.ts";
import type { Imds } from "./imds.ts";
import { gatherInstance, gatherIpv6Address, gatherLifeCycle, gatherLocalHostname, gatherVpcIpv4Cidrs } from "./instance.ts";
import { gatherResolves } from "./resolves.ts";
import type { GatherSettings } from "./settings.ts";
import { CONTAINERD, gatherVersion, KUBELET } from "./versions.ts";

/** Asks the world. Every question has a deadline, and ends at once when the gatherer is closed. */
export type Gatherer = {
  readonly imds: Imds;
  /** The part of the facts that answers `question`; `facts` are what is known so far. */
  readonly ask: (question: Question, facts: Facts, signal?: AbortSignal) => Promise<Facts>;
  /** Makes ready for calls of these services, while IMDS answers: credentials are fetched, clients are loaded, which costs CPU time. */
  readonly warmUp: (services?: readonly ("eks" | "ec2")[]) => void;
  /** For AWS calls from now on: proxies that the NodeConfig names. */
  readonly useEnvironment: (environment: GatherSettings["environment"]) => void;
  /** Ends what is still asked and closes all connections. */
  readonly close: () => Promise<void>;
};

export function createGatherer(settings: GatherSettings): Gatherer {
  const closing = new AbortController();
  const orClosed = eitherSignal(closing.signal);
  const imds = createImds(settings);
  let aws = createAws(imds, settings, closing.signal);
  const used = [aws];
  return {
    imds,
    ask: (question, facts, asked) => {
      const signal = orClosed(asked);
      return ask(question, facts, { settings, imds, aws: { ...aws, signal }, signal });
    },
    warmUp: (services = ["eks", "ec2"]) => warmUp(imds, aws, services),
    useEnvironment: (environment) => {
      aws = createAws(imds, { ...settings, environment }, closing.signal);
      used.push(aws);
    },
    close: async () => {
      closing.abort(new Error("the gatherer was closed"));
      await Promise.all([imds.close(), ...used.map(({ http }) => http.close())]);
    },
  };
}

/** What fails here fails again, and is told, where it is needed. Credentials are of no use to anything but these services. */
function warmUp(imds: Imds, { credentials }: AwsContext, services: readonly ("eks" | "ec2")[]): void {
  if (services.length === 0) return;
  credentials.get().catch(() => undefined);
  const load = (): void => {
    for (const service of services) LOADERS[service]().catch(() => undefined);
  };
  // What is asked with the token goes first.
  void imds.hasToken().then(() => setImmediate(load));
}

const LOADERS = { eks: loadEks, ec2: loadEc2 } as const;

type World = { readonly settings: GatherSettings; readonly imds: Imds; readonly aws: AwsContext; readonly signal: AbortSignal };

async function ask(question: Question, facts: Facts, { settings, imds, aws, signal }: World): Promise<Facts> {
  switch (question.kind) {
    case "instance":
      return { instance: await gatherInstance(imds, signal) };
    case "life-cycle":
      return { lifeCycle: await gatherLifeCycle(imds, signal) };
    case "local-hostname":
      return { localHostname: await tolerantly(signal, () => gatherLocalHostname(imds, signal)) };
    case "vpc-ipv4-cidrs":
      return { vpcIpv4Cidrs: await gatherVpcIpv4Cidrs(imds, question.mac, signal) };
    case "ipv6-address":
      return { ipv6Address: await tolerantly(signal, () => ipv6Address(imds, question.mac, signal)) };
    case "cluster":
      if (question.patience === "one-try") return { cluster: await tolerantly(signal, () => describeClusterOnce(question, aws)) };
      return { cluster: { value: await describeCluster(question, aws) } };
    case "private-dns-name":
      return { privateDnsName: await fetchPrivateDnsName(question, dnsSuffixOf(facts.instance), aws) };
    case "instance-type":
      return { instanceType: await tolerantly(signal, () => fetchInstanceType(question, dnsSuffixOf(facts.instance), aws)) };
    case "resolves":
      return { resolves: { [question.host]: await gatherResolves(question.host, signal) } };
    case "addresses":
      return { addresses: { [question.host]: await gatherAddresses(question.host, { ...settings, signal }) } };
    case "kubelet-version":
      return { kubeletVersion: await gatherVersion(settings.root, KUBELET, settings, signal) };
    case "containerd-version":
      return { containerdVersion: await gatherVersion(settings.root, CONTAINERD, settings, signal) };
    case "host":
      return { host: gatherHost(settings.root, withCredentialProvider(settings.host, question.credentialProvider)) };
    case "local-disks":
      return { localDisks: (await import("./local-disks.ts")).gatherLocalDisks(settings.root) };
  }
}

async function ipv6Address(imds: Imds, mac: string, signal: AbortSignal): Promise<string> {
  const address = await gatherIpv6Address(imds, mac, signal);
  if (address !== undefined) return address;
  throw new AgentError("config-invalid", `The primary interface (${mac}) has no IPv6 address`, {
    remedy: "Launch the instance in a subnet that assigns IPv6 addresses, or assign one to its primary interface.",
  });
}

/** The answer, or the sentence that says why there is none. What is no failure of the world goes up. */
async function tolerantly<T>(signal: AbortSignal, answer: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await answer() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AgentError) return { failure: error.message };
    throw error;
  }
}

function dnsSuffixOf(instance: InstanceFacts | undefined): string {
  if (instance === undefined) throw new Error("EC2 is asked before the instance is known");
  return instance.dnsSuffix;
}

function withCredentialProvider(targets: GatherSettings["host"], path: string | undefined): GatherSettings["host"] {
  return path === undefined ? targets : { ...targets, programs: { ...targets.programs, "ecr-credential-provider": [path] } };
}
