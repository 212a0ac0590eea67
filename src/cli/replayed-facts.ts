import type { NodeConfig } from "../config/node-config.ts";
import { AgentError } from "../errors.ts";
import { readNamedFile } from "../gather/documents.ts";
import { factsFromFile } from "../gather/replay.ts";
import type { Facts } from "../resolve/facts.ts";
import { missingFacts } from "../resolve/unanswered.ts";

/**
 * Facts as `eks-node-agent facts` printed them.
 *
 * @throws AgentError when the file cannot be read, is none, or lacks what this configuration needs
 */
export async function replayFacts(path: string, config: NodeConfig): Promise<Facts> {
  const { source, text } = await readNamedFile(path, "option --facts");
  const facts = factsFromFile(text, source);
  const missing = missingFacts(config, facts);
  if (missing.length > 0) throw incomplete(source, missing);
  return facts;
}

function incomplete(source: string, missing: readonly string[]): AgentError {
  return new AgentError("config-invalid", `Cannot plan this node by the facts in ${source}: they lack ${missing.join(", ")}, which its configuration needs`, {
    remedy: "Gather them on the node with the same configuration, as in `eks-node-agent facts my-cluster > facts.json`, or give what they would be asked for, such as --apiserver-endpoint and --b64-cluster-ca.",
  });
}
