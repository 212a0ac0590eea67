import { constants } from "node:os";
import { describe, expect, it } from "vitest";
import { explainWriteErrors } from "../../src/apply/write-failed.ts";
import { AgentError } from "../../src/errors.ts";

/** As Node.js makes them. */
function systemError(code: keyof typeof constants.errno): Error {
  return Object.assign(new Error(`${code}: …, write`), { code, errno: -constants.errno[code], syscall: "write" });
}

function fail(error: Error): Promise<never> {
  return explainWriteErrors("write /etc/a", () => Promise.reject(error));
}

describe("explainWriteErrors()", () => {
  it.each([
    ["ENOSPC", "no space left on device", "Free space or inodes on its file system (df -h, df -i), then run eks-node-agent again."],
    ["EROFS", "read-only file system", "Its file system is mounted read-only, perhaps after a disk error (see dmesg): remount it read-write, then run eks-node-agent again."],
    ["EACCES", "permission denied", "Run eks-node-agent as root. If it was root, see whether SELinux denied it (ausearch -m avc)."],
    ["EPERM", "operation not permitted", "Run eks-node-agent as root. If it was root, see whether the file or its directory is immutable (lsattr)."],
    ["EBUSY", "resource busy or locked", "Something is mounted on it: unmount it, then run eks-node-agent again."],
    ["EIO", "i/o error", "The disk fails (see dmesg): replace the instance."],
    ["ENOMEM", "not enough memory", "Every file is whole, old or new: run eks-node-agent again once the cause is gone."],
  ] as const)("explains %s and says what to do", async (code, words, remedy) => {
    const cause = systemError(code);
    const error = await fail(cause).catch((reason: unknown) => reason);
    expect(error).toEqual(new AgentError("write-failed", `Cannot write /etc/a: ${words} (${code})`, { remedy, cause }));
    expect(error).toMatchObject({ code: "write-failed", remedy, exitStatus: 73 });
  });

  it("lets through what is explained already, and what is a bug", async () => {
    const explained = new AgentError("lock-busy", "m", { remedy: "r" });
    const bug = new TypeError("x is undefined");
    expect(await fail(explained).catch((reason: unknown) => reason)).toBe(explained);
    expect(await fail(bug).catch((reason: unknown) => reason)).toBe(bug);
  });
});
