import { sourced } from "../lib/sourced.ts";
import type { DocumentParser } from "./document.ts";
import { environments } from "./environment.ts";
import { type Field, field, ignored, readFields } from "./fields.ts";
import { placesOf } from "./place.ts";
import { flag, list, plainText, sourcedList, text } from "./readers.ts";
import { matching, parseCa, parseClusterName, parseEndpoint, parseOutpostId } from "./setting-values.ts";
import { disabledMount, flagWords, kubeletConfig, nameserver, parseServiceBlock, parseStrategy, runtimeSpec, toml } from "./v1alpha1-values.ts";

/** `node.eks.aws/v1alpha1`, the version of nodeadm. */
export const parseV1alpha1: DocumentParser = (document) => {
  const { top, sayings } = placesOf(document);
  const config = readFields(FIELDS, document.value, top);
  return { config, ...sayings };
};

const FIELDS: readonly Field[] = [
  ignored("apiVersion"),
  ignored("kind"),
  ignored("metadata"),
  ignored("status"),
  field("spec.cluster.name", text(parseClusterName), (name) => ({ cluster: { name } })),
  field("spec.cluster.apiServerEndpoint", text(parseEndpoint), (apiServerEndpoint) => ({ cluster: { apiServerEndpoint } })),
  field("spec.cluster.certificateAuthority", text(parseCa), (certificateAuthority) => ({ cluster: { certificateAuthority } })),
  field("spec.cluster.cidr", text(parseServiceBlock), (block) => ({ cluster: { serviceCidrs: [block] } })),
  field("spec.cluster.enableOutpost", flag, (outpost) => ({ cluster: { outpost } })),
  field("spec.cluster.id", text(parseOutpostId), (id) => ({ cluster: { id } })),
  field("spec.kubelet.config", kubeletConfig, (fragment) => ({ kubelet: { config: [fragment] } })),
  field("spec.kubelet.flags", list(flagWords), (flags) => ({ kubelet: { flags } })),
  field("spec.kubelet.maxPodsExpression", plainText, (maxPodsExpression) => ({ kubelet: { maxPodsExpression } })),
  field("spec.containerd.config", toml, (fragment) => ({ containerd: { config: [fragment] } })),
  field("spec.containerd.baseRuntimeSpec", runtimeSpec, (spec) => ({ containerd: { baseRuntimeSpec: [spec] } })),
  field("spec.instance.localStorage.strategy", text(parseStrategy), (localDisks) => ({ instance: { localDisks } })),
  field("spec.instance.localStorage.mountPath", text(matching(/^\/[^\p{Cc}]*$/u, "an absolute path")), (localDisksMountPath) => ({ instance: { localDisksMountPath } })),
  field("spec.instance.localStorage.disabledMounts", sourcedList(disabledMount), (disabledMounts) => ({ instance: { disabledMounts } })),
  field("spec.instance.environment", environments, (environment) => ({ instance: { environment } })),
  field("spec.instance.network.nameservers", sourcedList(nameserver), (nameservers) => ({ instance: { nameservers } })),
  field("spec.instance.network.domains", sourcedList(text(matching(/^[^\s\p{Cc}]+$/u, "the name of a domain"))), (domains) => ({ instance: { domains } })),
  field("spec.featureGates.InstanceIdNodeName", flag, ({ value, source }) => ({ kubelet: { nodeName: sourced(value ? "instance-id" : "private-dns", source) } })),
  field("spec.featureGates.FastImagePull", flag, (fastImagePull) => ({ features: { fastImagePull } })),
];
