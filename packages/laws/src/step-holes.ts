/** What is missing in the steps of a row, for the laws of impute(): by name, by place, and what the density says of it. */
import type { Cell, Level, Model } from "suffice"
import type { Use } from "suffice/contract"
import { densities, type LooseFitted, type LooseRow } from "./api.ts"
import { must, near } from "./must.ts"
import { exp, logSumExp } from "./numbers.ts"
import { isHole } from "./variants.ts"

export interface StepHole {
  /** As impute() names it: steps[3].x */
  readonly name: string
  readonly steps: string
  readonly step: number
  readonly column: string
  readonly kind: Use["need"]["kind"]
}

/** The columns of steps, with what stands in a step. */
function stepColumns(model: Model): { steps: string; inner: readonly Use[] }[] {
  return model.uses.flatMap(({ column, need }) =>
    need.kind === "steps"
      ? [{ steps: column, inner: need.uses.filter(({ role }) => role !== "hidden") }]
      : [],
  )
}

/** The missing cells in the steps of a row; that a row has no steps is no hole that could be filled. */
export function stepHolesOf(model: Model, row: LooseRow): StepHole[] {
  return stepColumns(model).flatMap(({ steps, inner }) =>
    stepsIn(row, steps).flatMap((held, step) =>
      inner
        .filter(({ column }) => isHole(held?.[column]))
        .map(({ column, need }) => ({
          name: `${steps}[${step}].${column}`,
          steps,
          step,
          column,
          kind: need.kind,
        })),
    ),
  )
}

/** The row, with levels in its steps that training never saw. */
export function withStrangeSteps(model: Model, row: LooseRow): LooseRow {
  const changed = stepColumns(model).map(({ steps, inner }) => {
    const levels = inner.filter(({ role, need }) => role === "cell" && need.kind === "level")
    const strange = Object.fromEntries(levels.map(({ column }) => [column, "never seen before"]))
    const cell = isHole(row[steps]) ? row[steps] : stepsIn(row, steps).map(held => ({ ...held, ...strange }))
    return [steps, cell as Cell] as const
  })
  return { ...row, ...Object.fromEntries(changed) }
}

export function cellAt(row: LooseRow, { steps, step, column }: StepHole): Cell {
  return stepsIn(row, steps)[step]?.[column]
}

/** Holds if two rows have the same steps but for these holes, which are filled in the second one. */
export function keepsSteps(
  row: LooseRow,
  filled: LooseRow,
  steps: string,
  holes: readonly StepHole[],
): boolean {
  const before = stepsIn(row, steps)
  const after = stepsIn(filled, steps)
  const isOpen = (step: number, column: string): boolean =>
    holes.some(hole => hole.steps === steps && hole.step === step && hole.column === column)
  return (
    before.length === after.length &&
    after.every((held, step) => {
      const columns = new Set([...Object.keys(before[step] ?? {}), ...Object.keys(held ?? {})])
      return [...columns].every(column =>
        isOpen(step, column) ? !isHole(held?.[column]) : Object.is(held?.[column], before[step]?.[column]),
      )
    }) &&
    holes.every(hole => hole.steps !== steps || !isHole(cellAt(filled, hole)))
  )
}

interface Filling {
  readonly row: LooseRow
  readonly filled: LooseRow
  readonly spread: number
  readonly what: string
}

/** A level is filled with the mode of p(level | row) = p(row with the level) / Σ p(row with any level), and its doubt is the rest. */
export function levelByDensity(
  model: LooseFitted,
  hole: StepHole,
  levels: readonly Level[],
  { row, filled, spread, what }: Filling,
): void {
  const logs = densities(
    model,
    levels.map(level => withCell(row, hole, level)),
  )
  const total = logSumExp(logs)
  const top = exp(Math.max(...logs) - total)
  const chosen = exp(logs[levels.indexOf(cellAt(filled, hole) as Level)] - total)
  must(
    chosen >= top - 1e-9,
    () => `${what} is filled with a level whose probability is ${chosen}, not ${top}.`,
  )
  near(spread, 1 - top, 1e-9, `the doubt about ${what}`)
}

/** A number is filled with the mean of p(x | row) = p(row with x) / ∫ p(row with x) dx, and its spread is that of the density. */
export function numberByDensity(
  model: LooseFitted,
  hole: StepHole,
  cells: readonly number[],
  { row, filled, spread, what }: Filling,
): void {
  const low = Math.min(...cells)
  const high = Math.max(...cells)
  // three times the range on either side, by trapezia: nothing is left at the ends
  const x = Array.from({ length: 1501 }, (_, j) => low + (high - low) * ((7 * j) / 1500 - 3))
  const logs = densities(
    model,
    x.map(value => withCell(row, hole, value)),
  )
  const total = logSumExp(logs)
  const p = x.map((_, j) => exp(logs[j] - total))
  const mean = x.reduce((sum, value, j) => sum + value * p[j], 0)
  const variance = x.reduce((sum, value, j) => sum + (value - mean) * (value - mean) * p[j], 0)
  near(((cellAt(filled, hole) as number) - mean) / spread, 0, 1e-6, `${what}, in standard deviations`)
  near((spread * spread) / variance, 1, 1e-6, `the variance of ${what}`)
}

/** All cells of a column of steps that are seen. */
export function seenInSteps(rows: readonly LooseRow[], { steps, column }: StepHole): Cell[] {
  return rows.flatMap(row =>
    stepsIn(row, steps)
      .map(held => held?.[column])
      .filter(cell => !isHole(cell)),
  )
}

function withCell(row: LooseRow, { steps, step, column }: StepHole, cell: Cell): LooseRow {
  const changed = stepsIn(row, steps).map((held, t) => (t === step ? { ...held, [column]: cell } : held))
  return { ...row, [steps]: changed as unknown as Cell }
}

/** Steps as rows; one in which nothing is seen may be null. */
function stepsIn(row: LooseRow, steps: string): (LooseRow | null)[] {
  const cell = row[steps]
  return isHole(cell) ? [] : (cell as unknown as (LooseRow | null)[])
}
