import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { isErrno } from "../../../src/errors.ts";
import { CACHE } from "./base.ts";
import { must } from "./execute.ts";

/** The path of user-mode-linux: a kernel that runs as an ordinary program, and whose memory is lost when that is killed. Fetched once. */
export async function umlKernel(): Promise<string> {
  const folder = join(CACHE, "user-mode-linux");
  const kernel = join(folder, "usr/bin/linux.uml");
  if (existsSync(kernel)) return kernel;
  const temporary = `${folder}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  await must(["sh", "-c", 'cd "$1" && apt-get -q download user-mode-linux', "sh", temporary]);
  const archive = readdirSync(temporary).find((name) => name.endsWith(".deb")) ?? "";
  await must(["dpkg-deb", "-x", join(temporary, archive), temporary]);
  rmSync(join(temporary, archive));
  keep(temporary, folder);
  return kernel;
}

/** Another test may have been as far at the same time. */
function keep(temporary: string, folder: string): void {
  try {
    renameSync(temporary, folder);
  } catch (error) {
    if (!isErrno(error, "ENOTEMPTY")) throw error;
    rmSync(temporary, { recursive: true });
  }
}

export type UmlOptions = {
  readonly kernel: string;
  /** Folder that is the machine's root, as it is. */
  readonly root: string;
  /** Program in it that runs instead of systemd. */
  readonly init: string;
  /** File that is its disk, /dev/ubda. */
  readonly disk: string;
  /** For its own files. */
  readonly folder: string;
};

/** A machine with a kernel of its own. */
export class Uml {
  readonly #process: ChildProcessByStdio<null, Readable, null>;
  readonly #ended: Promise<unknown>;

  constructor({ kernel, root, init, disk, folder }: UmlOptions) {
    // In a namespace of processes that ends with its first one: the kernel starts others.
    const alone = ["--pid", "--fork", "--kill-child"];
    const machine = ["mem=384M", "rootfstype=hostfs", `rootflags=${root}`, "root=/dev/root", "rw", `ubda=${disk}`, `init=${init}`, `uml_dir=${folder}`, "quiet"];
    const console = ["con=null", "con0=null,fd:1", "con1=null,fd:1", "ssl=null"];
    this.#process = spawn("unshare", [...alone, kernel, ...machine, ...console], { stdio: ["ignore", "pipe", "inherit"], env: { PATH: process.env["PATH"] ?? "", HOME: folder } });
    this.#ended = once(this.#process, "exit");
  }

  /** The lines of its console, until it is off. */
  lines(): AsyncIterable<string> {
    return createInterface({ input: this.#process.stdout });
  }

  /** Nothing that its kernel has not given to the disk is kept. */
  async cutPower(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#ended;
  }
}
