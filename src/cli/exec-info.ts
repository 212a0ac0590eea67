import { AgentError } from "../errors.ts";
import { isJsonObject } from "../lib/json.ts";
import type { ExecApiVersion } from "../render/exec-credential.ts";
import type { Log } from "./log.ts";

const GROUP = "client.authentication.k8s.io";

/**
 * The version in which client-go wants its answer, by its variable KUBERNETES_EXEC_INFO; v1beta1, which all that are in use
 * know, when it says none that the agent speaks.
 *
 * @throws AgentError "usage" for v1alpha1, whose askers understand no other
 */
export function execApiVersion(execInfo: string | undefined, log: Pick<Log, "warn">): ExecApiVersion {
  if (!execInfo) return `${GROUP}/v1beta1`;
  const asked = apiVersionIn(execInfo);
  if (asked === `${GROUP}/v1` || asked === `${GROUP}/v1beta1`) return asked;
  if (asked === `${GROUP}/v1alpha1`) throw tooOld();
  log.warn(`KUBERNETES_EXEC_INFO asks for no version of ${GROUP} that is known here: the answer is in v1beta1`, { asked });
  return `${GROUP}/v1beta1`;
}

function apiVersionIn(execInfo: string): string | undefined {
  try {
    const info: unknown = JSON.parse(execInfo);
    return isJsonObject(info) && typeof info["apiVersion"] === "string" ? info["apiVersion"].slice(0, 100) : undefined;
  } catch {
    return undefined;
  }
}

function tooOld(): AgentError {
  return new AgentError("usage", `Cannot answer in ${GROUP}/v1alpha1: kubelet and kubectl have it no more since Kubernetes 1.24`, {
    remedy: `Let the kubeconfig's user.exec.apiVersion be ${GROUP}/v1beta1.`,
  });
}
