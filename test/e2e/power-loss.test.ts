import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { HOST } from "../../packaging/architecture.ts";
import { ROOT } from "../../packaging/project.ts";
import { type Bed, makeBed } from "./bed/bed.ts";
import { describeBeds } from "./bed/describe.ts";
import { must } from "./bed/execute.ts";
import { Uml, umlKernel } from "./bed/uml.ts";

/** Debian has user-mode-linux for this architecture only. */
const isHere = process.arch === "x64";

describeBeds("a machine that loses its power", (test) => {
  test.skipIf(!isHere).each([1, 13, 40])("after %i files have been replaced has each of them whole, and none older than was said to be done", async (writes) => {
    await using bed = await makeBed({ bare: true });
    const { done, found } = await loseThePower(bed, "write", writes);
    expect(done.size).toBeGreaterThan(0);
    for (const [file, state] of found) expect({ file, state }).toEqual({ file, state: expect.stringMatching(/^(\d+|absent)$/) as string });
    for (const [file, round] of done) expect(Number(found.get(file))).toBeGreaterThanOrEqual(round);
  });

  test.skipIf(!isHere)("has lost files that were replaced without fsync(2): the test can tell", async () => {
    await using bed = await makeBed({ bare: true });
    const { done, found } = await loseThePower(bed, "write-carelessly", 40);
    expect([...done.keys()].filter((file) => !/^\d+$/.test(found.get(file) ?? ""))).not.toEqual([]);
  });
});

type Loss = {
  /** File to the last round that the writer said to be done. */
  readonly done: ReadonlyMap<string, number>;
  /** File to the round that it holds after the next boot, or what is wrong with it. */
  readonly found: ReadonlyMap<string, string>;
};

async function loseThePower(bed: Bed, mode: string, writes: number): Promise<Loss> {
  const disk = bed.outside("/disk");
  await must(["truncate", "--size=64M", disk]);
  await must(["mkfs.ext4", "-q", disk]);
  bed.write("/power-loss", readFileSync(join(import.meta.dirname, "bed/files/power-loss"), "utf8"), 0o755);

  const done = new Map<string, number>();
  const writer = await start(bed, mode);
  for await (const line of writer.lines()) {
    const [, file, round] = /^done (\S+) (\d+)/.exec(line) ?? [];
    if (file !== undefined) done.set(file, Number(round));
    if ([...done.values()].reduce((sum, count) => sum + count, 0) >= writes) break;
  }
  await writer.cutPower();

  const found = new Map<string, string>();
  const reader = await start(bed, "read");
  for await (const line of reader.lines()) {
    const [, file = "", state = ""] = /^has (\S+) (.*\S)/.exec(line) ?? [];
    if (file !== "") found.set(file, state);
  }
  return { done, found };
}

async function start(bed: Bed, mode: string): Promise<Uml> {
  const program = "test/e2e/bed/files/file-writer.ts";
  bed.write("/power-loss.env", `PROJECT=${ROOT} NODE=node_modules/node-linux-${HOST}/bin/node PROGRAM=${program} MODE=${mode}\n`);
  const folder = bed.outside("/tmp");
  return new Uml({ kernel: await umlKernel(), root: bed.outside("/"), init: "/power-loss", disk: bed.outside("/disk"), folder });
}
