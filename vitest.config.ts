import { existsSync } from "node:fs";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/e2e/**"],
    globalSetup: existsSync("test/build.ts") ? ["test/build.ts"] : [],
    testTimeout: 30_000,
  },
});
