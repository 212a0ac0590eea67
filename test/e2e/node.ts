/** What the machines of these tests are told, and what kubelet shall get. */
import { CLUSTER } from "../simulator/world.ts";
import type { Bed } from "./bed/bed.ts";
import { until } from "./bed/until.ts";

export const ENDPOINT = String(CLUSTER.endpoint);
export const CA = String(CLUSTER.certificateAuthority?.data);

/** A NodeConfig that leaves the rest to DescribeCluster. */
export const NODE_CONFIG = `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster:
    name: demo
`;

/** bootstrap.sh's arguments, as Terraform modules write them: nothing is left to be looked up. */
export const BOOTSTRAP_ARGS = ["demo", "--b64-cluster-ca", CA, "--apiserver-endpoint", ENDPOINT, "--dns-cluster-ip", "172.20.0.10"] as const;

/** kubelet's arguments on the machine of these tests, with `extra` of the user's. */
export function kubeletArguments(extra: readonly string[] = []): readonly string[] {
  return [
    "--node-ip=10.0.1.23",
    "--hostname-override=ip-10-0-1-23.us-west-2.compute.internal",
    "--v=2",
    "--pod-infra-container-image=602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/pause:3.5",
    "--runtime-cgroups=/runtime.slice/containerd.service",
    "--image-credential-provider-config=/etc/eks/image-credential-provider/config.json",
    "--image-credential-provider-bin-dir=/etc/eks/image-credential-provider",
    "--config=/etc/kubernetes/kubelet/kubelet-config.json",
    "--kubeconfig=/var/lib/kubelet/kubeconfig",
    "--cloud-provider=external",
    ...extra,
  ];
}

/** MIME multi-part user data, as EKS's managed node groups send it. */
export function multipart(...parts: readonly { readonly type: string; readonly text: string }[]): string {
  const boundary = "==BOUNDARY==";
  const bodies = parts.map(({ type, text }) => `--${boundary}\nContent-Type: ${type}; charset="us-ascii"\n\n${text}\n`);
  return [`MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="${boundary}"\n\n`, ...bodies, `--${boundary}--\n`].join("");
}

export const nodeConfigPart = (text = NODE_CONFIG): { type: string; text: string } => ({ type: "application/node.eks.aws", text });
export const scriptPart = (text: string): { type: string; text: string } => ({ type: "text/x-shellscript", text: `#!/bin/bash\n${text}\n` });

/** Waits until cloud-init has done all that user data asks for. */
export async function cloudInitDone(bed: Bed): Promise<void> {
  await bed.run(["cloud-init", "status", "--wait"]);
}

/** Waits until a unit is in one of the states that it stays in. */
export async function settled(bed: Bed, unit: string): Promise<string> {
  return until(`${unit} is active or has failed`, async () => {
    const { ActiveState = "" } = await bed.show(unit, "ActiveState");
    return ["active", "failed"].includes(ActiveState) && ActiveState;
  });
}

export async function kubeletState(bed: Bed): Promise<string> {
  return (await bed.show("kubelet.service", "ActiveState"))["ActiveState"] ?? "";
}
