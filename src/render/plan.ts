import type { Plan, PlannedFile, PlannedUnit } from "../plan/plan.ts";
import type { Node } from "../resolve/node.ts";
import { renderBpfMount } from "./bpf-mount.ts";
import { renderBaseRuntimeSpec } from "./base-runtime-spec.ts";
import { renderCertificateAuthority } from "./certificate-authority.ts";
import { renderContainerdConfig } from "./containerd-config.ts";
import { renderCredentialProvider } from "./credential-provider.ts";
import { renderContainerdSlice, renderDropIns } from "./drop-ins.ts";
import { renderEnvironment, withEnvironment } from "./environment.ts";
import { renderHosts } from "./hosts.ts";
import { renderKubeconfig, unwantedKubeconfig } from "./kubeconfig.ts";
import { renderKubeletConfig } from "./kubelet-config.ts";
import { renderKubeletUnit } from "./kubelet-unit.ts";
import { renderResolvedConfig } from "./resolved.ts";
import { renderSandboxImageUnit } from "./sandbox-image.ts";
import { renderContainerdSoci, renderSociConfig } from "./soci.ts";

/** Every file of the node, down to its bytes, and the units that read them: containerd with its snapshotter first, then kubelet. */
export function render(node: Node): Plan {
  const ofResolved = renderResolvedConfig(node);
  const environment = renderEnvironment(node);
  const ofSoci = renderSociConfig(node);
  const ofContainerd = [renderContainerdConfig(node), ...renderBaseRuntimeSpec(node), ...renderContainerdSlice(node), ...renderContainerdSoci(node)];
  const ofKubelet = [
    renderCertificateAuthority(node),
    renderKubeconfig(node),
    renderKubeletConfig(node),
    ...renderCredentialProvider(node),
    renderKubeletUnit(node),
    ...renderDropIns(node),
  ];
  const ofBpf = renderBpfMount(node);
  const ofSandboxImage = renderSandboxImageUnit(node);
  return {
    files: [...ofResolved, ...environment, ...ofBpf, ...ofSoci, ...ofContainerd, ...ofSandboxImage, ...ofKubelet],
    blocks: renderHosts(node),
    unwanted: unwantedKubeconfig(node),
    units: [
      ...(node.nameResolution.hasResolved ? ofResolved.map((file): PlannedUnit => ({ ...unit("systemd-resolved.service", [file]), enable: false, failure: "note", whenDown: "leave" })) : []),
      ...ofBpf.map((file): PlannedUnit => ({ ...unit("sys-fs-bpf.mount", [file], "bpf"), failure: "note", whenDifferent: "leave" })),
      ...(ofSoci.length === 0 ? [] : [unit("soci-snapshotter.service", ofSoci)]),
      unit("containerd.service", ofContainerd, `containerd ${node.containerd.versionText}`),
      ...ofSandboxImage.map((file): PlannedUnit => ({ ...unit("sandbox-image.service", [file], node.sandboxImage.value), failure: "note" })),
      unit("kubelet.service", ofKubelet, `kubelet ${node.version.value.text}`),
    ].map((planned) => withEnvironment(planned, environment)),
  };
}

function unit(name: string, files: readonly PlannedFile[], ...programs: readonly string[]): PlannedUnit {
  return { name, enable: true, failure: "error", whenDifferent: "restart", whenDown: "start", reads: files.map(({ path }) => path), startedWith: programs };
}
