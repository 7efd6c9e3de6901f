/** `npm run test:spark -w suffice-spark`: the tests on a real Spark, or a sentence without Java or pip. Its last line counts passed and failed tests. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { findSpark } from "./local-spark.ts"

const found = findSpark(line => console.log(line))
if ("missing" in found) {
  console.log(`The tests on a real Spark are left out: ${found.missing} They need Java 17, python3 and pip.`)
  process.exit(0)
}
const root = fileURLToPath(new URL("../../..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "suffice-test-spark-"))
const results = join(folder, "results.json")
const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${results}`]
const vitest = join(root, "node_modules/vitest/vitest.mjs")
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", "--config", "packages/spark/test/vitest.config.ts", ...reporters, ...process.argv.slice(2)],
  { cwd: root, stdio: "inherit", env: { ...process.env, SPARK_HOME: found.home } },
)
console.log(closing())
rmSync(folder, { recursive: true, force: true })
process.exit(status ?? 1)

function closing(): string {
  try {
    // a server that does not start leaves its tests out, which is a failure too
    const { numPassedTests: passed, numTotalTests: all } = JSON.parse(readFileSync(results, "utf8"))
    return `${passed} passed, ${all - passed} failed`
  } catch {
    return "The tests on a real Spark broke off."
  }
}
