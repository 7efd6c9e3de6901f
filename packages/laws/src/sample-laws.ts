/** Laws about rows drawn from a model. */
import type { Part, Sink } from "suffice/contract"
import { densities } from "./api.ts"
import type { Law } from "./law.ts"
import { labelsOf, readsOf } from "./models.ts"
import { must } from "./must.ts"
import { exp, logSumExp } from "./numbers.ts"
import { namesOf } from "./parts.ts"
import { blank, cellsOf, cut, drawn, expectedStatistics, ownWeights, type Probe, probe } from "./probe.ts"
import { fitted, type ModelSubject, noBagsOnly, rowsOf, someParameters } from "./subjects.ts"

export const sampleLaws: readonly Law<ModelSubject>[] = [
  {
    id: "A9.model",
    name: "drawn rows have the moments of the model",
    applies: noBagsOnly,
    effort: 0.5,
    async check(subject, trial) {
      const found = await probe(subject.model, rowsOf(subject, trial))
      const params = await someParameters(found)
      const rows = 500
      const blocks = Array.from({ length: rows }, () => drawn(found, params, trial.dice))
      const expected = momentsOf(found, params)
      withinChance(
        found,
        blocks.map(block => expectedStatistics(found, params, block)),
        expected,
        // the location of a column that is read is not part of the density
        part => part.role !== "leaf" || !(isBag(found, part) || part.given.length > 0),
      )
    },
  },
  {
    id: "A9.given",
    name: "draws given some cells keep them, and choose as the posterior does",
    applies: ({ model }) =>
      labelsOf(model).length > 0 ||
      JSON.stringify(model.spec).includes('"mixture"') ||
      "nothing is chosen: the model has no switch",
    effort: 0.5,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const found = await probe(subject.model, rows)
      const params = await someParameters(found)
      const given = cut(found.blocks[0], trial.dice.integer(found.blocks[0].rows), found.blocks[0].rows)
      const one = cut(given, 0, 1)
      const read = readsOf(subject.model)
      found.columns.forEach(({ name }, place) => {
        const held = one.cells[place]
        if ("offsets" in held || read.includes(name) || trial.dice.uniform() < 0.5) return
        held[0] = held instanceof Int32Array ? -1 : Number.NaN
      })
      one.weight[0] = 1
      const expected = expectedStatistics(found, params, one)
      const samples = Array.from({ length: 300 }, () => drawn(found, params, trial.dice, one))
      for (const sample of samples.slice(0, 5)) {
        found.columns.forEach((column, place) => {
          const before = one.cells[place]
          const after = sample.cells[place]
          if ("offsets" in before || "offsets" in after) return
          const missing = before instanceof Int32Array ? before[0] < 0 : Number.isNaN(before[0])
          must(missing || before[0] === after[0], () => `the given cell of ${column.name} was changed.`)
          must(
            !missing || !(Number.isNaN(after[0]) || (after instanceof Int32Array && after[0] < 0)),
            () => `${column.name} was not drawn.`,
          )
        })
      }
      withinChance(
        found,
        samples.map(sample => expectedStatistics(found, params, sample)),
        expected,
        part => part.role !== "leaf",
      )
    },
  },
  {
    id: "A15",
    name: "on its own samples the log-loss is the entropy",
    applies: ({ model }) => labelsOf(model).length > 0 || "the model has no label to predict",
    effort: 0.5,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const found = await probe(subject.model, rows)
      const params = await someParameters(found)
      for (const label of labelsOf(subject.model)) {
        const place = found.columns.findIndex(column => column.name === label)
        const column = found.columns[place]
        if (column.kind !== "level") continue
        const gaps = Array.from({ length: 500 }, () => {
          const block = drawn(found, params, trial.dice)
          const truth = (block.cells[place] as Int32Array)[0]
          const joint = new Float64Array(column.levels.length)
          found.root.open(block, params, label, joint)
          const total = logSumExp(joint)
          let entropy = 0
          for (const score of joint) entropy -= score === -Infinity ? 0 : exp(score - total) * (score - total)
          return total - joint[truth] - entropy
        })
        const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
        const variance = gaps.reduce((sum, gap) => sum + (gap - mean) * (gap - mean), 0) / gaps.length
        const error = Math.sqrt(variance / gaps.length)
        must(
          Math.abs(mean) <= 5 * error + 0.01,
          () => `log-loss of ${label} minus entropy is ${mean}, standard error ${error}.`,
        )
      }
    },
  },
  {
    id: "A9.likely",
    name: "no model explains drawn rows better than the one that drew them, by more than its free parameters",
    applies: noBagsOnly,
    effort: 0.5,
    async check(subject, trial) {
      const found = await probe(subject.model, rowsOf(subject, trial))
      const params = await someParameters(found)
      const blocks = Array.from({ length: 400 }, () => drawn(found, params, trial.dice))
      const rows = blocks.map(block => cellsOf(found.columns, block))
      const other = await fitted(subject, { data: rows, options: {} }, { steps: 10 })
      const there = densities(other, rows).reduce((sum, score) => sum + score, 0)
      let here = 0
      for (const block of blocks) {
        const out = new Float64Array(1)
        found.root.up(block, params, out)
        here += out[0]
      }
      const free = found.parts.reduce((sum, part) => sum + part.leaf.shape.free, 0)
      const gain = there - here
      must(
        gain > -60 - free && gain < 2 * free + 30,
        () => `the refitted model gains ${gain} nats with ${free} free parameters.`,
      )
    },
  },
]

function isBag(found: Probe, part: Part): boolean {
  return found.columns.some(column => column.kind === "bag" && namesOf(part).includes(column.name))
}

/** E[s | θ] of the whole model: the weights that a row without cells hands down, turned into moments. */
function momentsOf(found: Probe, params: Float64Array): Float64Array {
  const stats = expectedStatistics(found, params, blank(found.columns)).fill(0)
  const nothing = blank(found.columns)
  const sink: Sink = {
    leaf(node, { rows }, weights) {
      const mass = new Float64Array(node.leaf.shape.slots)
      // what is read may be handed down at several points, each in a row
      if (weights.form === "one") for (let i = 0; i < rows; i++) mass[weights.slot[i]] += weights.weight[i]
      else for (let p = 0; p < node.leaf.shape.slots; p++) mass[p] += weights.values[p]
      node.leaf.moments(node.ranges.paramsOf(params), mass, node.ranges.statsOf(stats))
    },
    choice(node, _block, weights) {
      if (weights.form === "one") stats[node.ranges.statsAt + weights.slot[0]] += weights.weight[0]
      else
        for (let s = 0; s < node.leaf.shape.statistics; s++)
          stats[node.ranges.statsAt + s] += weights.values[s]
    },
  }
  const work = found.root.up(nothing, params, new Float64Array(1))
  found.root.down(nothing, params, ownWeights(nothing), sink, work)
  return stats
}

/** Means of the statistics of drawn rows lie within five standard errors of their expectation. */
function withinChance(
  found: Probe,
  samples: readonly Float64Array[],
  expected: Float64Array,
  counts: (part: Probe["parts"][number]) => boolean,
): void {
  const rows = samples.length
  for (const part of found.parts) {
    if (!counts(part)) continue
    for (let j = part.ranges.statsAt; j < part.ranges.statsAt + part.leaf.shape.statistics; j++) {
      let mean = 0
      let square = 0
      let most = 0
      for (const sample of samples) {
        mean += sample[j] / rows
        square += (sample[j] * sample[j]) / rows
        most = Math.max(most, Math.abs(sample[j]))
      }
      // a rare share has the variance of its expectation, whatever the sample shows; counts of steps do not vary, and may exceed 1
      const share = part.role !== "leaf" ? expected[j] * (1 - expected[j]) : 0
      const error = Math.sqrt(Math.max(square - mean * mean, share, 0) / rows) + (2 * most) / rows
      const name = namesOf(part).join(", ")
      must(
        Math.abs(mean - expected[j]) <= 5 * error + 1e-12,
        () =>
          `statistic ${j - part.ranges.statsAt} of ${name} is ${mean} on average and ${expected[j]} by the model, standard error ${error}.`,
      )
    }
  }
}
