import type { Columns } from "suffice"
import { expect, test } from "vitest"
import { splitStream } from "./holdout.ts"
import { gathered, rowCount } from "./tabular.ts"

const source = {
  async *[Symbol.asyncIterator](): AsyncGenerator<Columns> {
    for (let from = 0; from < 10_000; from += 700) {
      const x = Array.from({ length: Math.min(700, 10_000 - from) }, (_, i) => from + i)
      yield { x: Float64Array.from(x), name: x.map(String) }
    }
  },
}

test("every row of a stream is either learned from or held out, the same ones in every pass", async () => {
  const parts = splitStream(source, 10_000, 0.2, 7)
  const first = (await gathered(parts.train))!
  const test = await parts.test()
  const again = (await gathered(parts.train))!
  expect(first).toEqual(again)
  expect([...(first.x as Float64Array), ...(test.x as Float64Array)].sort((a, b) => a - b)).toEqual(
    Array.from({ length: 10_000 }, (_, i) => i),
  )
  expect(first.name[5]).toBe(String(first.x[5]))
  // 4 standard deviations of a binomial
  expect(Math.abs(rowCount(test) - 2000)).toBeLessThan(4 * Math.sqrt(10_000 * 0.2 * 0.8))
})

test("another seed holds out other rows", async () => {
  const held = (seed: number) => splitStream(source, 10_000, 0.2, seed).test()
  expect(await held(1)).not.toEqual(await held(2))
})

test("of very many rows no more are held out than settle an accuracy", async () => {
  // as if there were a million: half of them would be ten times too many
  const held = rowCount(await splitStream(source, 1_000_000, 0.5, 7).test())
  expect(Math.abs(held - 500)).toBeLessThan(4 * Math.sqrt(500))
})
