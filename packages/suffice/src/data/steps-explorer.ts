/** The first pass over a column of steps: each of its columns is explored over all steps of rows with weight. */
import type { Cell } from "../contract/cells.ts"
import type { Column, Use } from "../contract/columns.ts"
import { SufficeError, show } from "../errors.ts"
import { isOnes, ones } from "../kernels/all-ones.ts"
import { isMissing } from "./cells.ts"
import type { ColumnPart, Explored, Explorer } from "./explore.ts"
import { madeOf } from "./lagged.ts"
import { pooledScales } from "./scale.ts"
import { inStep, type LaidSteps, namesWithin, notInSteps, StepReader } from "./steps.ts"

type StepsUse = Use & { readonly need: Extract<Use["need"], { kind: "steps" }> }

/** `explore`: makes the explorer of a column of the steps. */
export function stepsExplorer(
  use: StepsUse,
  known: Column | undefined,
  explore: (use: Use, known: Column | undefined) => Explorer,
): Explorer {
  return new StepsExplorer(use, known, explore)
}

class StepsExplorer implements Explorer {
  readonly #name: string
  readonly #uses: readonly Use[]
  readonly #isUpdate: boolean
  readonly #reader: StepReader
  readonly #explorers: readonly Explorer[]
  /** Columns that some step has, and the names found in steps while one was absent. */
  readonly #present = new Set<string>()
  readonly #named = new Set<string>()
  #steps = 0
  missing = 0

  constructor(
    { column: name, need: { uses } }: StepsUse,
    known: Column | undefined,
    explore: (use: Use, known: Column | undefined) => Explorer,
  ) {
    this.#name = name
    this.#uses = uses.filter(use => use.role !== "hidden")
    this.#isUpdate = known !== undefined
    const before = known?.kind === "steps" ? known.columns : []
    const sources = this.#uses.map(({ column, need }) => ({
      name: column,
      kind: need.kind,
      made: madeOf(column, need.kind === "bag" ? need.reading.made : undefined),
    }))
    this.#reader = new StepReader(name, sources)
    this.#explorers = this.#uses.map((use, c) => explore(use, before[c]))
  }

  look(cells: ArrayLike<Cell>, weights: Float64Array, first: number): void {
    const rows = weights.length
    const reader = this.#reader
    const laid = reader.lay(cells, first, 0, rows, weights)
    for (let i = 0; i < rows; i++) if (weights[i] > 0 && isMissing(cells[i])) this.missing++
    this.#steps += laid.steps
    const perStep = isOnes(weights) ? ones(laid.steps) : stepWeights(weights, laid)
    const lookWithin = (): void =>
      this.#explorers.forEach((explorer, c) => {
        explorer.look(laid.columns[c] ?? new Array(laid.steps), perStep, 0)
      })
    inStep(lookWithin, first, laid)
    for (const source of laid.present) this.#present.add(source)
    if (this.#present.size < reader.sources.length) {
      for (const other of namesWithin(cells)) this.#named.add(other)
    }
  }

  endChunk(): void {
    for (const explorer of this.#explorers) explorer.endChunk()
  }

  endStretch(): void {
    for (const explorer of this.#explorers) explorer.endStretch()
  }

  part(): ColumnPart {
    return {
      missing: this.missing,
      within: {
        steps: this.#steps,
        columns: this.#explorers.map(explorer => explorer.part()),
        present: [...this.#present],
        named: [...this.#named],
      },
    }
  }

  join({ missing, within }: ColumnPart): void {
    this.missing += missing
    this.#steps += within!.steps
    this.#explorers.forEach((explorer, c) => void explorer.join(within!.columns[c]))
    for (const name of within!.present) this.#present.add(name)
    for (const name of within!.named) this.#named.add(name)
  }

  found(): Explored {
    const uses = this.#uses
    const absent = this.#reader.sources.find(source => !this.#present.has(source))
    if (absent !== undefined && this.#steps > 0 && this.#named.size > 0) {
      throw notInSteps(absent, this.#name, this.#named)
    }
    const within = this.#explorers.map((explorer, c) =>
      uses[c].role === "label" ? labelIn(uses[c].column, () => explorer.found()) : explorer.found(),
    )
    const columns = pooledScales(
      within.map(({ column }) => column),
      uses,
      this.#isUpdate,
    )
    return {
      column: { kind: "steps", name: this.#name, columns },
      missing: this.missing,
      variety: this.#steps > 0 ? "some" : "none",
      within: { uses, found: within, steps: this.#steps },
    }
  }
}

/** The error of a label without levels in steps, where it is the state of a chain. */
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
