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
    testTimeout: 60_000,
    pool: "forks",
  },
})
