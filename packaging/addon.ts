import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Architecture, ARCHITECTURES, HOST } from "./architecture.ts";
import { ROOT } from "./project.ts";
import { withScratch } from "./scratch.ts";
import { findTool, runTool } from "./tool.ts";

/** What is compiled for the executable, by the names that it loads them by (src/io/addon.ts). */
export type Addons = {
  /** sd-notify's compiled half, which speaks to systemd through libsystemd. */
  readonly notify: Uint8Array;
  /** Datagrams to Unix sockets: the journal's fields, and what is left where there is no libsystemd. */
  readonly datagram: Uint8Array;
  /** The programs that the agent calls, each started on a thread of its own. */
  readonly program: Uint8Array;
};

/** All for `arch`, or undefined where the C++ compiler for that architecture is missing. */
export async function compileAddons(arch: Architecture): Promise<Addons | undefined> {
  const compiler = compilerFor(arch);
  if (compiler === undefined) return undefined;
  return withScratch("addon", async (folder) => ({
    notify: await compileNotify(compiler, folder),
    datagram: await compileOwn("datagram", ["datagram.cc"], compiler, folder),
    program: await compileOwn("program", ["program.cc", "child.cc"], compiler, folder),
  }));
}

export function compilerFor(arch: Architecture): string | undefined {
  return findTool(`${ARCHITECTURES[arch].gnu}-g++`) ?? (arch === HOST ? findTool("g++") : undefined);
}

// Any architecture's header files do: they are the same.
const NODE_HEADERS = join(ROOT, `node_modules/node-linux-${HOST}/include/node`);
const FLAGS = ["-std=c++20", "-O2", "-s", "-shared", "-fPIC", `-I${NODE_HEADERS}`];

// They use nothing of the C++ library, and shall not ask for one.
const OWN_FLAGS = ["-Wall", "-Wextra", "-Werror", "-fno-exceptions", "-fno-rtti", "-fvisibility=hidden", "-Wl,--as-needed"];

async function compileOwn(name: string, sources: readonly string[], compiler: string, folder: string): Promise<Uint8Array> {
  const output = join(folder, `${name}.node`);
  await runTool(compiler, [...FLAGS, ...OWN_FLAGS, "-o", output, ...sources.map((source) => join(import.meta.dirname, "addon", source))]);
  return readFileSync(output);
}

/**
 * What sd-notify calls of libsystemd. It is compiled against these lines and an empty library, for either architecture alike,
 * so that no header of systemd need be installed; on the node it finds the real libsystemd.so.0.
 */
const SYSTEMD = [
  "int sd_pid_notify(int pid, int unset_environment, const char *state)",
  "int sd_notify(int unset_environment, const char *state)",
  "int sd_watchdog_enabled(int unset_environment, unsigned long *usec)",
  "int sd_journal_print(int priority, const char *format, ...)",
];

/** It is written against V8 itself, so it is made for the Node.js that is shipped: npm would make it for the one that runs npm. */
async function compileNotify(compiler: string, folder: string): Promise<Uint8Array> {
  writeSystemdStub(folder);
  const library = ["-x", "c++", "-shared", "-fPIC", "-Wl,-soname,libsystemd.so.0", "-o", "libsystemd.so.0", "systemd.cc"];
  await runTool(compiler, library, { cwd: folder });
  // By its bare name: NODE_MODULE writes the name of the source file into the addon, and the build is the same in every folder.
  copyFileSync(join(ROOT, "node_modules/sd-notify/notify.cc"), join(folder, "notify.cc"));
  await runTool(compiler, [...FLAGS, "-w", "-I.", "-DNODE_GYP_MODULE_NAME=notify", "-o", "notify.node", "notify.cc", "libsystemd.so.0"], { cwd: folder });
  return readFileSync(join(folder, "notify.node"));
}

function writeSystemdStub(folder: string): void {
  const declarations = SYSTEMD.map((signature) => `extern "C" ${signature};\n`).join("");
  mkdirSync(join(folder, "systemd"));
  writeFileSync(join(folder, "systemd/sd-daemon.h"), `#pragma once\n${declarations}`);
  writeFileSync(join(folder, "systemd/sd-journal.h"), "");
  writeFileSync(join(folder, "systemd.cc"), SYSTEMD.map((signature) => `extern "C" ${signature} { return 0; }\n`).join(""));
}
