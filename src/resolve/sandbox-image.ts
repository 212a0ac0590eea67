import type { SandboxImageConfig } from "../config/node-config.ts";
import { ecrRegistry } from "../data/ecr-region-lookup.ts";
import { PATHS } from "../lib/paths.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { Facts, HostFacts, InstanceFacts } from "./facts.ts";
import type { AddNote } from "./notes.ts";

/** Cached in the image by AL2023's build, which also imports it into containerd. */
const CACHED_IMAGE = "localhost/kubernetes/pause:latest";

/** In every region. */
const DEFAULT_VERSION = "3.5";

/** The host of ECR in FIPS mode, when FIPS is on and a registry is used at all: whether it resolves must be asked. */
export function fipsRegistryHost(image: SandboxImageConfig, host: HostFacts, instance: InstanceFacts): string | undefined {
  if (!host.fips || image.reference !== undefined || host.present.includes(PATHS.pauseArchive)) return undefined;
  return registryHost(image, instance, "dkr.ecr-fips");
}

/** The sandbox ("pause") image, one string with its tag for containerd's config and kubelet's flag. */
export function resolveSandboxImage(image: SandboxImageConfig, facts: Facts, host: HostFacts, instance: InstanceFacts, addNote: AddNote): Sourced<string> {
  if (image.reference !== undefined) return image.reference;
  if (host.present.includes(PATHS.pauseArchive)) return cachedImage(image, addNote);
  const version = image.version?.value ?? DEFAULT_VERSION;
  const registry = chooseRegistry(image, facts, host, instance, addNote);
  return sourced(`${registry}/eks/pause:${version}`, registrySource(image, instance));
}

function cachedImage({ account, version }: SandboxImageConfig, addNote: AddNote): Sourced<string> {
  for (const unused of [account, version]) {
    if (unused === undefined) continue;
    addNote("pause-option-unused", `The ${unused.source} has no effect, since the image carries the sandbox image itself (${PATHS.pauseArchive}). PAUSE_CONTAINER_IMAGE would replace that.`);
  }
  return sourced(CACHED_IMAGE, PATHS.pauseArchive);
}

function chooseRegistry(image: SandboxImageConfig, facts: Facts, host: HostFacts, instance: InstanceFacts, addNote: AddNote): string {
  noteFallback(image, instance, addNote);
  const plain = registryHost(image, instance, "dkr.ecr");
  const fips = fipsRegistryHost(image, host, instance);
  if (fips === undefined) return plain;
  if (facts.resolves?.[fips] === true) return fips;
  addNote("no-fips-registry", `FIPS mode is on, but the registry host ${fips} does not resolve, so ${plain} is used.`);
  return plain;
}

/** The DNS suffix is the instance's own, also where the registry's region is not. */
function registryHost(image: SandboxImageConfig, instance: InstanceFacts, service: string): string {
  const { account, region } = ecrRegistry(instance.region);
  return `${image.account?.value ?? account}.${service}.${image.account === undefined ? region : instance.region}.${instance.dnsSuffix}`;
}

function registrySource(image: SandboxImageConfig, instance: InstanceFacts): string {
  const account = image.account?.source ?? `built-in table (${instance.region})`;
  return image.version === undefined ? account : `${account}, ${image.version.source}`;
}

function noteFallback(image: SandboxImageConfig, instance: InstanceFacts, addNote: AddNote): void {
  const { isFallback, region } = ecrRegistry(instance.region);
  if (!isFallback || image.account !== undefined) return;
  addNote("region-unknown", `The region ${instance.region} is not in the built-in table, so the sandbox image is pulled from ${region}. Give --pause-container-account, or PAUSE_CONTAINER_IMAGE, if the region has its own registry.`);
}
