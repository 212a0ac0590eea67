import { parseRegion } from "../gather/instance.ts";
import type { Environment } from "./environment.ts";
import { refuseUsage } from "./flag-values.ts";

/**
 * The region that AWS's SDKs take: AWS_REGION, else AWS_DEFAULT_REGION; undefined when neither is set.
 *
 * @throws AgentError "usage" when it is none
 */
export function regionOfEnvironment(environment: Environment): string | undefined {
  const name = environment["AWS_REGION"] ? "AWS_REGION" : "AWS_DEFAULT_REGION";
  const text = environment[name];
  return text ? checkedRegion(text, name) : undefined;
}

/**
 * @param where what gives it: "--region", "AWS_REGION"
 * @throws AgentError "usage" when it is none
 */
export function checkedRegion(text: string, where: string): string {
  return parseRegion(text) ?? refuseUsage(`Cannot use "${text}" as ${where}: expected a region such as us-west-2`);
}
