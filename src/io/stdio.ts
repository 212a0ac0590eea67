import { writeSync } from "node:fs";
import { AgentError, errnoOf, isErrno } from "../errors.ts";

const [STDOUT, STDERR] = [1, 2];

/**
 * Writes to standard output, all of it before it returns. Node.js's own streams take several milliseconds to load. A reader that went
 * away, as in `eks-node-agent --dry-run | head`, is no failure: what nobody reads is not missed.
 *
 * @throws AgentError "write-failed" when it cannot take it, as a file on a full disk
 */
export function writeOut(text: string | Uint8Array): void {
  try {
    writeFully(STDOUT, text);
  } catch (error) {
    if (isErrno(error, "EPIPE")) return;
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    throw new AgentError("write-failed", `Cannot write to standard output (${errno})`, { remedy: "See where it leads to: a file needs space on its disk.", cause: error });
  }
}

/** Writes to standard error, all of it before it returns. There is nobody to be told of a failure. */
export function writeError(text: string | Uint8Array): void {
  try {
    writeFully(STDERR, text);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

function writeFully(fd: number, text: string | Uint8Array): void {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      if (!isErrno(error, "EAGAIN")) throw error;
      waitForReader();
    }
  }
}

/** Somebody has set a pipe not to block, and it is full. */
function waitForReader(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}
