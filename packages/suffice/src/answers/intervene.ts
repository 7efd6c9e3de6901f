/**
 * A model in which some columns are set from outside (Pearl 2009, Causality, chapter 3):
 *
 *     p(row | do(x = v)) = 1[x = v] · Π_{other columns} p(column | its parents)
 *
 * The columns keep their children and lose their parents; the parameters of all others stay as they are.
 */
import type { Level, Row } from "../contract/cells.ts"
import { binOf } from "../data/bins-explorer.ts"
import { arrowsIn, unknownColumn } from "../declare/arrows.ts"
import { answering, believing } from "../engine/believe.ts"
import { lay } from "../engine/lay.ts"
import { list, SufficeError, show, wrongOption } from "../errors.ts"
import { isHeld } from "../structures/network/held.ts"
import type { Knowledge } from "./knowledge.ts"

export function intervened(known: Knowledge, held: Row, where = "intervene"): Knowledge {
  if (typeof held !== "object" || held === null || Array.isArray(held) || Object.keys(held).length === 0) {
    throw wrongOption(
      where,
      where === "query" ? "do" : "what is set",
      held,
      'It says which columns are set, and to what. Write for example { sprinkler: "on" }.',
    )
  }
  const { model, schema, laid } = known
  const arrows = arrowsIn(model.spec)
  const values: Record<string, Level> = {}
  for (const [name, value] of Object.entries(held)) {
    if (!arrows.names.includes(name)) throw unknownColumn(where, name, arrows.names)
    if (arrows.hidden.includes(name)) throw hiddenColumn(where, name)
    values[name] = settingOf(known, where, name, value)
  }
  const declared = model.declared ?? model
  const found = declared.intervene?.(values)
  const missed = Object.keys(held).find(name => !found || !isHeld(found.spec, name))
  if (!found || missed !== undefined) throw notInNetwork(where, missed ?? Object.keys(held)[0])
  const changed = { ...found, target: model.target }
  const asked = model.beliefs ? believing(changed, model.beliefs, answering) : changed
  const next = lay(asked, schema.columns)
  const stats = new Float64Array(next.statistics)
  const spread = known.spread && new Float64Array(next.spreads)
  // the same parts in the same order; those that are held have no statistics
  next.parts.forEach((part, j) => {
    if (part.leaf.shape.statistics === 0) return
    part.ranges.statsOf(stats).set(laid.parts[j].ranges.statsOf(known.stats))
    if (spread) part.ranges.spreadOf(spread).set(laid.parts[j].ranges.spreadOf(known.spread!))
  })
  return { ...known, model: asked, laid: next, stats, spread, calibration: undefined }
}

/** The value as the column has it: a number that is modelled as levels is set to its interval. */
function settingOf({ schema }: Knowledge, where: string, name: string, value: unknown): Level {
  const column = schema.columns.find(column => column.name === name)!
  const isNumber = typeof value === "number" && Number.isFinite(value)
  if (column.kind === "number" && isNumber) return value
  if (column.kind === "level" && column.levels.includes(value as Level)) return value as Level
  if (column.kind === "level" && column.cuts && isNumber) return column.levels[binOf(column.cuts, value)]
  const can =
    column.kind === "level"
      ? `Its levels are ${list(column.levels)}. Set it to one of these.`
      : column.kind === "number"
        ? "It holds numbers. Set it to one."
        : "Only columns with levels, and numbers, can be set. Leave it out."
  throw new SufficeError("cell", `${where}: column ${show(name)} is set to ${show(value)}. ${can}`, {
    column: name,
    value,
  })
}

function hiddenColumn(where: string, name: string): SufficeError {
  return new SufficeError(
    "column",
    `${where}: column ${show(name)} is hidden. Nobody can set what nobody sees: its values have no meaning outside the model. Set a column of the data, or ask for what is given it: query({ of: …, given: { ${name}: 0 } }).`,
    { column: name },
  )
}

function notInNetwork(where: string, name: string): SufficeError {
  return new SufficeError(
    "model",
    `${where}: column ${show(name)} is no column of a network. Only arrows say what it depends on, and what is cut by setting it. If nothing leads to it, setting it is knowing it: give it in the rows. Otherwise declare network({ … }).`,
    { column: name },
  )
}
