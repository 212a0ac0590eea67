import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { interruptTask, startTask } from "../task.ts";

const NAMES = ["AWS_EC2_METADATA_SERVICE_ENDPOINT", "AWS_ENDPOINT_URL_EKS", "AWS_ENDPOINT_URL_EC2"];

test("`npm run simulate` prints variables to export, and IMDS answers where they say", async () => {
  const task = startTask("npm run simulate");
  onTestFinished(() => interruptTask(task));
  const variables = new Map<string, string>();
  for await (const line of createInterface({ input: task.stdout ?? Readable.from([]) })) {
    const [, name = "", value = ""] = /^export (\w+)=(.*)$/.exec(line) ?? [];
    variables.set(name, value);
    if (NAMES.every((each) => variables.has(each))) break;
  }
  const token = await fetch(new URL("/latest/api/token", variables.get(NAMES[0] ?? "")), { method: "PUT", headers: { "x-aws-ec2-metadata-token-ttl-seconds": "60" } });
  expect([token.status, (await token.text()).length > 0]).toEqual([200, true]);
});
