/** `npm run bench:spark -- rounds`: learners of small steps in rounds beside one machine, on the same training rows, measured on rows that neither has seen. */
import { categorical, classes, fit, gaussian, independent, type Learner } from "suffice"
import { onlineEm, sdem } from "suffice/learn"
import { evaluate } from "suffice/measure"
import { table } from "../datasets.ts"
import { onMachines } from "./machines.ts"

const LABEL = "income"

export async function rounds(): Promise<void> {
  const { rows: train, columns, label } = table("adult", "adult-train.csv.gz", LABEL)
  const { rows: test } = table("adult", "adult-test.csv.gz", LABEL)
  const cells = columns.filter(({ name }) => name !== label)
  const body = independent(
    ...cells.map(({ name, kind }) => ({ [name]: kind === "number" ? gaussian() : categorical() }) as never),
  )
  const model = classes(label, body as never)
  console.log(`adult: ${train.length} rows learned from, ${test.length} measured`)
  for (const epochs of [2, 5])
    for (const [name, learner] of [
      ["online EM", onlineEm({ epochs })],
      ["sdEM, NCLL", sdem({ epochs, holdout: 0, calibrate: false } as never)],
    ] as [string, Learner][])
      for (const machines of [0, 2, 4]) {
        const data = machines === 0 ? train : onMachines(train, machines)
        const fitted = await fit(model as never, data as never, { learner, seed: 1 })
        const { accuracy, logLoss } = evaluate(fitted as never, test as never)
        console.log(JSON.stringify({ name, epochs, machines, accuracy, logLoss }))
      }
}
