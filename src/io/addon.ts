import { closeSync, constants, openSync, writeFileSync } from "node:fs";
import { getRawAsset, isSea } from "node:sea";

/** open(2) O_TMPFILE, which node:fs does not name: __O_TMPFILE with O_DIRECTORY. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/**
 * What a compiled addon exports: "notify" is sd-notify's, "datagram" and "program" our own. It is loaded from an unnamed file, so that
 * nothing of it stays on the disk.
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

/** The file stays open: the C library takes another addon at the same path, which names the descriptor, for the one it has. */
function loadFrom(folder: string, bytes: Uint8Array): unknown {
  const fd = openSync(folder, O_TMPFILE | constants.O_RDWR, 0o600);
  try {
    writeFileSync(fd, bytes);
    const addon: { exports: unknown } = { exports: {} };
    process.dlopen(addon, `/proc/self/fd/${fd}`);
    return addon.exports;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
