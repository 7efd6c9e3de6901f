/** `npm run spark:local -w suffice-spark`: a real Spark on this machine for trying suffice-spark out, until Ctrl-C. */
import { findSpark, startSpark } from "./local-spark.ts"
import { makeExample } from "./rows.ts"

const found = findSpark(line => console.log(line))
if ("missing" in found) {
  console.error(
    `${found.missing} A local Spark needs Java 17, python3 and pip. Install them, or set SPARK_HOME.`,
  )
  process.exit(1)
}
const port = Number(process.argv[2] ?? 15002)
const master = process.argv[3] ?? "local[2]"
console.log("Spark begins, which takes half a minute or so.")
const server = await startSpark(found.home, { port, master })
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void server.end().then(() => process.exit(0)))
await makeExample(server.address, "penguins")
console.log(`Spark answers at ${server.address} (process ${server.pid}). Ctrl-C ends it. It has a table to try, in another terminal:

    npx suffice fit --engine ${server.address} penguins --label species -o model.json
    npx suffice predict --engine ${server.address} model.json penguins --keep species --into answers
`)
