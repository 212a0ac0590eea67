import type { Answer } from "./answer.ts";
import type { World } from "./world.ts";

/** What the simulated registry takes, in base64. */
export const REGISTRY_LOGIN = Buffer.from("AWS:a-very-secret-password").toString("base64");

/** ECR's API, which speaks JSON under headers that name the action. */
export function answerEcr(action: string, world: World): Answer {
  if (action !== "GetAuthorizationToken") return ecrError(400, "UnknownOperationException", "");
  const proxyEndpoint = `https://${world.accountId}.dkr.ecr.${world.region}.${world.dnsSuffix}`;
  return { status: 200, body: JSON.stringify({ authorizationData: [{ authorizationToken: REGISTRY_LOGIN, expiresAt: 1767268800.5, proxyEndpoint }] }), headers: JSON_HEADERS };
}

export function ecrError(status: number, name: string, message: string): Answer {
  return { status, body: JSON.stringify({ __type: `com.amazonaws.ecr#${name}`, message }), headers: JSON_HEADERS };
}

const JSON_HEADERS = { "content-type": "application/x-amz-json-1.1" };
