// Stands in for the npm package "bindings", by which sd-notify finds its compiled half: in the executable that is an asset.
"use strict";
const { openSync, writeSync, closeSync, constants } = require("node:fs");
const { isSea, getRawAsset } = require("node:sea");

// open(2) O_TMPFILE, which node:fs does not name: __O_TMPFILE with O_DIRECTORY.
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/** Loads the addon from an unnamed file, so that nothing of it stays on the disk, in the first folder that allows programs. */
module.exports = function bindings(name) {
  if (!isSea()) throw new Error(`the addon "${name}" is only in the built executable`);
  const bytes = Buffer.from(getRawAsset(`${name}.node`));
  if (bytes.length === 0) throw new Error(`this executable was built without the addon "${name}"`);
  const failures = [];
  // Debian mounts /run noexec; a sandboxed unit may have nothing else that it can write.
  for (const folder of [process.env.RUNTIME_DIRECTORY, "/run", "/dev/shm", "/var/tmp"]) {
    if (!folder) continue;
    try {
      return loadFrom(folder, bytes);
    } catch (error) {
      failures.push(`${folder}: ${error.message}`);
    }
  }
  throw new Error(`cannot load the addon "${name}": ${failures.join("; ")}`);
};

function loadFrom(folder, bytes) {
  const fd = openSync(folder, O_TMPFILE | constants.O_RDWR, 0o600);
  try {
    writeSync(fd, bytes);
    const addon = { exports: {} };
    process.dlopen(addon, `/proc/self/fd/${fd}`);
    return addon.exports;
  } finally {
    closeSync(fd);
  }
}
