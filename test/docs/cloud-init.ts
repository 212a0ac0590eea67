import { parse } from "yaml";
import { parseMime } from "../../src/config/mime.ts";
import { mediaTypeOf } from "../../src/config/mime-headers.ts";
import type { DocsNode } from "./docs-node.ts";

/** What a boot with some user data came to. */
export type Boot = {
  /** Exit status and stderr of each script and command, in their order, and then of eks-node-agent.service. */
  readonly steps: readonly { readonly what: string; readonly status: number | null; readonly stderr: string }[];
};

/**
 * Boots a node with user data, as much as the documentation needs of cloud-init: files of cloud-config, then scripts and runcmd, and at
 * the end the agent's unit.
 *
 * @param withUnit whether the image enables the unit
 */
export async function boot(node: DocsNode, userData: string, withUnit: boolean): Promise<Boot> {
  const steps: Boot["steps"][number][] = [];
  const run = async (what: string, script: string): Promise<void> => {
    const { status, stderr } = await node.shell(script);
    steps.push({ what, status, stderr });
  };
  for (const text of partsOf(userData)) {
    if (text.startsWith("#cloud-config")) await runCloudConfig(node, parse(text) as CloudConfig, run);
    if (text.startsWith("#!")) {
      node.write("/root/part", text);
      await run(text.split("\n")[0] ?? "", "chmod 0700 /root/part; /root/part");
    }
  }
  if (withUnit) await run("eks-node-agent.service", "eks-node-agent bootstrap");
  return { steps };
}

function partsOf(userData: string): readonly string[] {
  const mime = parseMime(userData);
  if (mime === undefined) return [userData];
  if ("fault" in mime) throw new Error(mime.fault);
  // cloud-init passes over what it does not know, such as application/node.eks.aws.
  return mime.parts.filter(({ headers }) => /^text\//.test(mediaTypeOf(headers).type)).map(({ headers }) => headers.body.replace(/^\s+/, ""));
}

type CloudConfig = {
  readonly write_files?: readonly { readonly path: string; readonly content: string; readonly permissions?: string }[];
  readonly runcmd?: readonly (string | readonly string[])[];
};

async function runCloudConfig(node: DocsNode, { write_files: files = [], runcmd = [] }: CloudConfig, run: (what: string, script: string) => Promise<void>): Promise<void> {
  for (const { path, content, permissions = "0644" } of files) {
    node.write(path, content);
    await run(`permissions of ${path}`, `chmod ${permissions} ${path}`);
  }
  for (const command of runcmd) await run([command].flat().join(" "), typeof command === "string" ? command : command.map(quote).join(" "));
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
