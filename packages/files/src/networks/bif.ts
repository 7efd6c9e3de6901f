/**
 * BIF, the interchange format of the Bayesian network repository.
 *
 *     network name { }
 *     variable rain { type discrete [ 2 ] { no, yes }; }
 *     probability ( grass | rain, sprinkler ) { (no, off) 0.9, 0.1;  default 0.1, 0.9; }
 *     probability ( rain ) { table 0.8, 0.2; }
 *
 * A `table` with parents has the column's own level outermost (BIF 0.15; pyAgrum and pgmpy read it so). Names may be quoted, and hold any
 * character but the marks; `property` is skipped; commas may be left out between numbers.
 */
import { counted, listed, quoted } from "../errors.ts"
import {
  checkedTables,
  type NetworkTables,
  type RawColumn,
  type RawTable,
  type Sizes,
  wrong,
  wrongLength,
} from "./tables.ts"
import { Tokens } from "./tokens.ts"

const MARKS = "{}()[],;|"

export function readBif(text: string, file: string): NetworkTables {
  const tokens = new Tokens(file, text, MARKS, "//")
  let name = "network"
  const columns: RawColumn[] = []
  const tables: RawTable[] = []
  while (!tokens.isAtEnd) {
    const { text: word, line } = tokens.take("a declaration")
    const kind = word.toLowerCase()
    if (kind === "network") {
      if (!tokens.sees("{")) name = tokens.take("the name of the network").text
      skipBody(tokens)
    } else if (kind === "variable") columns.push(variableOf(tokens))
    else if (kind === "probability") tables.push(probabilityOf(tokens, line))
    else
      throw wrong(
        file,
        line,
        `${quoted(word)} stands where a declaration begins. BIF has "network", "variable" and "probability". Check the brackets before, or whether the file is of another format.`,
      )
  }
  return checkedTables(file, name, columns, tables)
}

/** A body of properties. */
function skipBody(tokens: Tokens): void {
  tokens.expect("{", "after the name")
  while (!tokens.skip("}")) tokens.take('"}"')
}

function skipProperty(tokens: Tokens): boolean {
  if (!tokens.skip("property")) return false
  while (!tokens.skip(";")) {
    // in some files a property ends with its line
    if (tokens.sees("}")) return true
    tokens.take('";"')
  }
  return true
}

function variableOf(tokens: Tokens): RawColumn {
  const { text: name, line } = tokens.take("the name of a variable")
  const where = `in the variable ${quoted(name)}`
  const levels: string[] = []
  tokens.expect("{", where)
  while (!tokens.skip("}")) {
    if (skipProperty(tokens)) continue
    tokens.expect("type", where)
    const type = tokens.take("its type")
    if (type.text.toLowerCase() !== "discrete")
      throw wrong(
        tokens.file,
        type.line,
        `the variable ${quoted(name)} is of type ${quoted(type.text)}. Only "discrete" ones have tables. Give it levels, or take it out.`,
      )
    tokens.expect("[", where)
    const count = tokens.number(where)
    tokens.expect("]", where)
    tokens.expect("{", where)
    while (!tokens.skip("}")) {
      if (tokens.skip(",")) continue
      levels.push(tokens.take("a level").text)
    }
    tokens.expect(";", where)
    if (count !== levels.length)
      throw wrong(
        tokens.file,
        line,
        `the variable ${quoted(name)} says that it has ${count} levels, and lists ${levels.length}: ${listed(levels)}. Correct one of the two.`,
      )
  }
  return { name, levels, line }
}

interface Entry {
  readonly kind: "table" | "default" | "row"
  readonly levels: readonly string[]
  readonly numbers: readonly number[]
  readonly line: number
}

function probabilityOf(tokens: Tokens, line: number): RawTable {
  tokens.expect("(", 'after "probability"')
  const names: string[] = []
  while (!tokens.skip(")")) {
    if (tokens.skip(",") || tokens.skip("|")) continue
    names.push(tokens.take("the name of a variable").text)
  }
  if (names.length === 0)
    throw wrong(
      tokens.file,
      line,
      "a table names no variable. Write for example probability ( rain | season ).",
    )
  const [of, ...parents] = names
  const where = `in the table of ${quoted(of)}`
  const entries: Entry[] = []
  tokens.expect("{", where)
  while (!tokens.skip("}")) {
    if (tokens.skip(";") || skipProperty(tokens)) continue
    const at = tokens.line
    if (tokens.skip("table"))
      entries.push({ kind: "table", levels: [], numbers: numbersOf(tokens, where), line: at })
    else if (tokens.skip("default"))
      entries.push({ kind: "default", levels: [], numbers: numbersOf(tokens, where), line: at })
    else {
      tokens.expect("(", where)
      const levels: string[] = []
      while (!tokens.skip(")")) {
        if (tokens.skip(",")) continue
        levels.push(tokens.take("a level").text)
      }
      entries.push({ kind: "row", levels, numbers: numbersOf(tokens, where), line: at })
    }
  }
  return { of, parents, line, numbers: sizes => filled(tokens.file, of, parents, line, entries, sizes) }
}

function numbersOf(tokens: Tokens, where: string): number[] {
  const numbers: number[] = []
  while (!tokens.skip(";")) {
    if (tokens.skip(",")) continue
    numbers.push(tokens.number(where))
  }
  return numbers
}

function filled(
  file: string,
  of: string,
  parents: readonly string[],
  line: number,
  entries: readonly Entry[],
  { levels, parents: sizes, configurations }: Sizes,
): Float64Array {
  const L = levels.length
  const out = new Float64Array(configurations * L).fill(Number.NaN)
  const places = sizes.map(each => new Map(each.map((level, l) => [level, l])))
  let filledRows = 0
  const put = (c: number, numbers: readonly number[]): void => {
    if (out[c * L] !== out[c * L]) filledRows++
    for (let l = 0; l < L; l++) out[c * L + l] = numbers[l]
  }
  for (const { kind, numbers, line: at } of entries) {
    const needs = kind === "table" ? configurations * L : L
    if (numbers.length !== needs) throw wrongLength(file, at, of, numbers.length, needs)
    if (kind === "default") for (let c = 0; c < configurations; c++) put(c, numbers)
    if (kind === "table") {
      for (let c = 0; c < configurations; c++)
        put(
          c,
          Array.from({ length: L }, (_, l) => numbers[l * configurations + c]),
        )
    }
  }
  for (const { kind, levels: named, numbers, line: at } of entries) {
    if (kind !== "row") continue
    if (named.length !== parents.length)
      throw wrong(
        file,
        at,
        `a row of the table of ${quoted(of)} names ${counted(named.length, "level")}, and it has ${counted(parents.length, "parent")}. Name a level of each.`,
      )
    let c = 0
    named.forEach((level, j) => {
      const place = places[j].get(level)
      if (place === undefined)
        throw wrong(
          file,
          at,
          `${quoted(level)} is no level of ${quoted(parents[j])}, which has ${listed(sizes[j])}. Correct it.`,
        )
      c = c * sizes[j].length + place
    })
    put(c, numbers)
  }
  if (filledRows < configurations)
    throw wrong(
      file,
      line,
      `the table of ${quoted(of)} has probabilities for ${filledRows} of ${configurations} configurations of its parents. Give the others, or a default. Check whether the file was written to its end.`,
    )
  return out
}

/** As the repository writes it: a row for every configuration. */
export function writeBif({ name, columns }: NetworkTables): string {
  const lines = [`network ${word(name)} {`, "}"]
  for (const { name: own, levels } of columns)
    lines.push(
      `variable ${word(own)} {`,
      `  type discrete [ ${levels.length} ] { ${levels.map(word).join(", ")} };`,
      "}",
    )
  const byName = new Map(columns.map(column => [column.name, column]))
  for (const { name: own, levels, parents, probabilities } of columns) {
    const L = levels.length
    const row = (c: number): string => [...probabilities.subarray(c * L, c * L + L)].join(", ")
    lines.push(`probability ( ${[word(own), parents.map(word).join(", ")].filter(Boolean).join(" | ")} ) {`)
    if (parents.length === 0) lines.push(`  table ${row(0)};`)
    const sizes = parents.map(parent => byName.get(parent)!.levels)
    for (let c = 0; parents.length > 0 && c < probabilities.length / L; c++)
      lines.push(`  (${configuration(sizes, c).map(word).join(", ")}) ${row(c)};`)
    lines.push("}")
  }
  return `${lines.join("\n")}\n`
}

/** The levels of a configuration, the first parent outermost. */
export function configuration(sizes: readonly (readonly string[])[], c: number): string[] {
  const levels: string[] = []
  let rest = c
  for (let j = sizes.length - 1; j >= 0; j--) {
    levels.unshift(sizes[j][rest % sizes[j].length])
    rest = Math.floor(rest / sizes[j].length)
  }
  return levels
}

const KEYWORDS = ["property", "table", "default", "type", "network", "variable", "probability"]

/** In quotes where it needs them. */
function word(text: string): string {
  const isPlain = /^[^\s{}()[\],;|"\\]+$/.test(text) && !text.startsWith("//") && !text.startsWith("/*")
  return isPlain && !KEYWORDS.includes(text.toLowerCase()) ? text : `"${text.replace(/[\\"]/g, "\\$&")}"`
}
