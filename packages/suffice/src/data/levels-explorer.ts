/** The first pass over a column of levels: which there are, and whether they are those that were declared. */
import type { Level } from "../contract/cells.ts"
import type { Column, Need } from "../contract/columns.ts"
import { list, SufficeError, show } from "../errors.ts"
import { LevelSet, levelCell } from "./cells.ts"
import { doublesOf } from "./doubles.ts"
import type { Explorer } from "./explore.ts"
import { isSoft, type SoftLevel, sharesOf, softLevels } from "./soft.ts"

/** Whose label it is; undefined: it is none. */
export type Labelling = "of rows" | "of steps"

/** A hash table of the numbers seen, by their last bits. */
const LAST_BITS = 1023

/** The end of the run of numbers already seen, four at a time; the caller checks the rest one by one. */
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

export function levelsExplorer(
  name: string,
  need: Extract<Need, { kind: "level" }>,
  labelling: Labelling | undefined,
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
  const isLabel = labelling !== undefined
  const beliefs = new Map<string, readonly SoftLevel[]>()
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

  function keep(soft: readonly SoftLevel[]): void {
    const key = JSON.stringify(soft)
    if (!beliefs.has(key)) beliefs.set(key, soft)
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
          const soft = softLevels(cells[i], first + i, name, factor)!
          for (const level of soft) {
            if (declared && !declared.has(level.name)) throw undeclared(level.name, first + i)
            found.addName(level.name)
          }
          if (labelling === "of steps") keep(soft)
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
    endChunk() {},
    endStretch() {},
    part: () => ({
      missing,
      levels: found.met(),
      names: [...found.names],
      ...(beliefs.size > 0 && { beliefs: [...beliefs.values()] }),
    }),
    join({ missing: more, levels = [], names = [], beliefs: others = [] }) {
      missing += more
      for (const [level, row] of levels) if (!found.has(level)) meet(level, row)
      for (const name of names) found.addName(name)
      for (const belief of others) keep(belief)
    },
    get missing() {
      return missing
    },
    found() {
      const seen = found.sorted()
      const variety = seen.length === 0 ? "none" : seen.length === 1 ? "constant" : "some"
      const met = new Set(need.levels && seen.map(String))
      const unmet = need.levels?.filter(level => !met.has(String(level)))
      const levels = levelsOf(seen)
      const codes = new Map(levels.map((level, code) => [String(level), code]))
      const column: Column = {
        kind: "level",
        name,
        levels,
        ...(beliefs.size > 0 && { beliefs: [...beliefs.values()].map(soft => sharesOf(soft, codes)) }),
      }
      return { column, missing, variety, unmet }
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
