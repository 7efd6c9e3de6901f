import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "examples/**/*.test.ts",
      "docs/**/*.test.ts",
      "mutants/*.test.ts",
    ],
    setupFiles: ["vitest.setup.ts"],
    // no test may fail because the machine is busy: these limits only end what hangs
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 600_000,
    pool: "forks",
    // every core: without it vitest leaves one idle, which of two is half
    maxWorkers: availableParallelism(),
  },
})
