import { connect } from "node:net";

/** Whether something accepts connections on a Unix socket, within `timeoutMs`. */
export async function acceptsOnSocket(path: string, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path, timeout: timeoutMs });
    const answer = (accepts: boolean) => {
      socket.destroy();
      resolve(accepts);
    };
    socket.once("connect", () => { answer(true); });
    socket.once("timeout", () => { answer(false); });
    // No such file, or nobody behind it: the same answer.
    socket.once("error", () => { answer(false); });
  });
}
