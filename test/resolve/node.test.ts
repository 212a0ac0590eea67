import { describe, expect, it } from "vitest";
import { PATHS } from "../../src/lib/paths.ts";
import { resolveNode } from "../../src/resolve/node.ts";
import { CONFIG_FILE, EXTRA_ARGS, facts, host, kubeletConfig, kubeletFlags, nodeConfig, NAMED } from "./fixture.ts";

describe("resolveNode()", () => {
  it("without a cluster's name is an error that says how to give one", () => {
    expect(() => resolveNode(nodeConfig({ cluster: {} }), facts())).toThrow(
      expect.objectContaining({
        code: "config-invalid",
        message: "Cannot join a cluster without its name: no source of configuration gives one",
        remedy: "Name the cluster on the command line, as in `eks-node-agent bootstrap my-cluster`.",
      }) as Error,
    );
  });

  it("without an answer that it had to have is a bug, not an error of the operator's", () => {
    expect(() => resolveNode(nodeConfig({ cluster: NAMED }), facts())).toThrow(/^a node was resolved without DescribeCluster's answer/);
    expect(() => resolveNode(nodeConfig(), {})).toThrow(/before the facts of IMDS were gathered$/);
  });

  it("collects the notes of all rules", () => {
    const config = nodeConfig({ kubelet: { ...kubeletFlags("--max-pods=20", "--node-ip=10.0.0.1"), ...kubeletConfig({ maxPods: 30 }) } });
    const node = resolveNode(config, facts({ host: host({ nvidiaDevice: true, present: [PATHS.gpuScript], memoryMiB: 1000 }) }));
    expect(node.notes.map(({ code }) => code)).toEqual(["dns-guessed", "much-memory-reserved", "no-nvidia-runtime", "identity-flag", "field-hidden", "gpu-script-not-run"]);
    expect(node.notes.at(-2)?.message).toBe(`The kubelet configuration's maxPods 30 (${CONFIG_FILE}) has no effect, since the flag --max-pods=20 (${EXTRA_ARGS}) beats it.`);
    expect(node.notes.at(-1)?.message).toBe("The image's /etc/eks/bootstrap-gpu.sh was not run: the agent sets up the NVIDIA runtime itself. Run it from user data if it does more.");
  });

  it("is silent about a node of which nothing is guessed", () => {
    const node = resolveNode(nodeConfig({ cluster: { ...nodeConfig().cluster, serviceCidrs: [{ value: "172.20.0.0/16", source: "option --service-ipv4-cidr" }] } }), facts());
    expect(node.notes).toEqual([]);
  });

  it("gives the same for the same", () => {
    const config = nodeConfig({ kubelet: kubeletFlags("--node-labels=b=1,a=2") });
    expect(JSON.stringify(resolveNode(config, facts()))).toBe(JSON.stringify(resolveNode(config, facts())));
  });
});
