/** Like Promise.all(), but an error is thrown only when nothing is under way any more: no file stays half done. */
export async function allSettled(steps: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(steps);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
