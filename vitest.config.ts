import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/e2e/**"],
    globalSetup: ["test/build.ts"],
    reporters: process.env["CI"] ? ["default", ["json", { outputFile: "build/tests.json" }]] : ["default"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
