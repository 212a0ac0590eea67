import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startSimulator, type Simulator } from "../simulator/simulator.ts";
import { CLUSTER_CA_PEM, WORLD } from "../simulator/world.ts";
import { CAN_CHROOT, makeNodeRoot, type NodeRoot } from "./node-root.ts";

const CA = Buffer.from(CLUSTER_CA_PEM).toString("base64");
const COMMAND = ["demo", "--b64-cluster-ca", CA, "--apiserver-endpoint", "https://ABC.gr7.us-west-2.eks.amazonaws.com"];
const EXTRA = ["--kubelet-extra-args", "--node-labels=a=b --register-with-taints=c=d:NoSchedule"];
const NO_WAIT = ["--wait", "none"];

describe.skipIf(!CAN_CHROOT)("the executable on a machine without Node.js (skipped without root: it changes the root directory)", () => {
  let simulator: Simulator;
  let node: NodeRoot;
  

  beforeEach(async () => {
    simulator = await startSimulator({ world: { ...WORLD, vpcIpv4Cidrs: ["192.168.0.0/16"] } });
    node = makeNodeRoot();
  });
  afterEach(async () => {
    await simulator.close();


    node.remove();
  });

  const run = (args: readonly string[], options: Parameters<NodeRoot["run"]>[1] = {}) =>
    node.run(args, { ...options, environment: { ...simulator.environment, ...options.environment } });

  test("bootstrap.sh's command line writes every file, starts the units and says so", async () => {
    const ended = await run([...COMMAND, ...EXTRA, ...NO_WAIT]);
    expect(ended.stderr).not.toContain("error");
    expect(ended.status).toBe(0);
    for (const [path, contents] of Object.entries(node.managedFiles())) {
      await expect(contents).toMatchFileSnapshot(`golden${path}`);
    }
    expect(Object.keys(node.managedFiles())).toEqual(PATHS_WITH_EXTRA_ARGS);
  });
});

const PATHS_WITH_EXTRA_ARGS = [
  "/etc/containerd/base-runtime-spec.json",
  "/etc/containerd/config.toml",
  "/etc/eks/image-credential-provider/config.json",
  "/etc/kubernetes/kubelet/kubelet-config.json",
  "/etc/kubernetes/pki/ca.crt",
  "/etc/systemd/system/containerd.service.d/00-runtime-slice.conf",
  "/etc/systemd/system/kubelet.service",
  "/etc/systemd/system/kubelet.service.d/10-kubelet-args.conf",
  "/etc/systemd/system/kubelet.service.d/20-kubelet-cloud-provider.conf",
  "/etc/systemd/system/kubelet.service.d/30-kubelet-extra-args.conf",
  "/var/lib/kubelet/kubeconfig",
];
