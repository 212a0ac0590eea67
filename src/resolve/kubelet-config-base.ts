import type { JsonObject } from "../lib/json.ts";

/**
 * What every node's KubeletConfiguration starts from, in the order in which it is written.
 * Source: the files that the peers' images carry.
 */
export const KUBELET_CONFIG_BASE: JsonObject = {
  kind: "KubeletConfiguration",
  apiVersion: "kubelet.config.k8s.io/v1beta1",
  address: "0.0.0.0",
  authentication: {
    anonymous: { enabled: false },
    webhook: { cacheTTL: "2m0s", enabled: true },
    x509: { clientCAFile: "/etc/kubernetes/pki/ca.crt" },
  },
  authorization: {
    mode: "Webhook",
    webhook: { cacheAuthorizedTTL: "5m0s", cacheUnauthorizedTTL: "30s" },
  },
  clusterDomain: "cluster.local",
  hairpinMode: "hairpin-veth",
  readOnlyPort: 0,
  cgroupRoot: "/",
  protectKernelDefaults: true,
  serverTLSBootstrap: true,
  serializeImagePulls: false,
  tlsCipherSuites: [
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
    "TLS_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_RSA_WITH_AES_256_GCM_SHA384",
  ],
};
