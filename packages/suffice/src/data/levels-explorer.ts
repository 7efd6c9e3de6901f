/** The first pass over a column of levels: collects them, and compares them with the declared ones. */
import type { Cell, Level } from "../contract/cells.ts"
import type { Column, Need } from "../contract/columns.ts"
import { list, SufficeError, show } from "../errors.ts"
import { LevelSet, levelCell } from "./cells.ts"
import { doublesOf } from "./doubles.ts"
import type { ColumnPart, Explored, Explorer } from "./explore.ts"
import { isSoft, type SoftLevel, sharesOf, softLevels } from "./soft.ts"

/** The unit that the label belongs to; undefined for a column that is not the label. */
export type Labelling = "of rows" | "of steps"

/** Mask of the last bits, the hash of a number. */
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
  need: LevelNeed,
  labelling: Labelling | undefined,
  factor: (name: string) => number,
  known: Column | undefined,
): Explorer {
  const declared = need.levels && new Map(need.levels.map(level => [String(level), level]))
  if (need.levels && declared?.size !== need.levels.length) throw repeatedLevels(name, need.levels)
  return new LevelsExplorer({ name, need, labelling, factor, declared }, known)
}

type LevelNeed = Extract<Need, { kind: "level" }>

interface LevelsTask {
  readonly name: string
  readonly need: LevelNeed
  readonly labelling: Labelling | undefined
  /** The class weight of a level, by name. */
  readonly factor: (name: string) => number
  readonly declared: ReadonlyMap<string, Level> | undefined
}

class LevelsExplorer implements Explorer {
  readonly #task: LevelsTask
  readonly #seen: LevelSet
  /** Levels of the model that is updated. */
  readonly #before: readonly Level[]
  /** Numbers seen lately, hashed by their last bits. */
  #met: Float64Array | undefined
  /** The first level of a binary column, whose type the others must have. */
  #binary: Level | undefined
  readonly #soft = new Map<string, readonly SoftLevel[]>()
  missing = 0

  constructor(task: LevelsTask, known: Column | undefined) {
    this.#task = task
    this.#seen = new LevelSet(task.name)
    this.#before = known?.kind === "level" ? known.levels : []
    for (const level of this.#before) this.#seen.add(level, -1)
    this.#binary = this.#before[0]
  }

  look(cells: ArrayLike<Cell>, weights: Float64Array, first: number): void {
    const { name, labelling } = this.#task
    const doubles = doublesOf(cells, 0, weights.length)
    for (let i = 0; i < weights.length; i++) {
      if (doubles) {
        this.#met ??= new Float64Array(LAST_BITS + 1).fill(NaN)
        i = metRun(doubles, i, weights.length, this.#met)
      }
      if (i === weights.length || weights[i] === 0) continue
      if (labelling !== undefined && isSoft(cells[i])) {
        this.#addSoft(cells[i], first + i)
        continue
      }
      const level = levelCell(cells[i], first + i, name)
      if (level === undefined) {
        this.missing++
        continue
      }
      if (!this.#seen.has(level)) this.#add(level, first + i)
      if (doubles && this.#met) this.#met[doubles[i] & LAST_BITS] = doubles[i]
    }
  }

  endChunk(): void {}

  endStretch(): void {}

  part(): ColumnPart {
    return {
      missing: this.missing,
      levels: this.#seen.met(),
      names: [...this.#seen.names],
      ...(this.#soft.size > 0 && { beliefs: [...this.#soft.values()] }),
    }
  }

  join({ missing, levels = [], names = [], beliefs = [] }: ColumnPart): void {
    this.missing += missing
    for (const [level, row] of levels) if (!this.#seen.has(level)) this.#add(level, row)
    for (const name of names) this.#seen.addName(name)
    for (const soft of beliefs) this.#keep(soft)
  }

  found(): Explored {
    const { name, need } = this.#task
    const seen = this.#seen.sorted()
    const variety = seen.length === 0 ? "none" : seen.length === 1 ? "constant" : "some"
    const met = new Set(need.levels && seen.map(String))
    const unmet = need.levels?.filter(level => !met.has(String(level)))
    const levels = this.#levelsOf(seen)
    const codes = new Map(levels.map((level, code) => [String(level), code]))
    const beliefs = [...this.#soft.values()].map(soft => sharesOf(soft, codes))
    const column: Column = { kind: "level", name, levels, ...(beliefs.length > 0 && { beliefs }) }
    return { column, missing: this.missing, variety, unmet }
  }

  #addSoft(cell: Cell, row: number): void {
    const { name, labelling, factor, declared, need } = this.#task
    const soft = softLevels(cell, row, name, factor)!
    for (const level of soft) {
      if (declared && !declared.has(level.name)) throw undeclared(name, need, level.name, row)
      this.#seen.addName(level.name)
    }
    if (labelling === "of steps") this.#keep(soft)
  }

  #keep(soft: readonly SoftLevel[]): void {
    const key = JSON.stringify(soft)
    if (!this.#soft.has(key)) this.#soft.set(key, soft)
  }

  #add(level: Level, row: number): void {
    const { name, need, declared } = this.#task
    if (declared) {
      const other = declared.get(String(level))
      if (other === undefined || (other !== level && !need.named)) throw undeclared(name, need, level, row)
    }
    if (need.binary) this.#checkBinary(level, row)
    else this.#binary ??= level
    this.#seen.add(level, row)
  }

  #checkBinary(level: Level, row: number): void {
    const { name } = this.#task
    if (typeof level !== "boolean" && level !== 0 && level !== 1) {
      throw new SufficeError(
        "cell",
        `row ${row} of ${show(name)} holds ${show(level)}. bernoulli() takes booleans, or 0 and 1. Convert the cell, or choose categorical().`,
        { row, column: name, value: level },
      )
    }
    this.#binary ??= level
    if (typeof this.#binary === typeof level) return
    throw new SufficeError(
      "cell",
      `row ${row} of ${show(name)} holds ${show(level)}, another row holds ${show(this.#binary)}. bernoulli() takes booleans, or 0 and 1, but not both in one column. Convert the column to one of them.`,
      { row, column: name, value: level },
    )
  }

  #levelsOf(seen: readonly Level[]): readonly Level[] {
    const { name, need, labelling } = this.#task
    if (need.levels) {
      return need.named ? need.levels.map(level => this.#seen.named(String(level))) : [...need.levels]
    }
    if (need.binary) {
      if (this.#before.length > 0) return this.#before
      return seen.some(level => typeof level === "number") ? [0, 1] : [false, true]
    }
    if (seen.length === 0 && labelling !== undefined) {
      throw new SufficeError(
        "label",
        `all labels in ${show(name)} are missing and no levels are declared. How many classes there are cannot be guessed. Declare them: classes(${show(name)}, body, { levels: [ … ] }), or use mixture(k, body).`,
        { column: name },
      )
    }
    return [...this.#before, ...seen.filter(level => !this.#before.includes(level))]
  }
}

function repeatedLevels(name: string, levels: readonly Level[]): SufficeError {
  return new SufficeError(
    "model",
    `the declared levels of ${show(name)} repeat: ${list(levels)}. A description names each level once. Remove the repetition.`,
    { column: name },
  )
}

function undeclared(name: string, { levels }: LevelNeed, level: Level, row: number): SufficeError {
  return new SufficeError(
    "cell",
    `row ${row} of ${show(name)} holds ${show(level)}, which is not among the declared levels ${list(levels!)}. A level that is not declared cannot be learned. Add it to the levels, or put null.`,
    { row, column: name, value: level },
  )
}
