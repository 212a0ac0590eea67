import type { Plan, PlannedFile, PlannedUnit } from "../plan/plan.ts";
import type { Node } from "../resolve/node.ts";
import { renderBaseRuntimeSpec } from "./base-runtime-spec.ts";
import { renderCertificateAuthority } from "./certificate-authority.ts";
import { renderContainerdConfig } from "./containerd-config.ts";
import { renderCredentialProvider } from "./credential-provider.ts";
import { renderDockerConfig, renderIptablesRestore } from "./docker.ts";
import { renderContainerdSlice, renderDropIns } from "./drop-ins.ts";
import { renderEnvironment, withEnvironment } from "./environment.ts";
import { renderHosts } from "./hosts.ts";
import { renderKubeconfig, unwantedKubeconfig } from "./kubeconfig.ts";
import { renderKubeletConfig } from "./kubelet-config.ts";
import { renderKubeletUnit } from "./kubelet-unit.ts";
import { renderLocalDisks } from "./local-disks.ts";
import { renderResolvedConfig } from "./resolved.ts";
import { renderSandboxImageUnit } from "./sandbox-image.ts";
import { renderContainerdSoci, renderSociConfig } from "./soci.ts";

/** What some programs need: their files, and the units that they run as, in the order in which those are started. */
type Part = { readonly files: readonly PlannedFile[]; readonly units: readonly PlannedUnit[] };

/** Every file of the node, down to its bytes, and the units that read them: the container runtime first, then kubelet. */
export function render(node: Node): Plan {
  const environment = renderEnvironment(node);
  const { files: ofDisks, disks } = renderLocalDisks(node);
  const parts = [{ files: ofDisks, units: [] }, ofNameResolution(node), { files: environment, units: [] }, node.docker === undefined ? ofContainerd(node) : ofDocker(node), ofKubelet(node)];
  return {
    files: parts.flatMap(({ files }) => files),
    blocks: renderHosts(node),
    unwanted: unwantedKubeconfig(node),
    units: parts.flatMap(({ units }) => units).map((planned) => withEnvironment(planned, environment)),
    disks,
  };
}

function ofNameResolution(node: Node): Part {
  const files = renderResolvedConfig(node);
  const units = node.nameResolution.hasResolved ? files.map((file): PlannedUnit => ({ ...unit("systemd-resolved.service", [file]), enable: false, failure: "note", whenDown: "leave" })) : [];
  return { files, units };
}

/** With its snapshotter before it, and the sandbox image after. */
function ofContainerd(node: Node): Part {
  const soci = renderSociConfig(node);
  const containerd = [renderContainerdConfig(node), ...renderBaseRuntimeSpec(node), ...renderContainerdSlice(node), ...renderContainerdSoci(node)];
  const sandboxImage = renderSandboxImageUnit(node);
  return {
    files: [...soci, ...containerd, ...sandboxImage],
    units: [
      ...(soci.length === 0 ? [] : [unit("soci-snapshotter.service", soci)]),
      unit("containerd.service", containerd, `containerd ${node.containerd.versionText}`),
      ...sandboxImage.map((file): PlannedUnit => ({ ...unit("sandbox-image.service", [file], node.sandboxImage.value), failure: "note" })),
    ],
  };
}

function ofDocker(node: Node): Part {
  const [rules, config] = [renderIptablesRestore(node), renderDockerConfig(node)];
  return {
    files: [...rules, ...config],
    units: [...rules.map((file): PlannedUnit => ({ ...unit("iptables-restore.service", [file]), failure: "note", whenDifferent: "leave" })), unit("docker.service", config)],
  };
}

function ofKubelet(node: Node): Part {
  const files = [
    renderCertificateAuthority(node),
    renderKubeconfig(node),
    renderKubeletConfig(node),
    ...renderCredentialProvider(node),
    renderKubeletUnit(node),
    ...renderDropIns(node),
  ];
  return { files, units: [unit("kubelet.service", files, `kubelet ${node.version.value.text}`)] };
}

function unit(name: string, files: readonly PlannedFile[], ...programs: readonly string[]): PlannedUnit {
  return { name, enable: true, failure: "error", whenDifferent: "restart", whenDown: "start", reads: files.map(({ path }) => path), startedWith: programs };
}
