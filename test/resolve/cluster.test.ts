import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { resolveCluster } from "../../src/resolve/cluster.ts";
import { CLUSTER, facts, GIVEN, NAMED, nodeConfig, option } from "./fixture.ts";

const pem = readFileSync(new URL("../simulator/tls/cluster-ca.crt", import.meta.url), "utf8");
const described = { ...CLUSTER, certificateAuthority: Buffer.from(pem).toString("base64") };
const name = option("demo", "name");
const none = (): void => undefined;

describe("the cluster's endpoint and certificate authority", () => {
  it("are what the operator gives, whatever DescribeCluster says", () => {
    const cluster = resolveCluster(nodeConfig(), facts({ cluster: { value: described } }), name, none);
    expect([cluster.endpoint, cluster.certificateAuthority]).toEqual([GIVEN.apiServerEndpoint, GIVEN.certificateAuthority]);
  });

  it("are DescribeCluster's when missing, the certificates decoded from base64", () => {
    const cluster = resolveCluster(nodeConfig({ cluster: NAMED }), facts({ cluster: { value: described } }), name, none);
    expect(cluster.endpoint).toEqual({ value: described.endpoint, source: "eks:DescribeCluster" });
    expect(cluster.certificateAuthority).toEqual({ value: pem, source: "eks:DescribeCluster" });
  });

  it.each([
    ["<html>", "is not base64 of text"],
    [Buffer.from("<html>").toString("base64"), 'is base64 of something that is not PEM (no line "-----BEGIN CERTIFICATE-----")'],
  ])("a certificate authority %j of DescribeCluster never becomes a file", (certificateAuthority, why) => {
    const known = facts({ cluster: { value: { ...described, certificateAuthority } } });
    expect(() => resolveCluster(nodeConfig({ cluster: NAMED }), known, name, none)).toThrow(
      expect.objectContaining({ code: "remote-nonsense", message: `Cannot use the certificate authority that eks:DescribeCluster gives for "demo": it ${why}` }) as Error,
    );
  });
});

describe("a local cluster on Outposts", () => {
  const outpostArn = "arn:aws:outposts:us-east-1:111122223333:outpost/op-1";
  const onOutpost = facts({ cluster: { value: { ...described, id: "c0ffee", outpostArn } } });
  const no = { ...NAMED, outpost: option(false, "enable-local-outpost") };
  const yes = { ...GIVEN, outpost: option(true, "enable-local-outpost") };

  it("is what DescribeCluster says, and is authenticated to by its id", () => {
    const cluster = resolveCluster(nodeConfig({ cluster: NAMED }), onOutpost, name, none);
    expect(cluster.isLocalOutpost).toEqual({ value: true, source: `eks:DescribeCluster (${outpostArn})` });
    expect(cluster.authenticationId).toEqual({ value: "c0ffee", source: "eks:DescribeCluster" });
  });

  it("is not one when the operator says so", () => {
    const cluster = resolveCluster(nodeConfig({ cluster: no }), onOutpost, name, none);
    expect([cluster.isLocalOutpost.value, cluster.authenticationId]).toEqual([false, name]);
  });

  it("takes --cluster-id before DescribeCluster's", () => {
    const cluster = resolveCluster(nodeConfig({ cluster: { ...yes, id: option("given", "cluster-id") } }), onOutpost, name, none);
    expect(cluster.authenticationId).toEqual({ value: "given", source: "option --cluster-id" });
  });

  it("without an id is an error, since authentication goes by it", () => {
    expect(() => resolveCluster(nodeConfig({ cluster: yes }), facts(), name, none)).toThrow(
      expect.objectContaining({
        code: "config-invalid",
        message: 'Cannot join "demo" as a local cluster on Outposts: its id is not known, and authentication goes by the id there',
        remedy: "Give --cluster-id, or --enable-local-outpost false if this is no local cluster.",
      }) as Error,
    );
  });
});
