/** The first pass over one column, kind by kind: moments, levels, words, and missing cells. */
import type { Cell, Level } from "../contract/cells.ts"
import type { Column, Need, TextOptions, Use } from "../contract/columns.ts"
import type { WordsPart } from "../contract/door.ts"
import { notABag, SufficeError, show } from "../errors.ts"
import { isOnes } from "../kernels/all-ones.ts"
import { binsExplorer } from "./bins-explorer.ts"
import { countCell, isMissing, type NumberReader, numberCell, numberReader } from "./cells.ts"
import { doublesOf } from "./doubles.ts"
import { type Labelling, levelsExplorer } from "./levels-explorer.ts"
import { type Found, Moments, type Sums } from "./moments.ts"
import type { SoftLevel } from "./soft.ts"
import { stepsExplorer } from "./steps-explorer.ts"
import { isPart, LogMoments } from "./supported.ts"
import { classFactor, type Weighting } from "./weigh.ts"

/** Labels of steps have no weights of their own. */
const NO_WEIGHTS: Weighting = {}

/** Reads one column slice by slice, and then describes it. Parts of it may be read elsewhere, and joined in the order of the rows. */
export interface Explorer {
  look(cells: ArrayLike<Cell>, weights: Float64Array, first: number): void
  /** The slice before was the last of a chunk, of a stretch: kernels/tiered.ts. */
  endChunk(): void
  endStretch(): void
  /** What the chunks of this stretch told, once they have ended: plain data. */
  part(): ColumnPart
  join(part: ColumnPart): void
  /** The number of missing cells so far. */
  readonly missing: number
  found(): Explored
}

/** What was found in a column of some chunks. */
export interface ColumnPart {
  readonly missing: number
  /** Numbers: their moments, and those of their logarithms. */
  readonly moments?: readonly Sums[]
  /** Levels, each with the row it was first met in; names that occur in soft labels. */
  readonly levels?: readonly (readonly [Level, number])[]
  readonly names?: readonly string[]
  /** Numbers that become levels: their values, each with its weight. */
  readonly values?: readonly (readonly [number, number])[]
  /** Soft labels of steps, each once: names with their shares. */
  readonly beliefs?: readonly (readonly SoftLevel[])[]
  readonly words?: WordsPart
  /** Steps: how many, their columns, the names that were met if one of them was not. */
  readonly within?: {
    readonly steps: number
    readonly columns: readonly ColumnPart[]
    readonly present: readonly string[]
    readonly named: readonly string[]
  }
}

export interface Explored {
  readonly column: Column
  readonly missing: number
  /** Whether the cells seen are several different ones, one, or none. */
  readonly variety: "none" | "constant" | "some"
  /** Declared levels that no cell has; none for a `known` column, whose earlier rows may have had them. */
  readonly unmet?: readonly Level[] | undefined
  /** For steps: what was found in their columns, and the number of steps. */
  readonly within?: {
    readonly uses: readonly Use[]
    readonly found: readonly Explored[]
    readonly steps: number
  }
}

/** `known`: the column of an earlier model: numbers keep its units, new levels and words are appended. `remember`: the cells are in memory. */
export function explorer(
  use: Use,
  weighting: Weighting,
  known?: Column,
  scaling?: TextOptions["scaling"],
  remember = false,
): Explorer {
  const { need, column } = use
  switch (need.kind) {
    case "number": {
      const logs = isPart(need.support) ? new LogMoments(need.support) : undefined
      const made = (found: Found): Column => {
        if (known) return found.weight > 0 ? withoutEmpty(known) : known
        return numberColumn(column, found, logs)
      }
      return numbers(column, numberReader(need.support), made, logs)
    }
    case "count":
      return numbers(column, countCell, ({ mean }): Column => known ?? { kind: "count", name: column, mean })
    case "level":
      if (need.bins !== undefined) return binsExplorer(column, need.bins, known)
      return levelsExplorer(column, need, labelling(use, weighting), classFactor(weighting, column), known)
    case "bag":
      return words(column, need, known, scaling, remember)
    case "steps":
      return stepsExplorer({ ...use, need }, known, (inner, before) =>
        explorer(inner, NO_WEIGHTS, before, scaling, remember && !isMade(inner)),
      )
    default:
      return need satisfies never
  }
}

/** Cells that are made are made anew in each pass: the same one never comes again. */
function isMade({ need }: Use): boolean {
  return need.kind === "bag" && need.reading.made !== undefined
}

/** Rows with a soft label are copied, one for each level; steps cannot be, and keep it. */
function labelling({ role }: Use, weighting: Weighting): Labelling | undefined {
  if (role !== "label") return undefined
  return weighting === NO_WEIGHTS ? "of steps" : "of rows"
}

function numberColumn(name: string, found: Found, logs: LogMoments | undefined): Column {
  const { weight, mean, spread, largest } = found
  if (largest > LARGEST) {
    throw new SufficeError(
      "cell",
      `column ${show(name)} holds numbers as large as ${largest}. Above ${LARGEST} their differences overflow. Rescale the column, or take logarithms.`,
      { column: name, value: largest },
    )
  }
  const column = { kind: "number", name, shift: mean, scale: spread, variance: 1 } as const
  return { ...(logs?.column(name, found) ?? column), ...(weight === 0 && { empty: true }) }
}

/** The column, now that it has a number. */
function withoutEmpty(column: Column): Column {
  if (column.kind !== "number" || !column.empty) return column
  const { empty: _, ...filled } = column
  return filled
}

/** Half of the largest double: the difference of two such numbers is finite. */
const LARGEST = 8.9e307

function numbers(
  name: string,
  read: NumberReader,
  column: (found: Found) => Column,
  logs?: LogMoments,
): Explorer {
  const moments = new Moments()
  let missing = 0
  return {
    look(cells, weights, first) {
      const rows = weights.length
      const doubles = read === numberCell ? doublesOf(cells, 0, rows) : undefined
      for (let i = 0; i < rows; i++) {
        if (doubles) i = moments.addRun(doubles, isOnes(weights) ? undefined : weights, i, rows)
        if (i === rows || weights[i] === 0) continue
        const value = read(cells[i], first + i, name)
        if (value !== value) {
          missing++
          continue
        }
        moments.add(value, weights[i])
        logs?.add(value, weights[i])
      }
    },
    endChunk() {
      moments.endChunk()
      logs?.endChunk()
    },
    endStretch() {
      moments.endStretch()
      logs?.endStretch()
    },
    part: () => ({ missing, moments: [moments.part, ...(logs?.part ?? [])] }),
    join({ missing: more, moments: [own, ...rest] = [] }) {
      missing += more
      moments.join(own)
      logs?.join(rest)
    },
    get missing() {
      return missing
    },
    found() {
      const found = moments.found()
      const variety = found.weight === 0 ? "none" : found.spread === 0 ? "constant" : "some"
      return { column: column(found), missing, variety }
    },
  }
}

function words(
  name: string,
  need: Extract<Need, { kind: "bag" }>,
  known: Column | undefined,
  scaling: TextOptions["scaling"],
  remember: boolean,
): Explorer {
  const found = need.reading.explore(need, known, scaling, remember)
  let missing = 0
  return {
    look(cells, weights, first) {
      for (let i = 0; i < weights.length; i++) {
        const end = found.run(cells, weights, i)
        if (end > i) {
          i = end - 1
          continue
        }
        if (weights[i] === 0) continue
        if (isMissing(cells[i])) missing++
        else if (!found.look(cells[i], weights[i])) throw notABag(cells[i], first + i, name)
      }
    },
    endChunk: () => found.endChunk(),
    endStretch: () => found.endStretch(),
    part: () => ({ missing, words: found.part() }),
    join({ missing: more, words }) {
      missing += more
      found.join(words!)
    },
    get missing() {
      return missing
    },
    found: () => ({ column: found.column(name), missing, variety: found.seen ? "some" : "none" }),
  }
}
