import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redact, redactArguments, redactByRules } from "../../src/cli/redact.ts";

const R = "<redacted>";
const IMDS_TOKEN = "AQAEALPqfq_4Q9wz5dCLZsvjMGuJMNGHdUHCrb7mLhyvHOFGHpVXvg==";
const SESSION_TOKEN = "IQoJb3JpZ2luX2VjEPn//////////wEaCXVzLXdlc3QtMiJHMEUCIQDx+Zk/6rY0Rk1n==";
const SIGNATURE = "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7";
const KEY_ID = "ASIAIOSFODNN7EXAMPLE";
const LOGIN = `{"auths":{"registry.example.com":{"auth":"dXNlcjpodW50ZXIy"}}}`;

const SECRETS: readonly (readonly [why: string, text: string, redacted: string])[] = [
  ["a proxy's password", "connecting to http://joe:hunter2@proxy.example.com:3128/ failed", `connecting to http://joe:${R}@proxy.example.com:3128/ failed`],
  ["a password with an @ that should have been escaped", `"https://joe:p@ss@proxy.example.com"`, `"https://joe:${R}@proxy.example.com"`],
  ["a password with a slash that should have been escaped", "http://joe:pa/ss@proxy:3128", `http://joe:${R}@proxy:3128`],
  ["a password and no user", "https://:hunter2@proxy.example.com", `https://:${R}@proxy.example.com`],
  ["two URLs in one word", "HTTP_PROXY=http://a:b@p:1;HTTPS_PROXY=http://c:d@q:2", `HTTP_PROXY=http://a:${R}@q:2`],
  ["a proxy without a scheme", "HTTPS_PROXY=joe:hunter2@10.0.0.5:3128", `HTTPS_PROXY=joe:${R}@10.0.0.5:3128`],
  ["kubelet's token", "token k8s-aws-v1.aHR0cHM6Ly9zdHMudXMtd2VzdC0yLmFtYXpvbmF3cy5jb20v was refused", `token k8s-aws-v1.${R} was refused`],
  ["a service account's token", "sent eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlcm5ldGVzIn0.c2lnbmF0dXJlLW9mLWl0 to it", `sent ${R} to it`],
  ["an IMDS token by itself", `got "${IMDS_TOKEN}"`, `got "${R}"`],
  ["an IMDS token in a header", `X-aws-ec2-metadata-token: ${IMDS_TOKEN}`, `X-aws-ec2-metadata-token: ${R}`],
  ["an IMDS token of a stand-in", "{ 'X-aws-ec2-metadata-token': 'simulated-1' }", `{ 'X-aws-ec2-metadata-token': '${R}' }`],
  ["IMDS's answer with credentials", `{"AccessKeyId" : "${KEY_ID}", "SecretAccessKey" : "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "Token" : "${SESSION_TOKEN}"}`, `{"AccessKeyId" : "${R}", "SecretAccessKey" : "${R}", "Token" : "${R}"}`],
  ["credentials as environment", `AWS_ACCESS_KEY_ID=${KEY_ID} AWS_SECRET_ACCESS_KEY=wJalr/K7MDENG+b AWS_SESSION_TOKEN=abc123`, `AWS_ACCESS_KEY_ID=${R} AWS_SECRET_ACCESS_KEY=${R} AWS_SESSION_TOKEN=${R}`],
  ["credentials as a file", "aws_secret_access_key = 'wJalrXUtnFEMI'", `aws_secret_access_key = '${R}'`],
  ["a session token by itself", `expired: ${SESSION_TOKEN}`, `expired: ${R}`],
  ["a signed request", `authorization: AWS4-HMAC-SHA256 Credential=${KEY_ID}/20261130/us-west-2/eks/aws4_request, SignedHeaders=host, Signature=${SIGNATURE}`, `authorization: AWS4-HMAC-SHA256 ${R}`],
  ["a presigned URL", `https://sts.us-west-2.amazonaws.com/?Action=GetCallerIdentity&X-Amz-Credential=${KEY_ID}%2F20261130&X-Amz-Expires=60&X-Amz-Security-Token=abc%2Fdef&X-Amz-Signature=${SIGNATURE}`, `https://sts.us-west-2.amazonaws.com/?Action=GetCallerIdentity&X-Amz-Credential=${R}&X-Amz-Expires=60&X-Amz-Security-Token=${R}&X-Amz-Signature=${R}`],
  ["a login in a header", `"Authorization": "Basic dXNlcjpodW50ZXIy"`, `"Authorization": "Basic ${R}"`],
  ["a registry's login as JSON", LOGIN, `{"auths":{"registry.example.com":{"auth":"${R}"}}}`],
  ["a registry's login as JSON in JSON", JSON.stringify({ file: LOGIN }), JSON.stringify({ file: LOGIN.replace("dXNlcjpodW50ZXIy", R) })],
  ["a registry's login in containerd's TOML", `+  password = "hun\\"ter2"\n+  auth = "dXNlcjpodW50ZXIy"`, `+  password = "${R}"\n+  auth = "${R}"`],
  ["a login in YAML", "user:\n  token: abcdef.0123456789abcdef\n  username: joe", `user:\n  token: ${R}\n  username: joe`],
  ["--docker-config-json in a line, bare", `bootstrap.sh c1 --docker-config-json {"auths": {"r": {}}}`, `bootstrap.sh c1 --docker-config-json ${R}`],
  ["--docker-config-json in a line, quoted", `bootstrap.sh --docker-config-json '{"auths": {}}' --ip-family ipv4`, `bootstrap.sh --docker-config-json ${R} --ip-family ipv4`],
  ["DOCKER_CONFIG_JSON as one word", "DOCKER_CONFIG_JSON=e30K USE_MAX_PODS=false", `DOCKER_CONFIG_JSON=${R} USE_MAX_PODS=false`],
  ["a setting of a unit", `+Environment='HTTPS_PROXY=http://proxy' "LICENCE=a b"\n+Restart=always`, `+Environment='HTTPS_PROXY=${R}'\n+Restart=always`],
  ["a private key", "a\n-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\nb", `a\n${R}\nb`],
  ["a private key that is cut off", "-----BEGIN PRIVATE KEY-----\nMHcCAQEE", R],
];

const PUBLIC: readonly (readonly [why: string, text: string])[] = [
  ["a certificate", "-----BEGIN CERTIFICATE-----\nMIIBhTCCASugAwIBAgIQIRi6zePL6mKjOipn+dNuaTAKBggqhkjOPQQDAjAS\n-----END CERTIFICATE-----\n"],
  ["a CA in base64", "--b64-cluster-ca LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJoVENDQVN1Z0F3SUJBZ0lRSVJpNnplUEw2bUtqT2lwbitkTnVhVEFLQmdncWhrak9QUVFEQWpBUw=="],
  ["an ARN", "arn:aws:iam::123456789012:role/eks-node with AROAIOSFODNN7EXAMPLE:i-0123456789abcdef0"],
  ["an endpoint", "https://0123456789ABCDEF0123456789ABCDEF.gr7.us-west-2.eks.amazonaws.com:443/healthz"],
  ["a port, and an @ further on", "http://localhost:8080/charts/a@1.2.3"],
  ["an IPv6 host", "http://[fd00:ec2::254]:80/latest/meta-data/"],
  ["an image by digest", "docker://busybox:1.36@sha256:9ae97d36d26566ff84e8893c64a6dc4fe8ca6d1144bf5b87b2b85a32def253c7"],
  ["an image by tag", "602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/pause:3.5"],
  ["a digest", `sha256:${SIGNATURE}`],
  ["a header without a secret", "X-aws-ec2-metadata-token-ttl-seconds: 21600"],
  ["a setting about tokens", "IMDS_TOKEN_TTL_SECONDS=21600"],
  ["a feature gate", "--feature-gates=BoundServiceAccountToken=true,KubeletServiceAccountTokenForCredentialProviders=true"],
  ["kubelet's configuration", `{\n  "authentication": {"anonymous": {"enabled": false}},\n  "authorization": {"mode": "Webhook"}\n}`],
  ["kubelet's command line in a unit", "Environment='KUBELET_ARGS=--node-ip=10.0.0.5 --node-labels=a=b,team=c --v=2'"],
  ["a sentence on the option", "option --docker-config-json: Cannot use it: it has no effect under containerd"],
  ["a sentence on a token", "Cannot get a token: IMDS refused it. The password was not asked for. Basic authentication is off"],
  ["a syntax error", `Unexpected token '}', "{}}" is not valid JSON`],
  ["a provider id", "aws:///us-west-2b/i-0123456789abcdef0"],
  ["a taint", "--register-with-taints=dedicated=gpu:NoSchedule"],
  ["an e-mail address", "mailto:ops@example.com and systemd units like getty@tty1.service"],
  ["a Go error with addresses", "dial tcp 10.0.0.1:443: connect: connection refused"],
];

describe("redact()", () => {
  test.each(SECRETS)("cuts out %s", (_why, text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });

  test.each(SECRETS)("finds nothing more to cut out: %s", (_why, text) => {
    expect(redact(redact(text))).toBe(redact(text));
  });

  test.each(PUBLIC)("leaves alone %s", (_why, text) => {
    expect(redact(text)).toBe(text);
  });

  test("cuts out the values that it is told, where they stand as a word", () => {
    expect(redact("value (hunter.2) in hunter.2x, hunter92 and a-hunter.2", ["hunter.2"])).toBe(`value (${R}) in hunter.2x, hunter92 and a-hunter.2`);
  });

  test("does not cut out values so short that they are in every sentence", () => {
    expect(redact("it is true: 1 of 1", ["true", "1", "", "      "])).toBe("it is true: 1 of 1");
  });
});

test.each(["://a:", "\n", "docker-config-json={ ", 'docker-config-json="', 'password="', "authorization: ", "a:b@", "\\"])("redact() reaches the end of a long text of %j", (part) => {
  // A rule that tries every end for every start would take minutes.
  expect(redact(`${part.repeat(100_000)} k8s-aws-v1.abc`)).toMatch(/<redacted>$/);
});

describe("redactArguments()", () => {
  test("cuts out the value of a secret option, as the next word and after =", () => {
    const args = ["my-cluster", "--docker-config-json", LOGIN, `--docker-config-json=${LOGIN}`, "--ip-family", "ipv4"];
    expect(redactArguments(args)).toEqual(["my-cluster", "--docker-config-json", R, `--docker-config-json=${R}`, "--ip-family", "ipv4"]);
  });

  test("cuts secrets out of the other arguments", () => {
    expect(redactArguments(["--config-source", "https://joe:hunter2@example.com/a.yaml", "hunter2-too"], ["hunter2-too"])).toEqual(["--config-source", `https://joe:${R}@example.com/a.yaml`, R]);
  });

  test("keeps a secret option that has no value", () => {
    expect(redactArguments(["--docker-config-json"])).toEqual(["--docker-config-json"]);
  });
});


test("a text that the rules are spared has nothing that they would find", () => {
  const pieces = [...SECRETS, ...PUBLIC].flatMap(([, text]) => text.split(/(?<=[\s=:"'])/)).map((piece) => fc.constantFrom(piece, piece.toUpperCase(), piece.toLowerCase()));
  const texts = fc.array(fc.oneof(fc.string({ maxLength: 5 }), ...pieces), { maxLength: 6 }).map((parts) => parts.join(""));
  fc.assert(fc.property(texts, (text) => redact(text) === redactByRules(text)), { numRuns: 3000 });
});
