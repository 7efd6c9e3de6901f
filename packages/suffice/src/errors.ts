/** One error class with a closed set of codes; other packages define their own of the same shape. Messages say what, why, and what to do. */

export type ErrorCode =
  | "cell" // a cell outside the family's support
  | "column" // a column that does not exist
  | "data" // no rows, ragged columns, something that is not data
  | "label" // labels that cannot be learned from
  | "model" // models that cannot be combined like this
  | "option" // an option outside its range
  | "parameters" // described parameters that do not fit the model
  | "saved" // a saved model that cannot be read
  | "checkpoint" // a checkpoint that cannot be read, or belongs elsewhere
  | "size" // more than memory holds, or sums beyond the range of numbers
  | "threads" // workers that cannot take the work, or have died
  | "target" // a column that cannot be the target
  | "weight" // weights that are not weights

/** An error with a code for programs; `details` has the values of its message. */
export class CodedError<Code extends string = string> extends Error {
  readonly code: Code
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: Code,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
    this.code = code
    this.details = details
  }
}

export class SufficeError extends CodedError<ErrorCode> {
  override readonly name = "SufficeError"
}

/** How a value looks in a message: short, and with its type visible. */
export function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  if (typeof value === "bigint") return `${value}n`
  if (typeof value === "function") return "a function"
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value !== "object" || value === null) return String(value)
  const kind = Object.getPrototypeOf(value)?.constructor?.name
  if (typeof kind === "string" && kind !== "" && kind !== "Object")
    return `${/^[AEIO]/.test(kind) ? "an" : "a"} ${kind}`
  const keys = Object.keys(value).length
  return `an object with ${keys} ${keys === 1 ? "key" : "keys"}`
}

/** The names closest to a misspelt one, best first: those within a third of its length in edits, with a letter in common. */
export function nearest(name: string, names: Iterable<string>): string[] {
  const lower = name.toLowerCase()
  return [...names]
    .map(candidate => ({ candidate, edits: edits(lower, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => {
      const longest = Math.max(name.length, candidate.length)
      return edits <= Math.max(1, longest / 3) && edits < longest
    })
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/** Letters to insert, remove, replace, or swap with their neighbour (Damerau 1964). */
function edits(a: string, b: string): number {
  let older: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) row[j] = Math.min(row[j], older[j - 2] + 1)
    }
    older = previous
    previous = row
  }
  return previous[b.length]
}

/** "a", "b" and "c": for messages. Numbers and booleans are not quoted. */
export function list(names: Iterable<string | number | boolean>, most = 8): string {
  const all = [...names].map(name => JSON.stringify(name))
  const shown = all.slice(0, most)
  if (all.length > most) return `${shown.join(", ")} and ${all.length - most} more`
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown[shown.length - 1]}`
}

/** A cell that is not a bag of words. */
export function notABag(cell: unknown, row: number, column: string): SufficeError {
  return new SufficeError(
    "cell",
    `row ${row} of ${show(column)} holds ${show(cell)}. A bag of words is text, a list of words, or { word: count } or a Map with counts ≥ 0. Pass one of these, or null.`,
    { row, column, value: cell },
  )
}

/** A column that is modelled given others, in a row that lacks one of them. */
export function unreadable(
  at: { readonly row: number; readonly step?: number },
  column: string,
  read: string,
  all: readonly string[],
): SufficeError {
  return new SufficeError(
    "cell",
    `row ${at.row}${at.step === undefined ? "" : `, step ${at.step}`}: ${show(column)} is modelled given ${show(read)}, which is missing or asked for. A regression speaks of ${show(column)} alone, and only given ${show(read)}. Fill ${show(read)}, drop the row, or use normal(${JSON.stringify([...all, column])}), which has the same conditional.`,
    { ...at, column, read },
  )
}

/** A question about a column of steps, of which a row has many. */
export function manyInRow(column: string, steps: string): SufficeError {
  return new SufficeError(
    "target",
    `${show(column)} stands in the steps of ${show(steps)}, so that a row has many of it. A target has one value in each row. Name a column outside of the steps, or give the steps as rows to a model of their own.`,
    { column, steps },
  )
}

/** A column made of the neighbours of a step, where there are no steps. */
export function noNeighbours(column: string): SufficeError {
  return new SufficeError(
    "model",
    `window: ${show(column)} is made of a step and its neighbours, and stands outside of steps. The rows of a table are no neighbours. Put the window into the body of chain(…) or plate(…).`,
    { column },
  )
}

/** The last sentence of a message about an unknown name: it suggests similar ones. */
export function didYouMean(near: readonly string[], otherwise: string): string {
  return near.length > 0 ? `Did you mean ${list(near)}?` : otherwise
}

/** An invalid option; `rest` says why, and what to do. */
export function wrongOption(where: string, option: string, value: unknown, rest: string): SufficeError {
  return new SufficeError("option", `${where}: ${option} is ${show(value)}. ${rest}`, { option, value })
}

/** Options must be an object, if given. */
export function given<Options extends object>(where: string, options: Options): Options {
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return options
  throw new SufficeError(
    "option",
    `${where}: the options are ${show(options)}. Each has a name, so they come as an object. Pass { name: value }, or leave them out.`,
    { value: options },
  )
}

/** A misspelt option would otherwise be silently ignored. */
export function refuseUnknown(where: string, options: object, known: readonly string[]): void {
  given(where, options)
  // not Object.keys, which allocates an array for every call
  for (const name in options) {
    if (known.includes(name)) continue
    throw new SufficeError(
      "option",
      `${where}: there is no option ${show(name)}. It knows ${list(known)}. ${didYouMean(nearest(name, known), "Leave it out.")}`,
      { option: name, known },
    )
  }
}
