/** The first pass over a column of steps: each of its columns is explored over all steps of rows with weight. */
import type { Column, Use } from "../contract/columns.ts"
import { SufficeError, show } from "../errors.ts"
import { isOnes, ones } from "../kernels/all-ones.ts"
import { isMissing } from "./cells.ts"
import type { Explored, Explorer } from "./explore.ts"
import { madeOf } from "./lagged.ts"
import { pooledScales } from "./scale.ts"
import { inStep, type LaidSteps, namesWithin, notInSteps, StepReader } from "./steps.ts"

type StepsUse = Use & { readonly need: Extract<Use["need"], { kind: "steps" }> }

/** `explore`: makes the explorer of a column of the steps. */
export function stepsExplorer(
  { column: name, need: { uses } }: StepsUse,
  known: Column | undefined,
  explore: (use: Use, known: Column | undefined) => Explorer,
): Explorer {
  const seen = uses.filter(use => use.role !== "hidden")
  const before = known?.kind === "steps" ? known.columns : []
  const reader = new StepReader(
    name,
    seen.map(({ column, need }) => ({
      name: column,
      kind: need.kind,
      made: madeOf(column, need.kind === "bag" ? need.reading.made : undefined),
    })),
  )
  const explorers = seen.map((use, c) => explore(use, before[c]))
  const present = new Set<string>()
  const named = new Set<string>()
  let missing = 0
  let steps = 0
  return {
    look(cells, weights, first) {
      const rows = weights.length
      const laid = reader.lay(cells, first, 0, rows, weights)
      for (let i = 0; i < rows; i++) if (weights[i] > 0 && isMissing(cells[i])) missing++
      steps += laid.steps
      const own = isOnes(weights) ? ones(laid.steps) : stepWeights(weights, laid)
      inStep(
        () =>
          explorers.forEach((explorer, c) => {
            explorer.look(laid.columns[c] ?? new Array(laid.steps), own, 0)
          }),
        first,
        laid,
      )
      for (const source of laid.present) present.add(source)
      if (present.size < reader.sources.length) for (const other of namesWithin(cells)) named.add(other)
    },
    endChunk() {
      for (const explorer of explorers) explorer.endChunk()
    },
    endStretch() {
      for (const explorer of explorers) explorer.endStretch()
    },
    part: () => ({
      missing,
      within: {
        steps,
        columns: explorers.map(explorer => explorer.part()),
        present: [...present],
        named: [...named],
      },
    }),
    join({ missing: more, within }) {
      missing += more
      steps += within!.steps
      explorers.forEach((explorer, c) => void explorer.join(within!.columns[c]))
      for (const name of within!.present) present.add(name)
      for (const name of within!.named) named.add(name)
    },
    get missing() {
      return missing
    },
    found() {
      const absent = reader.sources.find(source => !present.has(source))
      if (absent !== undefined && steps > 0 && named.size > 0) throw notInSteps(absent, name, named)
      const within = explorers.map((explorer, c) => {
        if (seen[c].role === "label") return labelIn(seen[c].column, () => explorer.found())
        return explorer.found()
      })
      const columns = pooledScales(
        within.map(({ column }) => column),
        seen,
        known !== undefined,
      )
      return {
        column: { kind: "steps", name, columns },
        missing,
        variety: steps > 0 ? "some" : "none",
        within: { uses: seen, found: within, steps },
      }
    },
  }
}

/** A label without levels is told otherwise in steps: it is the state of a chain. */
function labelIn(column: string, found: () => Explored): Explored {
  try {
    return found()
  } catch (error) {
    if (!(error instanceof SufficeError) || error.code !== "label") throw error
    throw new SufficeError(
      "label",
      `all of ${show(column)} is missing in the steps, and no levels are declared. How many states there are cannot be guessed. Declare them: chain(${show(column)}, body, { levels: [ … ] }), or hide them: chain(4, body).`,
      { column },
      { cause: error },
    )
  }
}

/** Every step has the weight of its row. */
function stepWeights(weights: Float64Array, { offsets, steps }: LaidSteps): Float64Array {
  const own = new Float64Array(steps)
  for (let i = 0; i < weights.length; i++) own.fill(weights[i], offsets[i], offsets[i + 1])
  return own
}

/** Missing cells of the columns of steps, by name. */
export function missingWithin({ column, missing, within }: Explored): [string, number][] {
  return [[column.name, missing], ...(within?.found.flatMap(missingWithin) ?? [])]
}

/** The total number of steps of each column of steps. */
export function stepsWithin({ column, within }: Explored): [string, number][] {
  return within ? [[column.name, within.steps], ...within.found.flatMap(stepsWithin)] : []
}
