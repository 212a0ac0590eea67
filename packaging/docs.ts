// Part of `npm run generate`: writes what is in docs and is made from the code's own tables.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { showCompletion } from "../src/cli/completion.ts";
import { containerdPage } from "./docs/containerd-page.ts";
import { errorsPage } from "./docs/errors-page.ts";
import { filesPage } from "./docs/files-page.ts";
import { manPage } from "./docs/man-page.ts";
import { projectPath } from "./generate.ts";
import { projectVersion } from "./project.ts";

export const GENERATED_DOCS: readonly { readonly file: string; readonly make: () => string }[] = [
  { file: "docs/eks-node-agent.8", make: () => manPage(projectVersion()) },
  { file: "docs/containerd.md", make: containerdPage },
  { file: "docs/errors.md", make: errorsPage },
  { file: "docs/files.md", make: filesPage },
  { file: "docs/completion/eks-node-agent", make: () => showCompletion("bash") },
  { file: "docs/completion/_eks-node-agent", make: () => showCompletion("zsh") },
  { file: "docs/completion/eks-node-agent.fish", make: () => showCompletion("fish") },
];

if (import.meta.main) {
  for (const { file, make } of GENERATED_DOCS) {
    mkdirSync(dirname(projectPath(file)), { recursive: true });
    writeFileSync(projectPath(file), make());
  }
}
