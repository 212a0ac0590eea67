import type { Answer } from "./answer.ts";
import type { World } from "./world.ts";

/** `GET /clusters/NAME` as EKS answers it (rest-json). Errors are known by x-amzn-errortype; the body has only the message. */
export function answerDescribeCluster(name: string, world: World): Answer {
  const cluster = world.clusters.find((candidate) => candidate.name === name);
  if (cluster === undefined) return eksError(404, "ResourceNotFoundException", `No cluster found for name: ${name}.`);
  const arn = `arn:${world.partition}:eks:${world.region}:${world.accountId}:cluster/${name}`;
  return { status: 200, body: JSON.stringify({ cluster: { ...cluster, arn, createdAt: 1767225600.5 } }), headers: JSON_HEADERS };
}

const JSON_HEADERS = { "content-type": "application/json" };

export function eksError(status: number, name: string, message: string): Answer {
  return { status, body: JSON.stringify({ message }), headers: { ...JSON_HEADERS, "x-amzn-errortype": `${name}:http://internal.amazon.com/coral/` } };
}
