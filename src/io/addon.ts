import { closeSync, constants, existsSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getRawAsset, isSea } from "node:sea";

/** open(2) O_TMPFILE, which node:fs does not name: __O_TMPFILE with O_DIRECTORY. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/**
 * What a compiled addon exports: "notify" is sd-notify's, "datagram" and "program" our own. Nothing of it stays on the
 * disk.
 *
 * @throws Error when this is not the built executable, when it was built without a C++ compiler, and when a library that
 * the addon needs is missing here
 */
export function loadAddon(name: string): unknown {
  const bytes = assetOf(name);
  const failures: string[] = [];
  // Debian mounts /run noexec; a sandboxed unit may have nothing else that it can write.
  for (const folder of [process.env["RUNTIME_DIRECTORY"], "/run", "/dev/shm", "/var/tmp"]) {
    if (!folder) continue;
    try {
      return loadFrom(folder, bytes);
    } catch (error) {
      failures.push(`${folder}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(`cannot load the addon "${name}": ${failures.join("; ")}`);
}

function assetOf(name: string): Uint8Array {
  if (!isSea()) throw new Error(`the addon "${name}" is only in the built executable`);
  const bytes = new Uint8Array(getRawAsset(`${name}.node`));
  if (bytes.length === 0) throw new Error(`this executable was built without the addon "${name}"`);
  return bytes;
}

/** Without /proc, as in a bare root directory, there is no way to an unnamed file. */
function loadFrom(folder: string, bytes: Uint8Array): unknown {
  return existsSync("/proc/self/fd") ? loadUnnamed(folder, bytes) : loadNamed(folder, bytes);
}

/** The file stays open: the C library takes another addon at the same path, which names the descriptor, for the one it has. */
function loadUnnamed(folder: string, bytes: Uint8Array): unknown {
  const fd = openSync(folder, O_TMPFILE | constants.O_RDWR, 0o600);
  try {
    writeFileSync(fd, bytes);
    return load(`/proc/self/fd/${fd}`);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function loadNamed(folder: string, bytes: Uint8Array): unknown {
  const path = join(folder, `.eks-node-agent-${process.pid}-${loaded++}.node`);
  writeFileSync(path, bytes, { flag: "wx", mode: 0o600 });
  try {
    return load(path);
  } finally {
    unlinkSync(path);
  }
}

let loaded = 0;

function load(path: string): unknown {
  const addon: { exports: unknown } = { exports: {} };
  process.dlopen(addon, path);
  return addon.exports;
}
