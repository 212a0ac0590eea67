import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BUILD } from "./project.ts";

/** Runs `work` with an empty folder of its own below build, which goes away with it. Two builds at a time do not meet. */
export async function withScratch<Result>(name: string, work: (folder: string) => Promise<Result>): Promise<Result> {
  mkdirSync(BUILD, { recursive: true });
  const folder = mkdtempSync(join(BUILD, `${name}-`));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
