/**
 * What comes after the last step in a network over steps: steps in which nothing is seen are added to every row, and each of their columns is asked for as any other that is missing.
 *
 *     p(x_{T+h} | x_1 … x_T)          everything else in the steps from T + 1 to T + h summed out
 *
 * Numbers that depend on a number of the step before are drawn: 2,000 paths; those of the first step ahead need no draws.
 */
import { blankRows, outOf } from "../blocks/encoded.ts"
import { gather } from "../blocks/gather.ts"
import { carrier, isLagged, longestLag } from "../blocks/lags.ts"
import type { Block, Nested } from "../contract/block.ts"
import type { Level } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { specsIn, treeOf } from "../declare/tree.ts"
import { SufficeError } from "../errors.ts"
import { dice } from "../random.ts"
import type { Forecast, ForecastOptions } from "./forecast.ts"
import { DRAWS, summarised } from "./forecast-draws.ts"
import type { Knowledge, SolvedModel } from "./knowledge.ts"
import { reach } from "./numeric.ts"
import { predictionsFrom } from "./predict.ts"
import type { LevelPrediction, NumberPrediction } from "./types.ts"

interface Ahead {
  /** The column of the steps, its place, and the columns within. */
  readonly outer: number
  readonly columns: readonly Column[]
  /** Columns to ask for, hidden ones too; the first with levels that the next step depends on comes first. */
  readonly asked: readonly Column[]
}

/** Does the model have a network over steps? */
export function hasStepNetwork({ laid }: Knowledge): boolean {
  return laid.parts.some(({ network }) => network?.stepPlace !== undefined)
}

export function forecastsOfNetwork(
  solved: SolvedModel,
  data: Data,
  how: Required<ForecastOptions>,
): Forecast[][] {
  const ahead = aheadOf(solved.known)
  const [state, ...others] = ahead.asked
  const answers: Forecast[][] = []
  const blocks = questionBlocks(solved.known.schema, data)
  for (let block = blocks.next(); block; block = blocks.next()) {
    const longer = withBlanks(block, ahead, how.steps)
    const nested = longer.cells[ahead.outer] as Nested
    const leaves = reach(solved, longer, new Set(ahead.asked.map(({ name }) => name)))
    const told = new Map(
      ahead.asked.map(column => [
        column.name,
        predictionsFrom(solved, nested.block, column, leaves, how.coverage),
      ]),
    )
    const drawn = longestLag(ahead.columns) > 0 ? drawnIn(solved, longer, ahead, how) : undefined
    for (let i = 0; i < block.rows; i++) {
      const last = nested.offsets[i + 1] - how.steps
      answers.push(
        Array.from({ length: how.steps }, (_, h) => ({
          state: told.get(state.name)!(last + h) as LevelPrediction,
          columns: Object.fromEntries(
            others.map(({ name }) => {
              const own = h > 0 ? drawn?.get(name) : undefined
              return [name, own ? own(i, h) : told.get(name)!(last + h)]
            }),
          ),
        })),
      )
    }
  }
  return answers
}

function aheadOf({ laid, schema, model }: Knowledge): Ahead {
  const parts = laid.parts.filter(({ network }) => network?.stepPlace !== undefined)
  const [name] = parts[0].steps
  const outer = schema.columns.findIndex(column => column.name === name)
  const { columns } = schema.columns[outer] as Extract<Column, { kind: "steps" }>
  const seen = columns.filter(({ kind, name }) => kind !== "bag" && !isLagged(name))
  const hidden = parts.flatMap(({ places, columns }) => (places[0] < 0 ? columns : []))
  const all = [...seen, ...new Map(hidden.map(column => [column.name, column])).values()]
  const carried = specsIn(model.spec).flatMap(spec => treeOf(spec).carried?.(spec) ?? [])
  const state = carried
    .map(name => all.find(column => column.name === name))
    .find(column => column?.kind === "level" && (column.levels as readonly Level[]).length > 0)
  if (!state) {
    throw new SufficeError(
      "model",
      "forecast: no column with levels depends on the step before, so that there is no state to tell of. Draw what comes next: sample(n, { given }), with steps in which nothing is seen at the end.",
    )
  }
  return { outer, columns, asked: [state, ...all.filter(column => column !== state)] }
}

/** Every row with as many more steps, in which nothing is seen but what the first of them reads. */
function withBlanks(block: Block, { outer, columns }: Ahead, count: number): Block {
  const { offsets, block: steps } = block.cells[outer] as Nested
  const blank = blankRows(columns, 1)
  const from: Block[] = []
  const rows: number[] = []
  const longer = new Int32Array(offsets.length)
  const firsts: number[] = []
  for (let i = 0; i + 1 < offsets.length; i++) {
    for (let t = offsets[i]; t < offsets[i + 1]; t++) {
      from.push(steps)
      rows.push(t)
    }
    if (offsets[i + 1] > offsets[i]) firsts.push(rows.length)
    for (let h = 0; h < count; h++) {
      from.push(blank)
      rows.push(0)
    }
    longer[i + 1] = rows.length
  }
  const { first, numbers } = block
  const plain = from.map(({ rows, weight, cells }) => ({ rows, weight, cells }))
  const joined = { ...gather(columns, { blocks: plain, rows }), first, numbers, offsets: longer }
  const carry = carrier(columns)
  for (const t of firsts) carry(joined, t)
  const cells = block.cells.slice()
  cells[outer] = { offsets: longer, block: joined }
  return { ...block, cells }
}

/** Numbers of the steps ahead, from rows whose missing cells are drawn. */
function drawnIn(
  { known, params }: SolvedModel,
  block: Block,
  { outer, columns }: Ahead,
  { steps: count, coverage }: Required<ForecastOptions>,
): Map<string, (i: number, h: number) => NumberPrediction> {
  const roll = dice(0)
  const numbers = columns.filter(({ kind, name }) => kind === "number" && !isLagged(name))
  const found = numbers.map(() =>
    Array.from({ length: block.rows }, () => Array.from({ length: count }, () => new Float64Array(DRAWS))),
  )
  for (let i = 0; i < block.rows; i++) {
    for (let draw = 0; draw < DRAWS; draw++) {
      const row = gather(known.schema.columns, { blocks: [block], rows: [i] })
      known.laid.root.sample(row, params, 0, roll)
      const { block: steps } = row.cells[outer] as Nested
      numbers.forEach((column, n) => {
        const cells = steps.cells[columns.indexOf(column)] as Float64Array
        for (let h = 0; h < count; h++) found[n][i][h][draw] = outOf(column, cells[steps.rows - count + h])
      })
    }
  }
  return new Map(
    numbers.map((column, n) => [column.name, (i, h) => summarised(found[n][i][h], coverage)] as const),
  )
}
