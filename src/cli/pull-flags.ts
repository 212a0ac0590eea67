import { type ImageReference, parseImageReference } from "../lib/image-reference.ts";
import { refuseUsage } from "./flag-values.ts";
import { choiceOf, type Given } from "./given.ts";
import type { LogLevel } from "./log.ts";

export type PullFlags = { readonly image: ImageReference; readonly logLevel: LogLevel };

/** @throws AgentError "usage" when the image is missing, or is none */
export function pullFlags([image, second]: readonly string[], given: Given): PullFlags {
  if (image === undefined) return refuseUsage("The image is missing", "Give it after the command, as in `eks-node-agent pull-sandbox-image registry.k8s.io/pause:3.9`.");
  if (second !== undefined) refuseUsage(`"${second}" is one word too many: the image is "${image}" already`);
  const parsed = parseImageReference(image) ?? refuseUsage(`Cannot use "${image}" as an image: expected a name such as registry.k8s.io/pause:3.9`);
  return { image: parsed, logLevel: choiceOf(given, "log-level") ?? "info" };
}
