import { defineConfig } from "vitest/config"

/** The tests that need a real Spark: `npm run test:spark -w suffice-spark`. One file after the other, since each starts a server. */
export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: ["packages/spark/test/*.test.ts"],
    pool: "forks",
    fileParallelism: false,
    // no test may fail because the machine is busy: these limits only end what hangs
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    teardownTimeout: 600_000,
  },
})
