/**
 * The most telling features of each level: the mean of what they contributed, in nats, to its log-odds against the best other level,
 * over rows that are of that level.
 */
import { type Columns, type Row, SufficeError } from "suffice"
import { clipped, termName } from "./format.ts"
import type { LooseFitted } from "./loose.ts"
import { picked, plainCell, rowsOf } from "./tabular.ts"

export interface TellingFeature {
  /** As termName has it. */
  readonly name: string
  readonly column: string
  readonly word?: string
  /** Mean contribution to the log-odds, in nats. */
  readonly evidence: number
}

export interface Telling {
  readonly level: string
  /** Rows that were explained. */
  readonly rows: number
  /** Strongest first. */
  readonly features: readonly TellingFeature[]
}

/** So many rows say what a model goes by. */
const LOOKED_AT = 20_000
/** Rows explained in all, and cells of them: of a wide table fewer rows say enough. */
const ROWS = 400
const CELLS = 20_000
const LEAST = 10
/** Levels explained: the most frequent. */
const LEVELS = 30

/** Of a table whose label is known, as far as `looked` rows. */
export function tellingFeatures(
  fitted: LooseFitted,
  columns: Columns,
  target: string,
  most = 8,
  looked = LOOKED_AT,
): Telling[] {
  const byLevel = new Map<string, number[]>()
  const labels = Object.hasOwn(columns, target) ? columns[target] : []
  for (let i = 0; i < Math.min(labels.length, looked); i++) {
    const level = plainCell(labels[i])
    if (level === null || level === undefined || typeof level === "object") continue
    const key = String(level)
    const known = byLevel.get(key)
    if (known) known.push(i)
    else byLevel.set(key, [i])
  }
  const levels = [...byLevel].sort((a, b) => b[1].length - a[1].length).slice(0, LEVELS)
  const explained = Math.min(ROWS, CELLS / Math.max(fitted.model.uses.length, 1))
  const each = Math.max(Math.floor(explained / Math.max(levels.length, 1)), LEAST)
  return levels
    .map(([level, places]) =>
      tellingOf(fitted, rowsOf(picked(columns, places.slice(0, each))), level, target, most),
    )
    .filter(one => one.rows > 0)
}

function tellingOf(
  fitted: LooseFitted,
  rows: readonly Row[],
  level: string,
  target: string,
  most: number,
): Telling {
  const sums = new Map<string, { name: string; column: string; word?: string; sum: number }>()
  let explained = 0
  for (const row of rows) {
    const found = explainedOrNot(fitted, row, level, target)
    if (!found) continue
    explained++
    for (const term of found.terms) {
      const { column, word } = term
      const name = termName(term)
      const key = `${column}\u0000${name}`
      const entry = sums.get(key) ?? { name, column, ...(word !== undefined && { word }), sum: 0 }
      if (Number.isFinite(term.contribution)) entry.sum += term.contribution
      sums.set(key, entry)
    }
  }
  const features = [...sums.values()]
    .map(({ name, column, word, sum }) => ({
      name: clipped(name, 40),
      column,
      ...(word !== undefined && { word }),
      evidence: sum / Math.max(explained, 1),
    }))
    .sort((a, b) => b.evidence - a.evidence)
    .slice(0, most)
    .filter(({ evidence }) => evidence > 0)
  return { level, rows: explained, features }
}

/** Undefined for rows that are impossible under every level, and for levels never learned. */
function explainedOrNot(
  fitted: LooseFitted,
  row: Row,
  level: string,
  target: string,
): ReturnType<LooseFitted["explain"]> | undefined {
  try {
    return fitted.explain(row, { target, level })
  } catch (error) {
    if (error instanceof SufficeError) return undefined
    throw error
  }
}
