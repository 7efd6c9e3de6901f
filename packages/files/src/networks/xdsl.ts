/**
 * XDSL, the format of GeNIe and SMILE.
 *
 *     <cpt id="grass"><state id="dry" /><state id="wet" /><parents>rain</parents><probabilities>.9 .1 .2 .8</probabilities></cpt>
 *     <deterministic id="alarm"> … <resultingstates>off on</resultingstates></deterministic>
 *
 * The own level is innermost. Ids are identifiers: other names are written under one, with the true names in properties.
 */
import { listed, quoted } from "../errors.ts"
import { identifiers } from "./hugin.ts"
import {
  checkedTables,
  innermost,
  type NetworkTables,
  type RawColumn,
  type RawTable,
  wrong,
} from "./tables.ts"
import { all, type Element, escaped, lineOf, numbersIn, readXml } from "./xml.ts"

const NAME = "suffice_name"
const LEVELS = "suffice_levels"

export function readXdsl(text: string, file: string): NetworkTables {
  const root = readXml(text, file)
  const [nodes] = all(root, "nodes")
  if (root.name.toLowerCase() !== "smile" || !nodes)
    throw wrong(
      file,
      1,
      `its outermost element is <${root.name}>${root.name.toLowerCase() === "smile" ? " without <nodes>" : ""}. XDSL is <smile> with <nodes>. Check whether it is of another format.`,
    )
  const trueNames = new Map<string, string>()
  for (const node of nodes.children)
    trueNames.set(node.attributes.id ?? "", property(node, NAME) ?? node.attributes.id ?? "")
  const document: Document = { text, file, trueNames }
  const read = nodes.children.map(node => readNode(document, node))
  return checkedTables(
    file,
    root.attributes.id ?? "network",
    read.map(({ column }) => column),
    read.map(({ table }) => table),
  )
}

/** A document, and the names behind its ids. */
interface Document {
  readonly text: string
  readonly file: string
  readonly trueNames: ReadonlyMap<string, string>
}

function readNode(document: Document, node: Element): { column: RawColumn; table: RawTable } {
  const { text, file, trueNames } = document
  const kind = node.name.toLowerCase()
  const id = node.attributes.id ?? ""
  const line = (): number => lineOf(text, node.place)
  if (kind !== "cpt" && kind !== "deterministic")
    throw wrong(
      file,
      line(),
      `the node ${quoted(id)} is a <${node.name}>. Only <cpt> and <deterministic> are read: columns with levels and tables. Take it out, or turn it into a table.`,
    )
  const ids = all(node, "state").map(({ attributes }) => attributes.id ?? "")
  const name = trueNames.get(id)!
  const numbers =
    kind === "cpt"
      ? numbersIn(wordsIn(node, "probabilities").join(" "), file, line, name)
      : resultingStates(file, node, ids, name, line)
  const column: RawColumn = {
    name,
    levels: trueLevels(property(node, LEVELS), ids),
    get line() {
      return line()
    },
  }
  const table: RawTable = {
    of: name,
    parents: wordsIn(node, "parents").map(parent => trueNames.get(parent) ?? parent),
    get line() {
      return line()
    },
    numbers: sizes =>
      numbers.length === sizes.configurations * sizes.levels.length
        ? Float64Array.from(numbers)
        : innermost(file, line(), name, numbers)(sizes),
  }
  return { column, table }
}

/** Probability 1 for the resulting state of each configuration. */
function resultingStates(
  file: string,
  node: Element,
  ids: readonly string[],
  name: string,
  line: () => number,
): number[] {
  return wordsIn(node, "resultingstates").flatMap(state => {
    const at = ids.indexOf(state)
    if (at < 0)
      throw wrong(
        file,
        line(),
        `${quoted(state)} is no state of ${quoted(name)}, which has ${listed(ids)}. Correct it.`,
      )
    return ids.map((_, l) => (l === at ? 1 : 0))
  })
}

function property(node: Element, id: string): string | undefined {
  return all(node, "property").find(({ attributes }) => attributes.id === id)?.text
}

function wordsIn(node: Element, name: string): string[] {
  return all(node, name)
    .flatMap(({ text }) => text.split(/\s+/))
    .filter(Boolean)
}

function trueLevels(said: string | undefined, ids: readonly string[]): readonly string[] {
  try {
    const levels: unknown = said === undefined ? undefined : JSON.parse(said)
    const fits =
      Array.isArray(levels) &&
      levels.length === ids.length &&
      levels.every(level => typeof level === "string")
    return fits ? (levels as string[]) : ids
  } catch {
    return ids
  }
}

export function writeXdsl({ name, columns }: NetworkTables): string {
  const ids = identifiers(columns.map(column => column.name))
  const network = identifiers([name]).get(name)
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<smile version="1.0" id="${network}" numsamples="10000">`,
    "  <nodes>",
  ]
  // SMILE reads parents before their children
  for (const { name: own, levels, parents, probabilities } of parentsFirst(columns)) {
    const states = identifiers(levels)
    lines.push(`    <cpt id="${ids.get(own)}">`)
    for (const level of levels) lines.push(`      <state id="${states.get(level)}" />`)
    if (parents.length > 0)
      lines.push(`      <parents>${parents.map(parent => ids.get(parent)).join(" ")}</parents>`)
    lines.push(`      <probabilities>${[...probabilities].join(" ")}</probabilities>`)
    if (ids.get(own) !== own) lines.push(`      <property id="${NAME}">${escaped(own)}</property>`)
    if (levels.some(level => states.get(level) !== level))
      lines.push(`      <property id="${LEVELS}">${escaped(JSON.stringify(levels))}</property>`)
    lines.push("    </cpt>")
  }
  return `${[...lines, "  </nodes>", "</smile>"].join("\n")}\n`
}

function parentsFirst(columns: NetworkTables["columns"]): NetworkTables["columns"][number][] {
  const byName = new Map(columns.map(column => [column.name, column]))
  const placed = new Set<string>()
  const order: NetworkTables["columns"][number][] = []
  const visit = (name: string): void => {
    if (placed.has(name)) return
    placed.add(name)
    const column = byName.get(name)!
    for (const parent of column.parents) visit(parent)
    order.push(column)
  }
  for (const { name } of columns) visit(name)
  return order
}
