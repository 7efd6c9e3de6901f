/** What each kind of column shows of itself in the first pass: moments, levels, words, and what is missing. */
import type { Cell, Level } from "../contract/cells.ts"
import type { Column, Need, TextOptions, Use } from "../contract/columns.ts"
import { list, notABag, SufficeError, show } from "../errors.ts"
import { isOnes } from "../kernels/all-ones.ts"
import {
  countCell,
  isMissing,
  LevelSet,
  levelCell,
  type NumberReader,
  numberCell,
  numberReader,
} from "./cells.ts"
import { doublesOf } from "./doubles.ts"
import { type Found, Moments } from "./moments.ts"
import { isSoft, softLevels } from "./soft.ts"
import { stepsExplorer } from "./steps-explorer.ts"
import { isPart, LogMoments } from "./supported.ts"
import { classFactor, type Weighting } from "./weigh.ts"

/** Labels of steps have no weights of their own. */
const NO_WEIGHTS: Weighting = {}

/** One column, slice by slice, and then what it showed of itself. */
export interface Explorer {
  look(cells: ArrayLike<Cell>, weights: Float64Array, first: number): void
  found(): Explored
}

export interface Explored {
  readonly column: Column
  readonly missing: number
  /** How much there is to learn from the cells that were seen. */
  readonly variety: "none" | "constant" | "some"
  /** Declared levels that no cell held; none of a column that is `known`, whose earlier rows may have held them. */
  readonly unmet?: readonly Level[] | undefined
  /** Of steps: what their columns showed, and how many steps there were. */
  readonly within?: {
    readonly uses: readonly Use[]
    readonly found: readonly Explored[]
    readonly steps: number
  }
}

/** With `known`, the column as an earlier model holds it: numbers keep their units, levels and words are added behind. `remember`: cells are in memory. */
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
      return levels(column, need, use.role === "label", classFactor(weighting, column), known)
    case "bag":
      return words(column, need, known, scaling, remember)
    case "steps":
      // what is remembered of texts goes by rows
      return stepsExplorer({ ...use, need }, known, (inner, before) =>
        explorer(inner, NO_WEIGHTS, before, scaling),
      )
    default:
      return need satisfies never
  }
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

/** A column that holds a number now. */
function withoutEmpty(column: Column): Column {
  if (column.kind !== "number" || !column.empty) return column
  const { empty: _, ...filled } = column
  return filled
}

/** Half of the largest double: the difference of two such numbers is still a number. */
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
    found() {
      const found = moments.found()
      const variety = found.weight === 0 ? "none" : found.spread === 0 ? "constant" : "some"
      return { column: column(found), missing, variety }
    },
  }
}

/** Numbers that were met, by their last bits. */
const LAST_BITS = 1023

/** The end of the run of numbers that were met, four at a time: the last ones may be left to who looks at each. */
function metRun(doubles: Float64Array, from: number, to: number, met: Float64Array): number {
  const isMet = (x: number): boolean => met[x & LAST_BITS] === x
  let i = from
  while (
    i + 3 < to &&
    isMet(doubles[i]) &&
    isMet(doubles[i + 1]) &&
    isMet(doubles[i + 2]) &&
    isMet(doubles[i + 3])
  ) {
    i += 4
  }
  return i
}

function levels(
  name: string,
  need: Extract<Need, { kind: "level" }>,
  isLabel: boolean,
  factor: (name: string) => number,
  known: Column | undefined,
): Explorer {
  const found = new LevelSet(name)
  const before = known?.kind === "level" ? known.levels : []
  for (const level of before) found.add(level, -1)
  const declared = need.levels && new Map(need.levels.map(level => [String(level), level]))
  let met: Float64Array | undefined
  let binary: Level | undefined = before[0]
  let missing = 0
  if (need.levels && declared?.size !== need.levels.length) {
    throw new SufficeError(
      "model",
      `the declared levels of ${show(name)} repeat: ${list(need.levels)}. A description names each level once. Remove the repetition.`,
      { column: name },
    )
  }

  function undeclared(level: Level, row: number): SufficeError {
    return new SufficeError(
      "cell",
      `row ${row} of ${show(name)} holds ${show(level)}, which is not among the declared levels ${list(need.levels!)}. A level that is not declared cannot be learned. Add it to the levels, or put null.`,
      { row, column: name, value: level },
    )
  }

  function meet(level: Level, row: number): void {
    if (declared) {
      const other = declared.get(String(level))
      if (other === undefined || (other !== level && !need.named)) throw undeclared(level, row)
    }
    if (need.binary && typeof level !== "boolean" && level !== 0 && level !== 1) {
      throw new SufficeError(
        "cell",
        `row ${row} of ${show(name)} holds ${show(level)}. bernoulli() takes booleans, or 0 and 1. Convert the cell, or choose categorical().`,
        { row, column: name, value: level },
      )
    }
    binary ??= level
    if (need.binary && typeof binary !== typeof level) {
      throw new SufficeError(
        "cell",
        `row ${row} of ${show(name)} holds ${show(level)}, another row holds ${show(binary)}. bernoulli() takes booleans, or 0 and 1, but not both in one column. Convert the column to one of them.`,
        { row, column: name, value: level },
      )
    }
    found.add(level, row)
  }

  return {
    look(cells, weights, first) {
      const doubles = doublesOf(cells, 0, weights.length)
      for (let i = 0; i < weights.length; i++) {
        if (doubles) {
          met ??= new Float64Array(LAST_BITS + 1).fill(NaN)
          i = metRun(doubles, i, weights.length, met)
        }
        if (i === weights.length || weights[i] === 0) continue
        if (isLabel && isSoft(cells[i])) {
          for (const level of softLevels(cells[i], first + i, name, factor)!) {
            if (declared && !declared.has(level.name)) throw undeclared(level.name, first + i)
            found.addName(level.name)
          }
          continue
        }
        const level = levelCell(cells[i], first + i, name)
        if (level === undefined) {
          missing++
          continue
        }
        if (!found.has(level)) meet(level, first + i)
        if (doubles && met) met[doubles[i] & LAST_BITS] = doubles[i]
      }
    },
    found() {
      const seen = found.sorted()
      const variety = seen.length === 0 ? "none" : seen.length === 1 ? "constant" : "some"
      const met = new Set(need.levels && seen.map(String))
      const unmet = need.levels?.filter(level => !met.has(String(level)))
      return { column: { kind: "level", name, levels: levelsOf(seen) }, missing, variety, unmet }
    },
  }

  function levelsOf(seen: readonly Level[]): readonly Level[] {
    if (need.levels)
      return need.named ? need.levels.map(level => found.named(String(level))) : [...need.levels]
    if (need.binary) {
      if (before.length > 0) return before
      return seen.some(level => typeof level === "number") ? [0, 1] : [false, true]
    }
    if (seen.length === 0 && isLabel) {
      throw new SufficeError(
        "label",
        `all labels in ${show(name)} are missing and no levels are declared. How many classes there are cannot be guessed. Declare them: classes(${show(name)}, body, { levels: [ … ] }), or use mixture(k, body).`,
        { column: name },
      )
    }
    return [...before, ...seen.filter(level => !before.includes(level))]
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
    found: () => ({ column: found.column(name), missing, variety: found.seen ? "some" : "none" }),
  }
}
