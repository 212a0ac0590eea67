import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { agentPath } from "./agent.ts";
import type { Architecture } from "./architecture.ts";
import { ROOT } from "./project.ts";

const SOURCES = ["systemd/eks-node-agent.service", "systemd/80-eks-node-agent.preset", "systemd/eks-node-agent.sysconfig", "rpm/bootstrap.sh", "LICENSE"];

/** Documentation, each with its directory below /usr/share; what the project lacks is left out. */
const DOCUMENTATION = [
  { files: /^(README|CHANGELOG)\.md$/, from: ".", to: "doc/eks-node-agent" },
  { files: /\.(md|txt|json|yaml|svg)$/, from: "docs", to: "doc/eks-node-agent" },
  { files: /\.(md|yaml|json|sh|txt)$/, from: "docs/guides", to: "doc/eks-node-agent/guides" },
  { files: /\.(md|yaml|json|sh|txt)$/, from: "docs/examples", to: "doc/eks-node-agent/examples" },
  { files: /\.8$/, from: "docs", to: "man/man8" },
  { files: /^eks-node-agent$/, from: "docs/completion", to: "bash-completion/completions" },
  { files: /^_eks-node-agent$/, from: "docs/completion", to: "zsh/site-functions" },
  { files: /^eks-node-agent\.fish$/, from: "docs/completion", to: "fish/vendor_completions.d" },
] as const;

/** Lays out what rpm/eks-node-agent.spec takes its files from: the sources by their base names, and `share`, copied as it is. */
export function writeRpmSources(arch: Architecture, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(agentPath(arch), join(folder, "eks-node-agent"));
  for (const path of SOURCES) copyFileSync(join(ROOT, path), join(folder, basename(path)));
  for (const { from, path } of documentation()) {
    const target = join(folder, "share", path);
    mkdirSync(dirname(target), { recursive: true });
    const text = readFileSync(from);
    writeFileSync(target, target.endsWith(".gz") ? gzipSync(text, { level: 9 }) : text, { mode: 0o644 });
  }
}

function documentation(): readonly { readonly from: string; readonly path: string }[] {
  return DOCUMENTATION.flatMap(({ files, from, to }) =>
    namesIn(from)
      .filter((name) => files.test(name))
      .map((name) => ({ from: join(ROOT, from, name), path: `${to}/${name}${to.startsWith("man/") ? ".gz" : ""}` })),
  );
}

function namesIn(folder: string): readonly string[] {
  const path = join(ROOT, folder);
  return existsSync(path) ? readdirSync(path).sort() : [];
}
