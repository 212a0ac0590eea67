import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    reporters: process.env["CI"] ? ["default", ["json", { outputFile: "build/tests.json" }]] : ["default"],
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**"],
          globalSetup: ["test/build.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          // Whole machines with a systemd of their own; skipped where none can be made.
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: ["test/e2e/bed/setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
