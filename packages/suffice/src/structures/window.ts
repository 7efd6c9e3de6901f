/**
 * `window(parts)`: a bag of words that the door makes of the cells of a step and of its neighbours, for a tagger to learn from. Which cells, and as what, is saved with the model: a
 * question has the plain steps.
 */
import type { Bag, Level } from "../contract/cells.ts"
import type { Need } from "../contract/columns.ts"
import type { MadeCells, Reading } from "../contract/door.ts"
import type { Family } from "../contract/family.ts"
import type { Model } from "../contract/model.ts"
import type { Json } from "../contract/report.ts"
import { list, noNeighbours, refuseUnknown, show, wrongOption } from "../errors.ts"
import { multinomial } from "../families/multinomial.ts"
import { ends, FORMS, type WindowPart, windowCells } from "../families/window.ts"
import { asItIs, fieldsAt, recordAt, textAt } from "../shape.ts"
import { type StructureKind, within } from "./kind.ts"
import { isFamily, leafKind, leafModel } from "./leaf.ts"
import { windowTree } from "./window-tree.ts"

export interface WindowOptions {
  /** What the bag is called. */
  readonly column?: string
  /** The family of its words: multinomial() by default. */
  readonly family?: Family<Bag>
}

/** The columns that parts of a window read. */
type ReadBy<Part> = Part extends { readonly of: infer Of }
  ? Of extends readonly (infer Name)[]
    ? Name
    : Of
  : never

/** Words made of the cells of a step and of its neighbours. It stands in the body of a chain, or wherever steps are modelled. */
export function window<const Part extends WindowPart>(
  parts: readonly Part[],
  options: WindowOptions = {},
): Model<Record<ReadBy<Part> & string, Level>, never> {
  refuseUnknown("window", options, ["column", "family"])
  const { column = "features", family = multinomial() } = options
  if (typeof column !== "string")
    throw wrongOption("window", "column", column, 'It is a name for the words. Leave it out for "features".')
  if (!isFamily(family) || family.need.kind !== "bag") {
    throw wrongOption(
      "window",
      "family",
      isFamily(family) ? family.name : family,
      "A window makes words, so it takes a family over bags of words. Write for example multinomial({ prior: 0.1 }), or leave it out.",
    )
  }
  checkParts(parts)
  const made = windowCells(parts)
  if (made.from.includes(column))
    throw wrongOption(
      "window",
      "column",
      column,
      "The steps have a column of this name, which the window reads. Choose another for the words.",
    )
  const need: Need = { ...family.need, reading: withMade(family.need.reading, made, parts) }
  const leaf = leafModel({ ...family, need }, [column])
  const spec = { kind: "window", column, parts: parts as unknown as Json, family: family.name }
  return {
    ...leaf,
    kind: "window",
    spec: { ...spec, options: family.options },
    lay(plan, slots) {
      if (plan.steps.length === 0) throw noNeighbours(column)
      return leaf.lay(plan, slots)
    },
  }
}

/** The reading, of cells that are made. `parts` stand there for JSON: two windows are the same if it is the same. */
function withMade(reading: Reading, made: MadeCells, parts: readonly WindowPart[]): Reading {
  return {
    explore: (...asked) => reading.explore(...asked),
    encoder: column => reading.encoder(column),
    inOrder: (column, cell) => reading.inOrder(column, cell),
    forget: column => reading.forget(column),
    made: { ...made, toJSON: () => parts } as MadeCells,
  }
}

/** Neighbours farther away than this are a mistake. */
const FARTHEST = 100
const KEYS = ["of", "as", "length", "at", "ngrams"]

function checkParts(parts: readonly WindowPart[]): void {
  if (!Array.isArray(parts) || parts.length === 0)
    throw wrongOption(
      "window",
      "the list of parts",
      parts,
      'Each part says which cells become words. Write for example window([{ of: "word", at: [-2, 2] }]).',
    )
  parts.forEach((part: WindowPart, p) => {
    const where = `window: part ${p}`
    refuseUnknown(where, part, KEYS)
    const { of, as: form, at = 0, ngrams = 1 } = part
    const { length } = part as { readonly length?: unknown }
    const names: unknown = typeof of === "string" ? [of] : of
    if (!Array.isArray(names) || names.length === 0 || !names.every(name => typeof name === "string" && name))
      throw wrongOption(where, "of", of, 'It names the column, or several. Write for example { of: "word" }.')
    if (form !== undefined && !FORMS.includes(form))
      throw wrongOption(where, "as", form, `It is one of ${list(FORMS)}. Leave it out for the cell as it is.`)
    const isCut = form === "prefix" || form === "suffix"
    if (isCut ? !isRange(length, 1, FARTHEST) : length !== undefined)
      throw wrongOption(
        where,
        "length",
        length,
        isCut
          ? `It says how many characters a ${form} has, a whole number from 1 to ${FARTHEST} or the first and the last of several. Write for example { as: ${show(form)}, length: [1, 4] }.`
          : 'It goes with as: "prefix" or "suffix". Leave it out.',
      )
    if (!isRange(at, -FARTHEST, FARTHEST))
      throw wrongOption(
        where,
        "at",
        at,
        `It says which steps: a whole number from −${FARTHEST} to ${FARTHEST}, or the first and the last of several. Write for example { at: [-2, 2] }, or leave it out for the step itself.`,
      )
    const [first, last] = ends(at)
    if (!isRange(ngrams, 1, last - first + 1) || typeof ngrams !== "number")
      throw wrongOption(
        where,
        "ngrams",
        ngrams,
        `It says how many neighbouring cells are a word together, from 1 to the ${last - first + 1} that \`at\` spans. Widen \`at\`, or leave it out for single cells.`,
      )
  })
}

function isRange(value: unknown, least: number, most: number): boolean {
  const isWhole = (n: unknown): boolean =>
    Number.isInteger(n) && (n as number) >= least && (n as number) <= most
  return (
    isWhole(value) ||
    (Array.isArray(value) && value.length === 2 && value.every(isWhole) && value[0] <= value[1])
  )
}

/** A window, in a file and in a description. */
export const windowKind: StructureKind = {
  name: "window",
  tree: windowTree,

  revive(spec, revival, path) {
    const fields = { kind: textAt, column: textAt, parts: asItIs, family: textAt, options: recordAt }
    const { column, parts, family, options } = fieldsAt(spec, path, fields)
    const kind = revival.families.get(family)
    if (!kind) return leafKind.revive({ kind: "leaf", columns: [column], family, options }, revival, path)
    return within(path, () =>
      window(parts as WindowPart[], { column, family: kind.make(options as never, revival) as Family<Bag> }),
    )
  },

  names: spec => [spec.column as string],
  walk: ({ column, ...spec }, ...rest) => leafKind.walk({ ...spec, columns: [column as string] }, ...rest),
}
