import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Architecture, ARCHITECTURES, HOST } from "./architecture.ts";
import { BUILD, ROOT } from "./project.ts";
import { findTool, runTool } from "./tool.ts";

/**
 * What the addon calls of libsystemd. It is compiled against these lines and an empty library, for either architecture alike,
 * so that no header of systemd need be installed; on the node it finds the real libsystemd.so.0.
 */
const SYSTEMD = [
  "int sd_pid_notify(int pid, int unset_environment, const char *state)",
  "int sd_notify(int unset_environment, const char *state)",
  "int sd_watchdog_enabled(int unset_environment, unsigned long *usec)",
  "int sd_journal_print(int priority, const char *format, ...)",
];

/**
 * sd-notify's compiled half for `arch`. It is written against V8 itself, so it is made for the Node.js that is shipped: npm would
 * make it for the one that runs npm.
 *
 * @returns undefined where the C++ compiler for that architecture is missing
 */
export async function compileAddon(arch: Architecture): Promise<Uint8Array | undefined> {
  const compiler = compilerFor(arch);
  if (compiler === undefined) return undefined;
  const folder = join(BUILD, `addon-${arch}.${process.pid}`);
  writeSystemdStub(folder);
  const library = ["-x", "c++", "-shared", "-fPIC", "-Wl,-soname,libsystemd.so.0", "-o", "libsystemd.so.0", "systemd.cc"];
  await runTool(compiler, library, { cwd: folder });
  // Any architecture's header files do: they are the same.
  const headers = join(ROOT, `node_modules/node-linux-${HOST}/include/node`);
  // By its bare name: NODE_MODULE writes the name of the source file into the addon, and the build is the same in every folder.
  copyFileSync(join(ROOT, "node_modules/sd-notify/notify.cc"), join(folder, "notify.cc"));
  const addon = ["-std=c++20", "-O2", "-s", "-shared", "-fPIC", "-w", "-I.", `-I${headers}`, "-DNODE_GYP_MODULE_NAME=notify", "-o", "notify.node"];
  await runTool(compiler, [...addon, "notify.cc", "libsystemd.so.0"], { cwd: folder });
  const bytes = readFileSync(join(folder, "notify.node"));
  rmSync(folder, { recursive: true });
  return bytes;
}

export function compilerFor(arch: Architecture): string | undefined {
  return findTool(`${ARCHITECTURES[arch].gnu}-g++`) ?? (arch === HOST ? findTool("g++") : undefined);
}

function writeSystemdStub(folder: string): void {
  const declarations = SYSTEMD.map((signature) => `extern "C" ${signature};\n`).join("");
  mkdirSync(join(folder, "systemd"), { recursive: true });
  writeFileSync(join(folder, "systemd/sd-daemon.h"), `#pragma once\n${declarations}`);
  writeFileSync(join(folder, "systemd/sd-journal.h"), "");
  writeFileSync(join(folder, "systemd.cc"), SYSTEMD.map((signature) => `extern "C" ${signature} { return 0; }\n`).join(""));
}
