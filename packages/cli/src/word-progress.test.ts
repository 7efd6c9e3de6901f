import { classes, fit, independent, multinomial } from "suffice"
import { expect, test } from "vitest"
import { Progress } from "./terminal/progress.ts"
import { WordProgress } from "./word-progress.ts"

test("the bar advances with the rows whose words are found, then with those that are encoded", async () => {
  const events: string[] = []
  class Watched extends Progress {
    readonly #label: string

    constructor(label: string, total: number | undefined) {
      super(label, total, "rows", false)
      this.#label = label
      events.push(`${label} of ${total}`)
    }

    override advance(by = 1): void {
      events.push(`${this.#label} +${by}`)
    }
  }
  const rows = Array.from({ length: 30 }, (_, i) => ({ y: "ab"[i % 2], t: `word ${i % 3} and ${i % 2}` }))
  const model = classes("y", independent({ t: multinomial() }))
  const words = new WordProgress({ progress: (label, total) => new Watched(label, total) }, rows.length)
  // a missing label: the rows are encoded before they are swept
  await fit(model, [...rows.slice(1), { t: "word" }] as never, { onRows: read => words.read(read) })
  expect(events).toEqual([
    "reading words of 30",
    "reading words +30",
    "encoding words of 30",
    "encoding words +30",
  ])
})
