import { execFileSync } from "node:child_process";
import { expect, test, vi } from "vitest";
import { keepThreadPoolAwake } from "../../src/io/thread-pool.ts";

test("the threads are given something to do four times a second", () => {
  vi.useFakeTimers();
  let count = 0;
  keepThreadPoolAwake(() => (count += 1));
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();
  expect(count).toBe(4);
});

test("a process with nothing else to do ends", () => {
  const module = new URL("../../src/io/thread-pool.ts", import.meta.url).href;
  const program = `const { keepThreadPoolAwake } = await import(${JSON.stringify(module)}); keepThreadPoolAwake(); console.log("ends");`;
  expect(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8", timeout: 20_000 })).toBe("ends\n");
});
