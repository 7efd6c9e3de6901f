/** `load`: a saved model, fitted again. Everything is checked on the way in, and nothing in the file is run. */
import type { Cell, Column, FamilyKind, Level, Model, Use } from "../contract.ts"
import { type Laid, lay, priorOf, solve, withPrior } from "../engine/lay.ts"
import { list, nearest, SufficeError, show } from "../errors.ts"
import { families as known } from "../families/list.ts"
import { readSaved, type SavedParts } from "../saved/read.ts"
import { reviveModel, within } from "../structures/list.ts"
import { Fitted } from "./fitted.ts"

export interface LoadOptions {
  /** Families of your own that the model uses, beside those of the list. */
  readonly families?: readonly FamilyKind[]
}

/** The fitted model of a file: its text, or the object parsed from it. */
export function load<Cells = Record<string, Cell>, Target extends string = string>(
  json: unknown,
  options: LoadOptions = {},
): Fitted<Cells, Target> {
  const families = new Map([...known, ...familiesOf(options)].map(kind => [kind.name, kind]))
  const saved = readSaved(json)
  const { columns, labels, statistics: stats, prior, training, diagnostics } = saved
  const model = reviveModel(saved.model, { families, most: stats.length })
  checkColumns(model, saved)
  const laid = within("model", () => layWithin(model, columns, stats.length))
  if (laid.statistics !== stats.length) throw wrongLength(laid.statistics, stats.length)
  within("statistics", () => checkParameters(laid, stats, prior))
  return new Fitted<Cells, Target>({
    model,
    laid,
    schema: { columns, labels },
    stats,
    prior,
    training,
    diagnostics,
  })
}

function familiesOf(options: LoadOptions): readonly FamilyKind[] {
  for (const name of Object.keys(options)) {
    if (name === "families") continue
    throw new SufficeError(
      "option",
      `load: there is no option ${show(name)}. It knows "families". ${nearest(name, ["families"]).length > 0 ? 'Did you mean "families"?' : "Leave it out."}`,
      { option: name },
    )
  }
  const { families = [] } = options
  const isKind = (kind: unknown): boolean =>
    typeof (kind as FamilyKind)?.name === "string" && typeof (kind as FamilyKind).make === "function"
  const wrong = Array.isArray(families) ? families.findIndex(kind => !isKind(kind)) : undefined
  if (wrong === -1) return families
  throw new SufficeError(
    "option",
    `load: ${wrong === undefined ? `families is ${show(families)}` : `families[${wrong}] is ${show(families[wrong])}`}. It takes a list of kinds of families, each with a name and make(options). Write for example { families: [zipfKind] }.`,
    { option: "families" },
  )
}

/** The columns of the file are those the model uses, in the same order, each of the kind its family needs. */
function checkColumns({ uses }: Model, { columns, labels }: SavedParts): void {
  const seen = uses.filter(use => use.role !== "hidden")
  const names = columns.map(column => column.name)
  if (seen.length !== columns.length || seen.some((use, c) => use.column !== names[c])) {
    throw new SufficeError(
      "saved",
      `the model file describes ${names.length > 0 ? `the columns ${list(names)}` : "no columns"}, but its model uses ${list(seen.map(use => use.column))}. They must be the same, in the same order. Save the model again, or undo the change.`,
      { columns: names, uses: seen.map(use => use.column) },
    )
  }
  seen.forEach((use, c) => {
    const why = mismatch(use, columns[c])
    if (why === undefined) return
    throw new SufficeError(
      "saved",
      `the model file describes column ${show(use.column)} at columns[${c}] otherwise than its model uses it: ${why}. It was damaged, or changed by hand. Save the model again, or undo the change.`,
      { path: `columns[${c}]`, column: use.column },
    )
  })
  const used = seen.filter(use => use.role === "label").map(use => use.column)
  if (labels.length !== used.length || labels.some((label, l) => label !== used[l])) {
    throw new SufficeError(
      "saved",
      `the model file has ${labels.length > 0 ? `the labels ${list(labels)}` : "no labels"}, but its model switches on ${used.length > 0 ? list(used) : "none"}. They must be the same. Save the model again, or undo the change.`,
      { labels, uses: used },
    )
  }
}

/** How a column differs from what its use needs. */
function mismatch({ need, role }: Use, column: Column): string | undefined {
  if (need.kind !== column.kind) return `a ${show(need.kind)} there, a ${show(column.kind)} here`
  if (column.kind === "bag" && need.kind === "bag") {
    return column.text.lowercase === need.text.lowercase ? undefined : "the text options are different"
  }
  if (column.kind !== "level" || need.kind !== "level") return undefined
  if (need.levels !== undefined) {
    return same(need.levels, column.levels) ? undefined : "the levels are not the declared ones"
  }
  if (need.binary) {
    const binary = same([false, true], column.levels) || same([0, 1], column.levels)
    return binary ? undefined : "the levels are neither false and true nor 0 and 1"
  }
  return role === "label" && column.levels.length === 0 ? "a label needs at least one level" : undefined
}

function same(declared: readonly Level[], levels: readonly Level[]): boolean {
  return (
    Array.isArray(declared) &&
    declared.length === levels.length &&
    levels.every((level, l) => level === declared[l])
  )
}

/** Lay the model out, but stop as soon as it asks for more statistics than the file holds: before room is made for them. */
function layWithin(model: Model, columns: readonly Column[], most: number): Laid {
  let wanted = 0
  const bounded: Model = {
    ...model,
    lay: (plan, slots) =>
      model.lay(
        {
          column: name => plan.column(name),
          reserve(statistics, parameters) {
            wanted += statistics
            if (!(wanted <= most)) throw wrongLength(wanted, most)
            return plan.reserve(statistics, parameters)
          },
        },
        slots,
      ),
  }
  return lay(bounded, columns)
}

function wrongLength(wanted: number, found: number): SufficeError {
  return new SufficeError(
    "saved",
    `the model file has ${found} statistics, but its model needs ${wanted > found ? "at least " : ""}${wanted}. It was damaged, or changed by hand. Save the model again, or undo the change.`,
    { path: "statistics", wanted, found },
  )
}

function checkParameters(laid: Laid, stats: Float64Array, prior: number): void {
  const { params } = solve(laid, withPrior(stats, priorOf(laid), prior))
  if (params.every(value => value === value)) return
  throw new SufficeError(
    "saved",
    "the statistics of the model file make no parameters: some come out as NaN. They were damaged, or changed by hand. Save the model again, or undo the change.",
    { path: "statistics" },
  )
}
