import { expect, test } from "vitest";
import { imdsEndpoint } from "../../src/gather/imds-endpoint.ts";

test.each<[Record<string, string>, string | undefined, string]>([
  [{}, undefined, "http://169.254.169.254"],
  [{ AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE: "IPv6" }, undefined, "http://[fd00:ec2::254]"],
  [{ AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE: "ipv4" }, undefined, "http://169.254.169.254"],
  [{ AWS_EC2_METADATA_SERVICE_ENDPOINT: "http://127.0.0.1:1338/", AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE: "IPv6" }, undefined, "http://127.0.0.1:1338"],
  [{ AWS_EC2_METADATA_SERVICE_ENDPOINT: "http://a" }, "b", "http://a"],
  [{ AWS_EC2_METADATA_SERVICE_ENDPOINT: "" }, "169.254.169.254:80", "http://169.254.169.254:80"],
])("of %j and bootstrap.sh's %s: %s", (environment, bootstrap, expected) => {
  expect(imdsEndpoint(environment, bootstrap)).toBe(expected);
});
