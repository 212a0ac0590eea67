import { join } from "node:path";
import { expect, test } from "vitest";
import { outcomeOf } from "./outcome.ts";

/** The value of a flag on kubelet's command line. */
function flag(name: string, args: string): string | undefined {
  return new RegExp(`--${name}=(\\S+)`).exec(args)?.[1]?.replace(/'$/, "");
}

/** Source: what nodeadm writes for the same document, with the verbosity that it has in its configuration. */
const OF_NODEADM = {
  kind: "KubeletConfiguration",
  apiVersion: "kubelet.config.k8s.io/v1beta1",
  address: "0.0.0.0",
  authentication: { anonymous: { enabled: false }, webhook: { cacheTTL: "2m0s", enabled: true }, x509: { clientCAFile: "/etc/kubernetes/pki/ca.crt" } },
  authorization: { mode: "Webhook", webhook: { cacheAuthorizedTTL: "5m0s", cacheUnauthorizedTTL: "30s" } },
  cgroupDriver: "systemd",
  cgroupRoot: "/",
  clusterDNS: ["172.20.0.10"],
  clusterDomain: "cluster.local",
  containerRuntimeEndpoint: "unix:///run/containerd/containerd.sock",
  evictionHard: { "memory.available": "100Mi", "nodefs.available": "10%", "nodefs.inodesFree": "5%" },
  featureGates: { RotateKubeletServerCertificate: true },
  hairpinMode: "hairpin-veth",
  kubeReserved: { cpu: "70m", "ephemeral-storage": "1Gi", memory: "893Mi" },
  kubeReservedCgroup: "/runtime",
  logging: { verbosity: 2 },
  maxPods: 58,
  protectKernelDefaults: true,
  providerID: "aws:///us-west-2a/i-0a1b2c3d4e5f60718",
  readOnlyPort: 0,
  serializeImagePulls: false,
  serverTLSBootstrap: true,
  systemReservedCgroup: "/system",
  tlsCipherSuites: [
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
    "TLS_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_RSA_WITH_AES_256_GCM_SHA384",
  ],
};

test("a NodeConfig with name, endpoint, CA and block has kubelet 1.29 on an m4.xlarge configured as nodeadm does", async () => {
  const files = await outcomeOf(join(import.meta.dirname, "nodeconfig-alone-m4-xlarge-1.29"));
  const config = JSON.parse(files.get("etc/kubernetes/kubelet/kubelet-config.json") ?? "") as { readonly tlsCipherSuites: readonly string[] };
  const args = files.get("etc/systemd/system/kubelet.service.d/10-kubelet-args.conf") ?? "";
  const effective = { ...config, tlsCipherSuites: config.tlsCipherSuites.toSorted(), logging: { verbosity: Number(flag("v", args)) } };
  expect(effective).toEqual(OF_NODEADM);
  expect([flag("node-ip", args), flag("hostname-override", args), flag("config", args)]).toEqual(["192.168.12.34", "ip-192-168-12-34.us-west-2.compute.internal", "/etc/kubernetes/kubelet/kubelet-config.json"]);
});
