import type { PlannedFile } from "../plan/plan.ts";

type FileTraits = Partial<Pick<PlannedFile, "mode" | "comparedAs" | "isUnitFile" | "isSecret">>;

/** A planned file; 0644 and compared by bytes unless told otherwise. */
export function plannedFile(path: string, contents: string, traits: FileTraits = {}): PlannedFile {
  return { path, contents, mode: 0o644, comparedAs: "bytes", isUnitFile: false, isSecret: false, ...traits };
}
