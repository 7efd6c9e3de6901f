/** `npm run test:spark`: the tests on a real Spark, where Java and pip are there; a sentence where they are not. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { findSpark } from "./local-spark.ts"

const found = findSpark(line => console.log(line))
if ("missing" in found) {
  console.log(`The tests on a real Spark are left out: ${found.missing} They need Java 17, python3 and pip.`)
  process.exit(0)
}
const root = fileURLToPath(new URL("../../..", import.meta.url))
const { status } = spawnSync("npx", ["vitest", "run", "--config", "packages/spark/test/vitest.config.ts"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, SPARK_HOME: found.home },
})
process.exit(status ?? 1)
