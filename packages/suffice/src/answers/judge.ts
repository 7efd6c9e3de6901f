/** The model's answers paired with the truth: shared by evaluate, crossValidate and calibrate. */
import type { Cell, Level } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import { binOf, cutsIn } from "../data/bins-explorer.ts"
import { levelCell, numberCell } from "../data/cells.ts"
import { type Batch, slicesOf } from "../data/read.ts"
import { softLevels } from "../data/soft.ts"
import { columnOf, rowCount, take, withColumn } from "../data/take.ts"
import { rowWeights } from "../data/weigh.ts"
import { manyInRow, SufficeError, show } from "../errors.ts"
import type { Judged, JudgedLevels, JudgedNumbers } from "../measure/judged.ts"
import type { Predictor } from "./predictor.ts"
import type { NumberPrediction } from "./types.ts"

export interface JudgeOptions {
  readonly target?: string | undefined
  /** The column of row weights. */
  readonly weight?: string | undefined
  /** More rows will follow: these may lack a truth, or weight. */
  readonly partial?: boolean
}

/** Is the target a number, as the model uses it? */
export function isNumber({ model }: Pick<Predictor, "model">, target: string | undefined): boolean {
  const use = model?.uses?.find(use => use.column === (target ?? model.target))
  return use?.need.kind === "number" || use?.need.kind === "count"
}

/** What judging levels needs of a model: any classifier has it. */
export interface Judgeable {
  readonly model: Pick<Model, "uses" | "target">
  posterior(
    rows: Batch,
    options: { readonly target?: string | undefined },
  ): {
    readonly levels: readonly Level[]
    readonly probabilities: Float64Array
    readonly logs: Float64Array
  }
}

export function judge(where: string, fitted: Predictor, batch: Batch, options: JudgeOptions): Judged {
  if (isNumber(fitted, options.target)) return judgeNumbers(where, fitted, batch, options)
  return ofTruth(judgeLevels(where, fitted as unknown as Judgeable, batch, options))
}

/** As `Judged`, but `logs` holds every level: rows × levels. */
export function judgeLevels(
  where: string,
  fitted: Judgeable,
  batch: Batch,
  options: JudgeOptions,
): JudgedLevels {
  const column = options.target ?? fitted.model.target
  // if there is no target, or not in the model, the model reports it
  const known = column !== undefined && fitted.model.uses.some(use => use.column === column)
  if (!known) {
    fitted.posterior(take(batch, []), { target: column })
    throw manyInRow(column!, stepsWith(fitted.model.uses, column!))
  }
  const rows = counted(where, batch)
  const cells = columnOf(where, batch, column!, "the target")
  const weights = weightsOf(where, batch, options.weight)
  const posterior = fitted.posterior(batch, { target: column })
  const truths = truthsIn(where, fitted, posterior.levels, cells, weights, column!)
  if (!options.partial) {
    const hasWeight = truths.shares.some(w => w > 0)
    checkWeight(where, column!, options.weight, truths.labelled, hasWeight)
  }
  return paired(column!, posterior, truths, rows)
}

/** The posterior of every row or step with its truths; `count`: how many there are. */
export function paired(
  target: string,
  { levels, probabilities, logs }: ReturnType<Judgeable["posterior"]>,
  { truth, from, shares, strange, labelled }: Truths,
  count: number,
): JudgedLevels {
  const unseen = new Map<Level, number>()
  truth.forEach((code, i) => {
    const level = strange[code - levels.length]
    if (code >= levels.length) unseen.set(level, (unseen.get(level) ?? 0) + shares[i])
  })
  return {
    kind: "levels",
    target,
    levels,
    strange,
    truth,
    from,
    probabilities: gathered(probabilities, from, levels.length),
    logs: gathered(logs, from, levels.length),
    weights: Float64Array.from(shares),
    rows: labelled,
    skipped: count - labelled,
    unseen,
  }
}

/** `logs` of each truth alone. */
export function ofTruth({ logs, ...judged }: JudgedLevels): JudgedLevels {
  const count = judged.levels.length
  return {
    ...judged,
    logs: Float64Array.from(judged.truth, (code, i) => (code < count ? logs[i * count + code] : -Infinity)),
  }
}

/** The true levels of rows or steps, with one entry per level of a soft label. */
export interface Truths {
  /** Codes of `levels`, then of `strange`. */
  readonly truth: number[]
  /** The row of each entry. */
  readonly from: number[]
  readonly shares: number[]
  /** Levels that the model does not know. */
  readonly strange: Level[]
  /** Number of rows with a truth. */
  readonly labelled: number
}

function truthsIn(
  where: string,
  fitted: Judgeable,
  levels: readonly Level[],
  cells: readonly Cell[],
  weights: readonly number[],
  column: string,
): Truths {
  const codes = new Map(levels.map((level, code) => [String(level), code]))
  // a number that is modelled as levels counts as the level it lies in
  const cuts = isBinned(fitted, column) ? cutsIn(levels) : undefined
  const strange: Level[] = []
  const truth: number[] = []
  const from: number[] = []
  const shares: number[] = []
  let labelled = 0
  cells.forEach((cell, row) => {
    const truths = truthsOf(cuts && typeof cell === "number" ? levels[binOf(cuts, cell)] : cell, row, column)
    if (truths.length > 0) labelled++
    for (const { name, level, share } of truths) {
      let code = codes.get(name)
      if (code === undefined) {
        code = levels.length + strange.length
        codes.set(name, code)
        strange.push(level)
      } else if (!isSame(level, levels[code] ?? strange[code - levels.length], cell)) {
        throw otherType(where, row, column, level, levels[code] ?? strange[code - levels.length])
      }
      truth.push(code)
      from.push(row)
      shares.push(weights[row] * share)
    }
  })
  return { truth, from, shares, strange, labelled }
}

function isBinned({ model }: Judgeable, column: string): boolean {
  const need = model.uses.find(use => use.column === column)?.need
  return need?.kind === "level" && need.bins !== undefined
}

/** The column of steps that holds it. */
function stepsWith(uses: Model["uses"], name: string): string {
  const inside = ({ need }: Model["uses"][number]): boolean =>
    need.kind === "steps" && need.uses.some(use => use.column === name)
  return uses.find(inside)?.column ?? ""
}

/** One level, several with their shares (a soft label), or none (missing). */
function truthsOf(
  cell: Cell,
  row: number,
  column: string,
): readonly { readonly name: string; readonly level: Level; readonly share: number }[] {
  const soft = softLevels(cell, row, column)
  if (soft) return soft.map(({ name, share }) => ({ name, level: name, share }))
  const level = levelCell(cell, row, column)
  return level === undefined ? [] : [{ name: String(level), level, share: 1 }]
}

/** The keys of a soft label are text, whatever the type of the level. */
function isSame(level: Level, known: Level, cell: Cell): boolean {
  return level === known || typeof cell === "object"
}

function otherType(where: string, row: number, column: string, level: Level, known: Level): SufficeError {
  return new SufficeError(
    "label",
    `${where}: row ${row} of ${show(column)} holds ${show(level)}, the model knows ${show(known)}. One is ${typeof level}, the other ${typeof known}: every row would count as wrong. Convert the column to the type the model was fitted with.`,
    { row, column, value: level },
  )
}

function judgeNumbers(where: string, fitted: Predictor, batch: Batch, options: JudgeOptions): JudgedNumbers {
  const column = (options.target ?? fitted.model.target) as string
  counted(where, batch)
  const cells = columnOf(where, batch, column, "the target")
  const all = Float64Array.from(cells, (cell, row) => numberCell(cell, row, column))
  const weights = weightsOf(where, batch, options.weight)
  const rows = Array.from(all.keys()).filter(i => !Number.isNaN(all[i]))
  if (!options.partial)
    checkWeight(
      where,
      column,
      options.weight,
      rows.length,
      rows.some(i => weights[i] > 0),
    )
  const seen = take(batch, rows)
  const hidden = withColumn(
    seen,
    column,
    rows.map(() => null),
  )
  const answers = fitted.predict(hidden, { target: column }) as unknown as readonly NumberPrediction[]
  const together = fitted.logDensity(seen)
  const rest = fitted.logDensity(hidden)
  return {
    kind: "number",
    target: column,
    truth: Float64Array.from(rows, i => all[i]),
    values: Float64Array.from(answers, ({ value }) => value),
    low: Float64Array.from(answers, ({ interval }) => interval[0]),
    high: Float64Array.from(answers, ({ interval }) => interval[1]),
    // ln p(x | rest) = ln p(x, rest) − ln p(rest); in a row whose rest is impossible, so is every x
    logs: together.map((log, j) => (log === -Infinity ? log : log - rest[j])),
    weights: Float64Array.from(rows, i => weights[i]),
    skipped: all.length - rows.length,
  }
}

function counted(where: string, batch: Batch): number {
  const rows = rowCount(batch)
  if (rows > 0) return rows
  throw new SufficeError(
    "data",
    `${where}: the data has no rows. There is nothing to compare. Pass at least one row.`,
  )
}

function weightsOf(where: string, batch: Batch, column: string | undefined): number[] {
  if (column !== undefined) columnOf(where, batch, column, "the weight column")
  return Array.from(slicesOf(batch)).flatMap(slice => [...rowWeights(slice, { column })])
}

/** Throws if there is nothing to measure. */
export function checkWeight(
  where: string,
  column: string,
  weight: string | undefined,
  labelled: number,
  hasWeight: boolean,
): void {
  if (labelled === 0) {
    throw new SufficeError(
      "label",
      `${where}: ${show(column)} is missing in every row. There is no truth to compare with. Pass rows whose ${show(column)} is known.`,
      { column },
    )
  }
  if (hasWeight) return
  throw new SufficeError(
    "weight",
    `${where}: every row with a known ${show(column)} has weight 0, by ${show(weight)}. Nothing is left to measure. Give at least one of them a weight above 0.`,
    { column: weight },
  )
}

/** The rows `from` of a rows × count matrix. */
function gathered(matrix: Float64Array, from: readonly number[], count: number): Float64Array {
  const out = new Float64Array(from.length * count)
  from.forEach((row, i) => {
    out.set(matrix.subarray(row * count, (row + 1) * count), i * count)
  })
  return out
}
