/** Flaws that rows may have, and forms they may come in. */
import type { Cell, Dice, Model } from "suffice"
import type { LooseData, LooseRow } from "./api.ts"
import { featuresOf, labelsOf } from "./models.ts"

/** Rows as they are learned from, and as copies with hard labels whose log-likelihood adds up to the same. */
export interface Dressed {
  readonly data: LooseData
  readonly options: { readonly weight?: string }
  readonly copies: readonly { readonly row: LooseRow; readonly weight: number }[]
}

export interface Variant {
  readonly name: string
  /** True, or the reason why not. */
  suits(model: Model): true | string
  dress(rows: readonly LooseRow[], model: Model, dice: Dice): Dressed
}

const always = (): true => true
const needsLabel = (model: Model): true | string =>
  labelsOf(model).length > 0 || "the model has no label that could be missing"

/** Null, undefined and NaN are all missing. */
function hole(dice: Dice): Cell {
  return [null, undefined, Number.NaN][dice.integer(3)]
}

/** Columns lose this share of their cells; the first row keeps all, so that no column is empty. */
export function punch(
  rows: readonly LooseRow[],
  columns: readonly string[],
  share: number,
  dice: Dice,
): LooseRow[] {
  return rows.map((row, i) => {
    const holed: Record<string, Cell> = { ...row }
    for (const column of columns) if (i > 0 && dice.uniform() < share) holed[column] = hole(dice)
    return holed
  })
}

/** Where a column is missing, so is what is modelled given it. */
function readable(rows: readonly LooseRow[], model: Model): LooseRow[] {
  return rows.map(row => {
    const holed: Record<string, Cell> = { ...row }
    for (const { column, reads = [] } of model.uses) {
      if (reads.some(read => isHole(holed[read]))) holed[column] = null
    }
    return holed
  })
}

/** Null, undefined and NaN. */
export function isHole(cell: Cell): cell is null | undefined {
  return cell === null || cell === undefined || cell !== cell
}

/** A column "w" of weights, some of them 0. */
function weigh(rows: readonly LooseRow[], dice: Dice): LooseRow[] {
  return rows.map((row, i) => ({ ...row, w: i > 0 && dice.uniform() < 0.1 ? 0 : dice.gamma(2) }))
}

/** Some labels become distributions over the levels. */
function soften(rows: readonly LooseRow[], labels: readonly string[], share: number, dice: Dice): LooseRow[] {
  const levels = labels.map(label => [...new Set(rows.map(row => String(row[label])))])
  return rows.map(row => {
    const soft: Record<string, Cell> = { ...row }
    labels.forEach((label, j) => {
      if (dice.uniform() >= share) return
      soft[label] = Object.fromEntries(
        levels[j].map(level => [level, dice.integer(4) + (level === String(row[label]) ? 1 : 0)]),
      )
    })
    return soft
  })
}

/** One copy of a row per combination of soft levels; the level comes back as the data has it. */
export function copiesOf(
  rows: readonly LooseRow[],
  labels: readonly string[],
  hard: readonly LooseRow[],
): { row: LooseRow; weight: number }[] {
  return rows.flatMap(row => {
    let copies: { row: LooseRow; weight: number }[] = [{ row, weight: (row.w as number | undefined) ?? 1 }]
    for (const label of labels) {
      const cell = row[label]
      if (typeof cell !== "object" || cell === null) continue
      const shares = Object.entries(cell as Record<string, number>)
      const total = shares.reduce((sum, [, share]) => sum + share, 0)
      const levels = new Map(hard.map(other => [String(other[label]), other[label]]))
      copies = copies.flatMap(copy =>
        shares.map(([level, share]) => ({
          row: { ...copy.row, [label]: levels.get(level) },
          weight: (copy.weight * share) / total,
        })),
      )
    }
    return copies.filter(copy => copy.weight > 0)
  })
}

/** A source that can be read again, cut at these places. */
export function source(
  rows: readonly LooseRow[],
  cuts: readonly number[],
): AsyncIterable<readonly LooseRow[]> {
  const ends = [...new Set([...cuts, rows.length])].sort((a, b) => a - b)
  return {
    async *[Symbol.asyncIterator]() {
      let from = 0
      for (const to of ends) {
        yield rows.slice(from, to)
        from = to
      }
    },
  }
}

export function someCuts(rows: number, dice: Dice): number[] {
  return Array.from({ length: 1 + dice.integer(6) }, () => dice.integer(rows + 1))
}

function plain(rows: readonly LooseRow[]): Dressed {
  return { data: rows, options: {}, copies: rows.map(row => ({ row, weight: 1 })) }
}

export const complete: Variant = { name: "complete", suits: always, dress: plain }

export const variants: readonly Variant[] = [
  complete,
  {
    name: "missing cells",
    suits: always,
    dress: (rows, model, dice) => plain(readable(punch(rows, featuresOf(model), 0.3, dice), model)),
  },
  {
    name: "missing labels",
    suits: needsLabel,
    dress(rows, model, dice) {
      // every level stays seen in some row
      const kept = new Set<Cell>()
      const holed = punch(rows, labelsOf(model), 0.4, dice)
      const labels = labelsOf(model)
      return plain(
        holed.map((row, i) => {
          const news = labels.filter(label => !kept.has(rows[i][label]))
          for (const label of news) kept.add(rows[i][label])
          return { ...row, ...Object.fromEntries(news.map(label => [label, rows[i][label]])) }
        }),
      )
    },
  },
  {
    name: "weights",
    suits: always,
    dress(rows, model, dice) {
      const weighed = weigh(rows, dice)
      return { data: weighed, options: { weight: "w" }, copies: copiesOf(weighed, labelsOf(model), rows) }
    },
  },
  {
    name: "missing cells, weights, soft labels",
    suits: always,
    dress(rows, model, dice) {
      const labels = labelsOf(model)
      const holed = readable(punch(soften(rows, labels, 0.3, dice), featuresOf(model), 0.2, dice), model)
      const weighed = weigh(punch(holed, labels, 0.2, dice), dice)
      return { data: weighed, options: { weight: "w" }, copies: copiesOf(weighed, labels, rows) }
    },
  },
  {
    name: "streamed",
    suits: always,
    dress: (rows, _model, dice) => ({ ...plain(rows), data: source(rows, someCuts(rows.length, dice)) }),
  },
]
