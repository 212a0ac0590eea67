/**
 * `node file-writer.ts FOLDER MODE`, in a machine that loses its power meanwhile. "write" replaces files for ever, and
 * prints `done FILE ROUND` after each; "write-carelessly" does so without fsync(2); "read" prints `has FILE ROUND`, or what is wrong.
 */
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../../../src/apply/write-file.ts";

const FILES = ["a", "b", "new/folder/c", "d"];
const [folder = "", mode = ""] = process.argv.slice(2);

if (mode === "read") for (const file of FILES) say(`has ${file} ${judge(join(folder, file))}`);
else for (let round = 1; ; round++) await Promise.all(FILES.map((file) => write(file, round)));

async function write(file: string, round: number): Promise<void> {
  const path = join(folder, file);
  if (mode === "write") await replaceFile(path, { contents: contentsOf(round), mode: 0o644, owner: { uid: 0, gid: 0 } });
  else if (!file.includes("/")) replaceCarelessly(path, contentsOf(round));
  say(`done ${file} ${round}`);
}

function replaceCarelessly(path: string, contents: string): void {
  writeFileSync(`${path}.new`, contents);
  renameSync(`${path}.new`, path);
}

/** Of several blocks, and of another length each time. */
function contentsOf(round: number): string {
  return `${round}\n`.repeat(3000 + round);
}

function judge(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  try {
    if (!readdirSync(join(path, "..")).includes(name)) return "absent";
  } catch {
    return "absent";
  }
  const text = readFileSync(path, "utf8");
  const round = Number.parseInt(text);
  return text === contentsOf(round) ? String(round) : `torn: ${text.length} bytes`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
