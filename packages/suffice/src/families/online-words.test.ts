import { expect, test } from "vitest"
import { bagsOf } from "../blocks/encoded.ts"
import type { Block } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import { lay } from "../engine/lay.ts"
import { moving } from "../engine/moving.ts"
import { classes, independent, multinomial } from "../index.ts"
import { log } from "../kernels/log.ts"
import { dice } from "../random.ts"

const WORDS = ["ant", "bee", "cat", "dog", "emu"]
const columns: Column[] = [
  { kind: "level", name: "y", levels: ["a", "b"] },
  { kind: "bag", name: "text", words: WORDS, text: { lowercase: true } },
]
const laid = lay(classes("y", independent({ text: multinomial() })) as unknown as Model, columns)
const [, part] = laid.parts
const prior = new Float64Array(laid.statistics)
for (const { leaf, ranges } of laid.parts) leaf.prior(ranges.statsOf(prior))

const rolls = dice(7)
const WEIGHT = 40

/** A mini-batch, and W of it: the mean of its counts by class. */
function batch(rows: number): { block: Block; label: Int32Array; mean: Float64Array; words: number[][] } {
  const label = Int32Array.from({ length: rows }, () => rolls.integer(2))
  const words = Array.from({ length: rows }, (_, i) =>
    WORDS.flatMap((_, w) => (i > 0 && rolls.uniform() < 0.4 ? [w] : [])),
  )
  const offsets = new Int32Array(rows + 1)
  words.forEach((row, i) => {
    offsets[i + 1] = offsets[i] + row.length
  })
  const counts = Float64Array.from(words.flat(), () => 1 + rolls.integer(3))
  const mean = new Float64Array(part.leaf.shape.statistics)
  words.forEach((row, i) => {
    row.forEach((w, t) => {
      mean[2 * w + label[i]] += counts[offsets[i] + t] / rows
    })
    if (row.length > 0) mean[2 * WORDS.length + label[i]] += 1 / rows
  })
  const weight = new Float64Array(rows).fill(1)
  const bags = bagsOf(offsets, Int32Array.from(words.flat()), counts)
  return { block: { rows, weight, cells: [label, bags] }, label, mean, words }
}

test("words under online EM move as all of them at once would, their average with them, and are scored by what they are", () => {
  const stats = Float64Array.from({ length: laid.statistics }, () => 1 + rolls.integer(9))
  laid.parts[0].ranges.statsOf(stats).set([0.5 * WEIGHT, 0.5 * WEIGHT])
  const course = { regime: { against: "nothing" }, generative: 1, prior: 1 } as const
  const moves = moving(laid, { prior, weight: WEIGHT }, stats, course)
  let w = part.ranges.statsOf(stats).map(count => count / WEIGHT)
  const sum = new Float64Array(part.leaf.shape.statistics)
  let averaged = 0
  // a step of 1 forgets everything
  for (const [step, rho] of [0.5, 0.2, 1, 0.3, 1 - 1e-70, 0.1, 0.05].entries()) {
    const { block, label, mean } = batch(3 + step)
    // the first counts hold the prior
    const alpha = step === 0 ? 0 : 1 / WEIGHT
    const chance = (p: number, at: number): number => {
      let total = 0
      for (let v = 0; v < WORDS.length; v++) total += w[2 * v + p] + alpha
      return log((w[at] + alpha) / total)
    }
    let score = 0
    mean.forEach((share, at) => {
      if (at < 2 * WORDS.length) score += block.rows * share * chance(at % 2, at)
    })
    const switches = laid.parts[0].ranges.statsOf(moves.state().moments)
    const [a, b] = [switches[0], switches[1]]
    for (const l of label) score += log((l === 0 ? a : b) / (a + b))
    const { loss } = moves.step(block, rho, undefined)
    expect(loss).toBeCloseTo(-score, 9)
    w = w.map((before, j) => (1 - rho) * before + rho * mean[j])
    if (step > 1) {
      moves.average()
      averaged++
      sum.forEach((_, j) => {
        sum[j] += w[j]
      })
    }
    if (step === 4) moves.settle()
    part.ranges.statsOf(moves.state().moments).forEach((found, j) => {
      expect(found).toBeCloseTo(w[j], 12)
    })
  }
  part.ranges.statsOf(moves.stats()).forEach((found, j) => {
    expect(found).toBeCloseTo((WEIGHT * sum[j]) / averaged, 10)
  })
})
