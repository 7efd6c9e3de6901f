/** A Bayesian network of columns with levels, as files hold it: for every column its levels, its parents and a table. */
import { counted, FileError, grouped, listed, quoted } from "../errors.ts"

/** One column of a network in a file: its levels, its parents and its table. */
export interface NetworkColumn {
  readonly name: string
  readonly levels: readonly string[]
  readonly parents: readonly string[]
  /** p(level | configuration), at configuration · levels + level; the first parent is outermost. */
  readonly probabilities: Float64Array
}

/** A network as a file holds it. */
export interface NetworkTables {
  readonly name: string
  readonly columns: readonly NetworkColumn[]
}

/** What a reader has of a column before it is checked. */
export interface RawColumn {
  readonly name: string
  readonly levels: readonly string[]
  readonly line: number
}

/** The table of a column before it is checked. */
export interface RawTable {
  readonly of: string
  readonly parents: readonly string[]
  readonly line: number
  /** The numbers in the order of NetworkColumn.probabilities, once the sizes are known; `configurations` · `levels` of them. */
  numbers(sizes: Sizes): Float64Array
}

export interface Sizes {
  readonly levels: readonly string[]
  /** The levels of each parent. */
  readonly parents: readonly (readonly string[])[]
  readonly configurations: number
}

/** Numbers of one table. */
const MOST_NUMBERS = 1 << 26
/** Probabilities in files are rounded, and made to sum to 1; sums that are farther off are no roundings. */
const MOST_OFF = 0.01

/** An error in a file, with its line. */
export function wrong(file: string, line: number, sentence: string): FileError {
  return new FileError("format", `${quoted(file, 200)}, line ${grouped(line)}: ${sentence}`, {
    path: file,
    line,
  })
}

/** The tables of a file, each checked: known parents, the right length, probabilities that sum to 1. */
export function checkedTables(
  file: string,
  name: string,
  raw: readonly RawColumn[],
  tables: readonly RawTable[],
): NetworkTables {
  const columns = new Map<string, RawColumn>()
  for (const column of raw) {
    if (columns.has(column.name))
      throw wrong(
        file,
        column.line,
        `the column ${quoted(column.name)} is declared twice. Remove one of the two.`,
      )
    if (column.levels.length === 0)
      throw wrong(
        file,
        column.line,
        `the column ${quoted(column.name)} has no levels. A column has at least one. List them.`,
      )
    const twice = column.levels.find((level, l) => column.levels.indexOf(level) !== l)
    if (twice !== undefined)
      throw wrong(
        file,
        column.line,
        `the column ${quoted(column.name)} has the level ${quoted(twice)} twice. Name it once.`,
      )
    columns.set(column.name, column)
  }
  if (columns.size === 0) {
    throw new FileError(
      "format",
      `${quoted(file, 200)} declares no columns. A network has at least one. Check whether it was written to its end, or is of another format.`,
      { path: file },
    )
  }
  const found = new Map<string, NetworkColumn>()
  for (const table of tables) found.set(table.of, checkedTable(file, table, columns, found))
  for (const { name: own, line } of columns.values())
    if (!found.has(own))
      throw wrong(
        file,
        line,
        `the column ${quoted(own)} has no table. Every column of a network has its probabilities. Check whether the file was written to its end.`,
      )
  return { name, columns: [...columns.keys()].map(own => found.get(own)!) }
}

function checkedTable(
  file: string,
  table: RawTable,
  columns: ReadonlyMap<string, RawColumn>,
  found: ReadonlyMap<string, NetworkColumn>,
): NetworkColumn {
  const { of, parents, line } = table
  const say = (sentence: string): FileError => wrong(file, line, sentence)
  const known = (name: string): RawColumn => {
    const column = columns.get(name)
    if (column) return column
    throw say(
      `the table of ${quoted(of)} names ${quoted(name)}, which is declared nowhere. The file declares ${listed([...columns.keys()])}. Declare it, or take it out.`,
    )
  }
  const { levels } = known(of)
  if (found.has(of)) throw say(`${quoted(of)} has a second table. Remove one of the two.`)
  if (new Set([of, ...parents]).size <= parents.length)
    throw say(
      `the table of ${quoted(of)} names a column twice. A column is given others, each once. Take the repetition out.`,
    )
  const sizes = parents.map(parent => known(parent).levels)
  const configurations = sizes.reduce((product, each) => product * each.length, 1)
  if (configurations * levels.length > MOST_NUMBERS) {
    throw say(
      `the table of ${quoted(of)} would have ${grouped(configurations * levels.length)} numbers, more than the ${grouped(MOST_NUMBERS)} that are read: it has ${counted(levels.length, "level")} and ${counted(parents.length, "parent")} with ${grouped(configurations)} configurations. Give it fewer parents, or pool levels.`,
    )
  }
  const probabilities = table.numbers({ levels, parents: sizes, configurations })
  for (let c = 0; c < configurations; c++) {
    let sum = 0
    for (let l = 0; l < levels.length; l++) {
      const p = probabilities[c * levels.length + l]
      if (!(p >= 0 && p < Infinity))
        throw say(
          `the table of ${quoted(of)} holds ${p} for ${quoted(levels[l])}${where(parents, sizes, c)}. A probability is a number from 0 to 1. Correct it.`,
        )
      sum += p
    }
    if (Math.abs(sum - 1) > MOST_OFF)
      throw say(
        `the probabilities of ${quoted(of)}${where(parents, sizes, c)} sum to ${Number(sum.toPrecision(6))}. They must sum to 1; only roundings are evened out. Correct them.`,
      )
    // sums of doubles are off by as much themselves: what was read before stays as it is
    if (Math.abs(sum - 1) <= 1e-12) continue
    for (let l = 0; l < levels.length; l++) probabilities[c * levels.length + l] /= sum
  }
  return { name: of, levels, parents, probabilities }
}

function where(
  parents: readonly string[],
  sizes: readonly (readonly string[])[],
  configuration: number,
): string {
  let rest = configuration
  const said: string[] = []
  for (let j = parents.length - 1; j >= 0; j--) {
    said.unshift(`${parents[j]} = ${sizes[j][rest % sizes[j].length]}`)
    rest = Math.floor(rest / sizes[j].length)
  }
  return said.length === 0 ? "" : ` given ${said.join(", ")}`
}

/** A table of the wrong length. */
export function wrongLength(file: string, line: number, of: string, has: number, needs: number): FileError {
  return wrong(
    file,
    line,
    `the table of ${quoted(of)} has ${counted(has, "number")}, and needs ${grouped(needs)}: one for each level and configuration of its parents. Check whether the file was cut off, or a parent is missing.`,
  )
}

/** Numbers that stand in the file as NetworkColumn.probabilities has them: the own level innermost. */
export function innermost(
  file: string,
  line: number,
  of: string,
  numbers: readonly number[],
): (sizes: Sizes) => Float64Array {
  return ({ levels, configurations }) => {
    if (numbers.length !== levels.length * configurations)
      throw wrongLength(file, line, of, numbers.length, levels.length * configurations)
    return Float64Array.from(numbers)
  }
}
