import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { must } from "./execute.ts";

/** What a node's image has and Debian has not, with contents and mode. */
const FILES: Readonly<Record<string, { readonly contents: string; readonly mode: number }>> = {
  "/usr/bin/kubelet": { contents: bundled("kubelet"), mode: 0o755 },
  "/etc/cloud/cloud.cfg.d/99-bed.cfg": { contents: bundled("99-bed.cfg"), mode: 0o644 },
  "/etc/eks/image-credential-provider/ecr-credential-provider": { contents: "#!/bin/sh\n", mode: 0o755 },
  "/opt/aws/bin/cfn-signal": { contents: '#!/bin/sh\necho "$*" >> /var/log/cfn-signal\n', mode: 0o755 },
  // EKS and EC2 of the made-up AWS; IMDS is at its own address.
  "/etc/systemd/system.conf.d/bed.conf": {
    contents: "[Manager]\nDefaultEnvironment=AWS_ENDPOINT_URL_EKS=http://10.0.1.1 AWS_ENDPOINT_URL_EC2=http://10.0.1.1\n",
    mode: 0o644,
  },
};

/**
 * Makes the folder of what lies between the base root and each bed: a node's image, with `packages` installed.
 *
 * @param work a folder on a file system that overlayfs takes
 */
export async function makeLayer(base: string, work: string, packages: readonly string[]): Promise<string> {
  const [layer, root, scratch] = ["layer", "layer.root", "layer.work"].map((name) => join(work, name)) as [string, string, string];
  for (const folder of [layer, root, scratch]) mkdirSync(folder, { recursive: true });
  await must(["mount", "-t", "overlay", "bed-layer", "-o", `lowerdir=${base},upperdir=${layer},workdir=${scratch}`, root]);
  try {
    for (const [path, { contents, mode }] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), contents, { mode });
    }
    await installPackages(root, [await makeProvides(work, packages), ...packages]);
  } finally {
    await must(["umount", root]);
  }
  rmSync(scratch, { recursive: true });
  return layer;
}

async function installPackages(root: string, packages: readonly string[]): Promise<void> {
  const folder = join(root, "packages");
  mkdirSync(folder);
  await must(["cp", ...packages, folder]);
  await must(["chroot", root, "sh", "-c", "rpm --install /packages/*.rpm"]);
  rmSync(folder, { recursive: true });
}

/** rpm cannot see what dpkg has installed: an empty package that provides what the others ask of the distribution. */
async function makeProvides(work: string, packages: readonly string[]): Promise<string> {
  const required = (await must(["rpm", "-qp", "--requires", ...packages])).split("\n");
  const foreign = [...new Set(required)].filter((name) => name !== "" && !/^(rpmlib\(|config\(|eks-node-agent)/.test(name));
  const provides = foreign.map((name) => `Provides: ${name.replace(/ >= .*/, " = 999")}`);
  const head = ["Name: bed-provides", "Version: 1", "Release: 1", "Summary: What Debian's packages provide", "License: MIT", "BuildArch: noarch"];
  const spec = join(work, "bed-provides.spec");
  writeFileSync(spec, [...head, ...provides, "%description", "For tests.", "%files", ""].join("\n"));
  await must(["rpmbuild", "-bb", "--quiet", "--define", `_topdir ${join(work, "rpmbuild")}`, "--define", `_rpmdir ${work}`, spec]);
  return join(work, "noarch/bed-provides-1-1.noarch.rpm");
}

function bundled(name: string): string {
  return readFileSync(join(import.meta.dirname, "files", name), "utf8");
}
