import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { generateEcrRegions } from "./generate/ecr-regions.ts";
import { generateInstanceTypes } from "./generate/instance-types.ts";
import { generateKubeletConfigFields } from "./generate/kubelet-config-fields.ts";
import { generateKubeletFlags } from "./generate/kubelet-flags.ts";

/** Each file of src/data that is generated, the table it is made from, and the generator that makes it. */
export const GENERATED = [
  { file: "src/data/instance-types.ts", table: "packaging/facts/instance-types.tsv", generate: generateInstanceTypes },
  { file: "src/data/ecr-regions.ts", table: "packaging/facts/ecr-regions.json", generate: generateEcrRegions },
  { file: "src/data/kubelet-flags.ts", table: "packaging/facts/kubelet-flags.tsv", generate: generateKubeletFlags },
  { file: "src/data/kubelet-config-fields.ts", table: "packaging/facts/kubelet-config-fields.json", generate: generateKubeletConfigFields },
] as const;

/** Absolute path of a file of the project. */
export function projectPath(file: string): string {
  return fileURLToPath(new URL(`../${file}`, import.meta.url));
}

if (import.meta.main) {
  for (const { file, table, generate } of GENERATED) {
    writeFileSync(projectPath(file), generate(readFileSync(projectPath(table), "utf8")));
  }
}
