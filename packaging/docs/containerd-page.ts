import { CRI, type Place, PLACES, RENAMED_PLUGINS } from "../../src/resolve/containerd-places.ts";
import { GENERATED_NOTE, markdownTable } from "./markdown.ts";

/** docs/containerd.md */
export function containerdPage(): string {
  return `${GENERATED_NOTE}

# containerd's configuration

\`/etc/containerd/config.toml\` is written in the version that this node's containerd reads: 2 for containerd 1.x, 3 for 2.x. The
settings of \`spec.containerd.config\` are merged into it as data, in the order of the documents: tables are merged, lists and single
values replaced. Their own \`version\` has no effect on the whole.

Settings written for containerd 1 work on containerd 2 as well: what stands in \`plugins."${CRI}"\` is moved.

${markdownTable(["containerd 1", "containerd 2, plugin", "key"], PLACES.map(placeRow))}

A key that is not in this table goes to \`plugins."io.containerd.cri.v1.runtime"\` under its own name, with a note. Of a runtime,
\`sandbox_mode\` becomes \`sandboxer\`. Two plugins have another name in containerd 2:

${markdownTable(["containerd 1", "containerd 2"], Object.entries(RENAMED_PLUGINS).map(([old, renamed]) => [`\`${old}\``, `\`${renamed}\``]))}

Settings written for containerd 2 are refused on containerd 1, which would ignore them without a word.

Before anything is written, and in a dry run too, \`containerd config dump\` is asked whether it can read the result. What it reads and
yet does not serve kubelet with is refused as well: a \`default_runtime_name\` without a runtime, and registry mirrors beside
\`config_path\`. With \`--preflight warn\` both are notes.
`;
}

function placeRow({ key, plugin, path = key }: Place): readonly string[] {
  return [`\`${key}\``, `\`${plugin}\``, `\`${path}\``];
}
