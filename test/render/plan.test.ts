import { describe, expect, it } from "vitest";
import { PATHS } from "../../src/lib/paths.ts";
import { GIVEN, host, kubeletFlags, option } from "../resolve/fixture.ts";
import { containerd, fileOf, kubelet, planOf } from "./fixture.ts";

const paths = (plan: ReturnType<typeof planOf>): readonly string[] => plan.files.map(({ path }) => path);

describe("the plan of a node", () => {
  it("names its files, with mode, way of comparing, and whether systemd must reload", () => {
    expect(planOf({ kubelet: kubeletFlags("--v=4") }).files.map(({ path, mode, comparedAs, isUnitFile, isSecret }) => [path, mode.toString(8), comparedAs, isUnitFile, isSecret])).toEqual([
      ["/etc/containerd/config.toml", "644", "bytes", false, false],
      ["/etc/containerd/base-runtime-spec.json", "644", "json", false, false],
      ["/etc/systemd/system/containerd.service.d/00-runtime-slice.conf", "644", "bytes", true, false],
      ["/etc/systemd/system/sandbox-image.service", "644", "bytes", true, false],
      ["/etc/kubernetes/pki/ca.crt", "644", "bytes", false, false],
      ["/var/lib/kubelet/kubeconfig", "644", "bytes", false, false],
      ["/etc/kubernetes/kubelet/kubelet-config.json", "644", "json", false, false],
      ["/etc/eks/image-credential-provider/config.json", "644", "json", false, false],
      ["/etc/systemd/system/kubelet.service", "644", "bytes", true, false],
      ["/etc/systemd/system/kubelet.service.d/10-kubelet-args.conf", "644", "bytes", true, false],
      ["/etc/systemd/system/kubelet.service.d/20-kubelet-cloud-provider.conf", "644", "bytes", true, false],
      ["/etc/systemd/system/kubelet.service.d/30-kubelet-extra-args.conf", "644", "bytes", true, false],
    ]);
  });

  it("brings up containerd, then kubelet, each with the files that it reads and its version", () => {
    const { units, files } = planOf();
    expect(units.map(({ name, enable, failure, whenDifferent, startedWith }) => [name, enable, failure, whenDifferent, startedWith])).toEqual([
      ["containerd.service", true, "error", "restart", ["containerd 2.1.4"]],
      ["sandbox-image.service", true, "note", "restart", ["602401143452.dkr.ecr.us-east-1.amazonaws.com/eks/pause:3.5"]],
      ["kubelet.service", true, "error", "restart", ["kubelet 1.33.5"]],
    ]);
    expect(units[0]?.reads).toEqual([PATHS.containerdConfig, PATHS.containerdBaseSpec, PATHS.containerdSlice]);
    expect(units.flatMap(({ reads }) => reads)).toEqual(files.map(({ path }) => path));
  });

  it("under dockerd brings up Docker in containerd's place, after the packet filter's rules", () => {
    const { units, files } = planOf({}, kubelet("1.23.17"));
    expect(units.map(({ name, failure, whenDifferent }) => [name, failure, whenDifferent])).toEqual([
      ["iptables-restore.service", "note", "leave"],
      ["docker.service", "error", "restart"],
      ["kubelet.service", "error", "restart"],
    ]);
    expect(files.filter(({ path }) => /containerd|sandbox/.test(path))).toEqual([]);
  });

  it("shows Docker's configuration to nobody when it is the operator's own", () => {
    const plan = planOf({ docker: { configJson: option('{"a":1}', "docker-config-json") } }, kubelet("1.23.17"));
    expect(fileOf(plan, PATHS.dockerConfig)).toEqual({ path: PATHS.dockerConfig, contents: '{\n  "a": 1\n}\n', mode: 0o600, comparedAs: "json", isUnitFile: false, isSecret: true });
  });

  it("has no drop-in for extra arguments when there are none", () => {
    expect(paths(planOf())).not.toContain(PATHS.kubeletExtraArgs);
    expect(paths(planOf({ kubelet: kubeletFlags("--hostname-override=me", "--node-labels=") }))).not.toContain(PATHS.kubeletExtraArgs);
  });

  it("has no drop-in for a slice that the image's unit is in", () => {
    const plan = planOf({}, { host: host({ files: { "/usr/lib/systemd/system/containerd.service": "Slice=runtime.slice\n" } }) });
    expect(paths(plan)).not.toContain(PATHS.containerdSlice);
  });

  it("has a bootstrap kubeconfig, and no other, in a local cluster on Outposts", () => {
    const plan = planOf({ cluster: { ...GIVEN, outpost: option(true, "enable-local-outpost"), id: option("c0ffee", "cluster-id") } }, { addresses: { "given.example": ["10.1.0.5", "10.1.0.6"] } });
    expect(paths(plan).filter((path) => path.includes("kubeconfig"))).toEqual([PATHS.bootstrapKubeconfig]);
    expect(plan.blocks).toEqual([{ path: "/etc/hosts", lines: ["10.1.0.6 given.example", "10.1.0.5 given.example"] }]);
    expect(plan.unwanted).toEqual([{ path: PATHS.kubeconfig, unless: { hasLine: "server: https://given.example", lacksLine: "exec:" } }]);
  });

  it("restarts containerd for another containerd, and kubelet for another kubelet", () => {
    expect(planOf({}, { ...kubelet("1.32.0"), ...containerd("1.7.0") }).units.map(({ startedWith }) => startedWith)).toEqual([["containerd 1.7.0"], ["602401143452.dkr.ecr.us-east-1.amazonaws.com/eks/pause:3.5"], ["kubelet 1.32.0"]]);
  });

  it("is the same for the same, byte for byte", () => {
    expect(JSON.stringify(planOf())).toBe(JSON.stringify(planOf()));
  });

  it("ends every file with a line break", () => {
    const open = planOf().files.filter(({ contents }) => !contents.endsWith("\n"));
    expect(open.map(({ path }) => path)).toEqual([]);
  });

  it("has the certificate authority byte for byte", () => {
    const certificateAuthority = option("# note\r\n-----BEGIN CERTIFICATE-----\r\n", "b64-cluster-ca");
    expect(fileOf(planOf({ cluster: { ...GIVEN, certificateAuthority } }), PATHS.certificateAuthority)?.contents).toBe(certificateAuthority.value);
  });
});
