/**
 * `forecast`: what comes after the last step of each row, and `follow`: a sequence as it comes, step by step.
 *
 *     p(z_{T+h} | x_1 … x_T) ∝ α_T A^h          p(x_{T+h} | …) = Σ_l p(z_{T+h} = l) p(x | l)          push: α ← (αᵀA) ∘ b / c
 *
 * With ends, it is what comes if the sequence goes on so long.
 */
import { blankRows, rowsOf } from "../blocks/encoded.ts"
import { isLagged, longestLag } from "../blocks/lags.ts"
import type { Block, Encoded, Nested } from "../contract/block.ts"
import type { Cell, Row } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { UnseenListener } from "../contract/door.ts"
import type { SwitchNode } from "../contract/node.ts"
import type { Schema } from "../data/discover.ts"
import { encoderOf } from "../data/encoders.ts"
import { madeOf } from "../data/lagged.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { refuseUnknown, SufficeError, show, wrongOption } from "../errors.ts"
import { drawnAhead } from "./forecast-draws.ts"
import { forecastsOfNetwork, hasStepNetwork } from "./forecast-steps.ts"
import type { SolvedModel } from "./knowledge.ts"
import { catching, type Reached } from "./numeric.ts"
import { predictionsFrom, stepPredictions } from "./predict.ts"
import type { LevelPrediction, NumberPrediction } from "./types.ts"

/** Options of `forecast`. */
export interface ForecastOptions {
  /** How many steps ahead. */
  readonly steps?: number
  /** The probability that the interval of a number holds. */
  readonly coverage?: number
}

/** One step ahead. */
export interface Forecast {
  /** Of a network over steps, the first column with levels that the next step depends on. */
  readonly state: LevelPrediction
  /** The columns of the steps, but for the state itself and bags of words. */
  readonly columns: Readonly<Record<string, LevelPrediction | NumberPrediction>>
}

/** A sequence followed step by step. */
export interface Following {
  /** The next step, as a row of the steps or, if there is one column, its cell; null: nothing is seen of it. Returns its state, from the steps so far. */
  push(step: Cell): LevelPrediction
  /** ln p(the steps so far). */
  readonly logDensity: number
  /** What comes next. */
  forecast(options?: ForecastOptions): Forecast[]
}

export function forecasts(solved: SolvedModel, data: Data, options: ForecastOptions): Forecast[][] {
  if (isNetwork(solved)) return forecastsOfNetwork(solved, data, checked(options))
  const found = chainOf(solved, "forecast")
  const how = checked(options)
  const answers: Forecast[][] = []
  const blocks = questionBlocks(solved.known.schema, data)
  for (let block = blocks.next(); block; block = blocks.next()) {
    const { offsets, block: steps } = block.cells[found.outer] as Nested
    const k = found.node.levels.length
    const filtered = new Float64Array(steps.rows * k)
    found.node.walk!.filtered(block, solved.params, filtered)
    for (let i = 0; i < block.rows; i++) {
      const last = offsets[i + 1] - 1
      const isFirst = last < offsets[i]
      const alpha = isFirst ? new Float64Array(k) : filtered.slice(last * k, (last + 1) * k)
      const before = rowsOf(steps, Math.max(offsets[i], offsets[i + 1] - found.lag), offsets[i + 1])
      answers.push(ahead(solved, found, { alpha, isFirst, before }, how))
    }
  }
  return answers
}

export function following(solved: SolvedModel): Following {
  if (isNetwork(solved)) {
    throw new SufficeError(
      "model",
      "follow: the model is a network over steps. What is carried from step to step there is no single state to follow. Ask forecast() with the steps so far, or model them by a chain.",
    )
  }
  const found = chainOf(solved, "follow")
  const { node, outer, name } = found
  const { schema } = solved.known
  const alpha = new Float64Array(node.levels.length)
  let isFirst = true
  // in an array: a number of a closure would be boxed at every step
  const total = new Float64Array(1)
  let pushed = 0
  const absent = Object.fromEntries(schema.columns.map(column => [column.name, null]))
  const back = lookBack(solved, found)
  const alone = back === 0 ? oneStep(schema, found.columns, node.column) : undefined
  const answer = stepPredictions(node.levels, alpha)
  /** The last steps, as they came; those that lagged columns and windows look at. */
  const last: Cell[] = []
  let before = blankRows(found.columns, 0)
  return {
    push(step) {
      let own = alone?.(step)
      if (!own) {
        last.push(step)
        const block = questionBlocks(schema, [{ ...absent, [name]: last }]).next()!
        const { block: steps } = block.cells[outer] as Nested
        own = steps.rows === 1 ? steps : rowsOf(steps, steps.rows - 1, steps.rows)
        if (found.lag > 0) before = rowsOf(steps, Math.max(0, steps.rows - found.lag), steps.rows)
      }
      const more = node.walk!.advance(own, solved.params, alpha, isFirst)
      if (more === -Infinity) {
        last.pop()
        throw new SufficeError(
          "data",
          `follow: step ${pushed} cannot follow the steps before it. In every state that can be reached it has probability 0. Begin again with follow(), or push null for a step in which nothing is seen.`,
          { step: pushed },
        )
      }
      if (last.length > back) last.shift()
      total[0] += more
      pushed++
      isFirst = false
      return answer(0)
    },
    get logDensity() {
      return total[0]
    },
    forecast: (options = {}) => ahead(solved, found, { alpha, isFirst, before }, checked(options)),
  }
}

/**
 * Reads a step that needs no other: a row that has all columns but the state, into the same block again and again. Undefined: any other step, and one with a cell that is refused, goes
 * through the door.
 */
function oneStep(
  schema: Schema,
  columns: readonly Column[],
  state: string,
): ((step: Cell) => Block | undefined) | undefined {
  if (columns.some(({ kind }) => kind === "bag" || kind === "steps")) return undefined
  const encoders = columns.map(column => encoderOf(schema, column))
  // null keeps numbers as they are, instead of unboxing and boxing them
  const rooms = columns.map((): Cell[] => [null])
  const cells: Encoded[] = []
  const block: Block = { rows: 1, weight: Float64Array.of(1), cells }
  return step => {
    if (typeof step !== "object" || step === null || Array.isArray(step)) return undefined
    const row = step as Row
    try {
      for (let c = 0; c < encoders.length; c++) {
        const { name } = columns[c]
        const has = Object.hasOwn(row, name)
        if (!has && name !== state) return undefined
        encoders[c].begin(1, "chunk")
        if (has) {
          rooms[c][0] = row[name]
          encoders[c].read(rooms[c], 0, 0, 1, 0, UNHEARD)
        } else encoders[c].skip(1, 0)
        cells[c] = encoders[c].cut(0, 1)
      }
    } catch {
      // the door says what is wrong, and where
      return undefined
    }
    return block
  }
}

/** What training never saw counts as missing. */
const UNHEARD: UnseenListener = { level: () => undefined }

/** How many earlier steps a step has to be read with. */
function lookBack({ known: { schema } }: SolvedModel, { name, columns }: Chain): number {
  let back = 0
  for (const column of columns) {
    const [first, last] = madeOf(column.name, schema.readings.get(column.name)?.made)?.reach ?? [0, 0]
    if (last > 0) {
      throw new SufficeError(
        "model",
        `follow: the window of ${show(column.name)} looks ${last} ${last === 1 ? "step" : "steps"} ahead in ${show(name)}. A step that has just come has none after it. Ask path() or predict() once they are there, or fit a window that looks back: { at: [-2, 0] }.`,
        { column: column.name },
      )
    }
    back = Math.max(back, -first)
  }
  return back
}

export interface Chain {
  readonly node: SwitchNode
  /** The column of its steps, its place, and the columns within. */
  readonly name: string
  readonly outer: number
  readonly columns: readonly Column[]
  /** How many steps before its own a column is read in. */
  readonly lag: number
}

/** From where it goes on: alpha of the last step, and the steps that lagged columns look at. */
export interface Now {
  readonly alpha: Float64Array
  readonly isFirst: boolean
  readonly before: Block
}

function ahead(solved: SolvedModel, chain: Chain, now: Now, how: Required<ForecastOptions>): Forecast[] {
  const { node, columns } = chain
  const { alpha, isFirst } = now
  const { steps: count, coverage } = how
  const asked = columns.filter(({ kind, name }) => kind !== "bag" && name !== node.column && !isLagged(name))
  const leaves: Reached[] = []
  const steps = blankRows(columns, count)
  const sink = catching(new Set(asked.map(({ name }) => name)), leaves)
  const chances = node.walk!.ahead(steps, solved.params, alpha, isFirst, sink)
  const k = node.levels.length
  const drawn = chain.lag > 0 ? drawnAhead(solved, chain, now, how) : undefined
  const answers = asked.map((column): [string, (t: number) => LevelPrediction | NumberPrediction] => {
    const own = drawn?.get(column.name)
    if (own) return [column.name, own]
    return [column.name, predictionsFrom(solved, steps, column, leaves, coverage)]
  })
  return Array.from({ length: count }, (_, h) => ({
    state: stepPredictions(node.levels, chances.slice(h * k, (h + 1) * k))(0),
    columns: Object.fromEntries(answers.map(([name, answer]) => [name, answer(h)])),
  }))
}

/** Steps of a network, and none of a chain. */
function isNetwork({ known }: SolvedModel): boolean {
  return hasStepNetwork(known) && !known.laid.switches.some(({ walk }) => walk)
}

/** The only chain, which stands below no switch. */
export function chainOf(
  { known }: SolvedModel,
  where: string,
  what = "it is not known from where the model goes on",
): Chain {
  const chains = known.laid.switches.filter(({ walk }) => walk)
  const [node] = chains
  if (chains.length === 1 && node.part.leaf.shape.slots === 1) {
    const [name] = node.part.steps
    const outer = known.schema.columns.findIndex(column => column.name === name)
    const column = known.schema.columns[outer] as Extract<Column, { kind: "steps" }>
    return { node, name, outer, columns: column.columns, lag: longestLag(column.columns) }
  }
  const why =
    chains.length === 0
      ? "it has no chain, so that its rows do not go on"
      : chains.length > 1
        ? `it has ${chains.length} chains`
        : `the chain over ${show(node.column)} stands below a switch`
  throw new SufficeError(
    "model",
    `${where}: ${what}: ${why}. A model with one chain, alone or beside other columns, knows what comes after what. Fit one.`,
  )
}

function checked({ steps = 1, coverage = 0.95, ...rest }: ForecastOptions): Required<ForecastOptions> {
  refuseUnknown("forecast", rest, ["steps", "coverage"])
  if (!Number.isSafeInteger(steps) || steps < 1)
    throw wrongOption(
      "forecast",
      "steps",
      steps,
      "It counts steps ahead, so it is a whole number ≥ 1. Leave it out for 1.",
    )
  if (!(typeof coverage === "number" && coverage > 0 && coverage < 1))
    throw wrongOption(
      "forecast",
      "coverage",
      coverage,
      "It is the probability the interval holds, so it lies between 0 and 1. Leave it out for 0.95.",
    )
  return { steps, coverage }
}
