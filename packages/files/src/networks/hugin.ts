/**
 * Hugin's .net.
 *
 *     net { name = "…"; }
 *     node rain { states = ("no" "yes"); }
 *     potential ( grass | rain sprinkler ) { data = ((( .9 .1 ) ( .2 .8 )) (( .1 .9 ) ( .01 .99 ))); }
 *
 * The own level is innermost; brackets within the data are for people. Fields that are not needed are skipped. Names that are no identifiers are written under another
 * one, with the true name in the field `suffice_name`.
 */
import { quoted } from "../errors.ts"
import {
  checkedTables,
  innermost,
  type NetworkTables,
  type RawColumn,
  type RawTable,
  wrong,
} from "./tables.ts"
import { Tokens } from "./tokens.ts"

const MARKS = "{}()=;|"

export function readHugin(text: string, file: string): NetworkTables {
  const tokens = new Tokens(file, text, MARKS, "%")
  let name = "network"
  const columns: RawColumn[] = []
  const tables: RawTable[] = []
  // names that are no identifiers
  const truly = new Map<string, string>()
  let depth = 0
  while (!tokens.isAtEnd) {
    if (depth > 0 && tokens.skip("}")) {
      depth--
      continue
    }
    const { text: word, line } = tokens.take("a declaration")
    const kind = word.toLowerCase()
    if (kind === "class") {
      name = tokens.take("the name of the class").text
      tokens.expect("{", "after the name of the class")
      depth++
    } else if (kind === "net") {
      const said = fieldsOf(tokens, "in the net").get("name")
      if (said?.[0]) name = said[0]
    } else if (kind === "node" || (kind === "discrete" && tokens.skip("node"))) {
      const own = tokens.take("the name of a node").text
      const fields = fieldsOf(tokens, `in the node ${quoted(own)}`)
      const trueName = fields.get("suffice_name")?.[0] ?? own
      truly.set(own, trueName)
      columns.push({ name: trueName, levels: fields.get("states") ?? [], line })
    } else if (kind === "potential") tables.push(potentialOf(tokens, line, truly))
    else if (depth > 0 && tokens.skip("=")) while (!tokens.skip(";")) tokens.take('";"')
    else
      throw wrong(
        file,
        line,
        `${quoted(word)} stands where a declaration begins. Nodes with levels are read ("net", "node", "potential"), and neither decisions, utilities nor continuous nodes. Take it out, or check the brackets before.`,
      )
  }
  return checkedTables(file, name, columns, tables)
}

/** name = value; value may be one word or a list in brackets. */
function fieldsOf(tokens: Tokens, where: string): Map<string, string[]> {
  const fields = new Map<string, string[]>()
  tokens.expect("{", where)
  while (!tokens.skip("}")) {
    const { text: field } = tokens.take(`a field ${where}`)
    tokens.expect("=", `after ${quoted(field)} ${where}`)
    const words: string[] = []
    while (!tokens.skip(";")) {
      const { text, isQuoted } = tokens.take('";"')
      if (isQuoted || !MARKS.includes(text)) words.push(text)
    }
    fields.set(field.toLowerCase(), words)
  }
  return fields
}

function potentialOf(tokens: Tokens, line: number, truly: ReadonlyMap<string, string>): RawTable {
  tokens.expect("(", 'after "potential"')
  const names: string[] = []
  while (!tokens.skip(")")) {
    if (tokens.skip("|")) continue
    const { text } = tokens.take("the name of a node")
    names.push(truly.get(text) ?? text)
  }
  if (names.length === 0)
    throw wrong(
      tokens.file,
      line,
      "a potential names no node. Write for example potential ( rain | season ).",
    )
  const [of, ...parents] = names
  const where = `in the table of ${quoted(of)}`
  let numbers: number[] | undefined
  tokens.expect("{", where)
  while (!tokens.skip("}")) {
    const { text: field, line: at } = tokens.take(`a field ${where}`)
    tokens.expect("=", `after ${quoted(field)} ${where}`)
    const isData = field.toLowerCase() === "data"
    if (field.toLowerCase() === "model_data" || field.toLowerCase() === "model_nodes")
      throw wrong(
        tokens.file,
        at,
        `the table of ${quoted(of)} is given by a formula, which is not read. Save it with its numbers.`,
      )
    if (isData) numbers = []
    while (!tokens.skip(";")) {
      if (!isData) tokens.take('";"')
      else if (!tokens.skip("(") && !tokens.skip(")")) numbers!.push(tokens.number(where))
    }
  }
  if (!numbers)
    throw wrong(
      tokens.file,
      line,
      `the table of ${quoted(of)} has no data. Every column of a network has its probabilities. Save it with its numbers.`,
    )
  return { of, parents, line, numbers: innermost(tokens.file, line, of, numbers) }
}

export function writeHugin({ columns }: NetworkTables): string {
  const ids = identifiers(columns.map(({ name }) => name))
  const quote = (text: string): string => `"${text.replace(/[\\"]/g, "\\$&")}"`
  const lines = ["net", "{", "}"]
  for (const { name, levels } of columns) {
    lines.push(`node ${ids.get(name)}`, "{", `  states = ( ${levels.map(quote).join(" ")} );`)
    if (ids.get(name) !== name) lines.push(`  label = ${quote(name)};`, `  suffice_name = ${quote(name)};`)
    lines.push("}")
  }
  const sizes = new Map(columns.map(({ name, levels }) => [name, levels.length]))
  for (const { name, levels, parents, probabilities } of columns) {
    const given = parents.length > 0 ? ` | ${parents.map(parent => ids.get(parent)).join(" ")}` : ""
    // as many brackets as there are variables
    const nested = (j: number, from: number, length: number): string => {
      if (j === parents.length)
        return `(${[...probabilities.subarray(from, from + levels.length)].join(" ")})`
      const size = sizes.get(parents[j])!
      const each = length / size
      return `(${Array.from({ length: size }, (_, l) => nested(j + 1, from + l * each, each)).join("\n   ")})`
    }
    lines.push(
      `potential ( ${ids.get(name)}${given} )`,
      "{",
      `  data = ${nested(0, 0, probabilities.length)};`,
      "}",
    )
  }
  return `${lines.join("\n")}\n`
}

/** Names as letters, digits and underscores, each its own. */
export function identifiers(names: readonly string[]): Map<string, string> {
  const ids = new Map<string, string>()
  const taken = new Set(names.filter(name => /^[A-Za-z_]\w*$/.test(name)))
  for (const name of names) {
    if (taken.has(name)) {
      ids.set(name, name)
      continue
    }
    const plain = name.replace(/\W/g, "_").replace(/^(?![A-Za-z_])/, "_")
    let id = plain
    for (let j = 2; taken.has(id); j++) id = `${plain}_${j}`
    taken.add(id)
    ids.set(name, id)
  }
  return ids
}
