import { describe, expect, it } from "vitest";
import { PATHS } from "../../src/lib/paths.ts";
import { kubeletFlags } from "../resolve/fixture.ts";
import { fileOf, planOf } from "./fixture.ts";

const dropIn = (path: string, ...words: readonly string[]): string | undefined => fileOf(planOf({ kubelet: kubeletFlags(...words) }), path)?.contents;
const extra = (...words: readonly string[]): string | undefined => dropIn(PATHS.kubeletExtraArgs, ...words);

describe("kubelet's drop-ins", () => {
  it("10-kubelet-args.conf has the agent's flags", () => {
    expect(dropIn(PATHS.kubeletArgs)).toBe(
      "[Service]\nEnvironment='KUBELET_ARGS=--node-ip=192.168.10.20 --hostname-override=ip-192-168-10-20.ec2.internal --v=2 --pod-infra-container-image=602401143452.dkr.ecr.us-east-1.amazonaws.com/eks/pause:3.5 --runtime-cgroups=/runtime.slice/containerd.service --image-credential-provider-config=/etc/eks/image-credential-provider/config.json --image-credential-provider-bin-dir=/etc/eks/image-credential-provider --config=/etc/kubernetes/kubelet/kubelet-config.json --kubeconfig=/var/lib/kubelet/kubeconfig'\n",
    );
  });

  it.each([
    [[], "external", "the agent's"],
    [["--cloud-provider=aws"], "aws", "the user's"],
    [["--cloud-provider="], "", "none"],
  ])("20-kubelet-cloud-provider.conf after %j has %j (%s)", (words, value) => {
    expect(dropIn(PATHS.kubeletCloudProvider, ...words)).toBe(`[Service]\nEnvironment='KUBELET_CLOUD_PROVIDER=${value}'\n`);
  });

  it.each<[readonly string[], string, string]>([
    [["--node-labels=a=b,c=d"], "--node-labels=a=b,c=d", "plain"],
    [["--node-labels=a=b c"], '"--node-labels=a=b c"', "a space"],
    [["--root-dir=/100%"], "--root-dir=/100%%", "systemd takes % for a specifier"],
    [["--root-dir=/$HOME"], "--root-dir=/$HOME", "a dollar is a letter in a variable"],
    [["--root-dir=C:\\x"], '"--root-dir=C:\\\\\\\\x"', "a backslash, for the words and for the line"],
    [["--root-dir=it's"], `"--root-dir=it\\'s"`, "a single quote"],
    [['--root-dir="x"'], '"--root-dir=\\\\"x\\\\""', "a double quote"],
    [["--root-dir="], "--root-dir=", "an empty value"],
    [["--root-dir=a;b#c*"], '"--root-dir=a;b#c*"', "letters of the shell"],
    [["--root-dir=a\tb"], '"--root-dir=a\tb"', "a tab"],
    [["--eviction-hard=memory.available<5%"], "--eviction-hard=memory.available<5%%", "less than"],
  ])("30-kubelet-extra-args.conf after %j has %s (%s)", (words, text) => {
    expect(extra(...words)).toBe(`[Service]\nEnvironment='KUBELET_EXTRA_ARGS=${text}'\n`);
  });
});

describe("containerd's drop-in", () => {
  it("puts it into the slice that kubelet's runtime-cgroups names", () => {
    expect(fileOf(planOf(), PATHS.containerdSlice)?.contents).toBe("[Service]\nSlice=runtime.slice\n");
  });
});
