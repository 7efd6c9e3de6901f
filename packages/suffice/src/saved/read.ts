/** A model file, read and checked part by part. The declaration in it is revived by structures/list.ts. */
import type { Column } from "../contract/columns.ts"
import type { Json } from "../contract/report.ts"
import { SufficeError, show } from "../errors.ts"
import { float64FromBase64 } from "../kernels/base64.ts"
import {
  asItIs,
  countAt,
  damaged,
  fieldsAt,
  finiteAt,
  isRecord,
  levelsAt,
  listAt,
  markAt,
  misshapen,
  namesAt,
  notNegativeAt,
  positiveAt,
  type Reader,
  textAt,
} from "../shape.ts"
import { decodePlain } from "./plain.ts"
import { FORMAT, VERSION } from "./save.ts"

export interface SavedParts {
  readonly model: Json
  readonly columns: readonly Column[]
  readonly labels: readonly string[]
  /** Not checked yet: a column of the model. */
  readonly target?: string
  readonly prior: number
  readonly statistics: Float64Array
  readonly spread?: Float64Array
  readonly belief?: true
  /** Not checked yet: history.ts reads them if they are needed. */
  readonly training: Json
  readonly diagnostics: Json
  /** Not checked yet: what is valid depends on the model. */
  readonly calibration?: Json
}

/** The parts of a model file, given its text or the parsed object. */
export function readSaved(json: unknown): SavedParts {
  const raw = typeof json === "string" ? parse(json) : json
  checkTag(raw)
  return fieldsAt(raw, "", PARTS, {
    target: textAt,
    belief: markAt,
    spread: statisticsAt,
    calibration: decodePlain,
  })
}

// ── text ───────────────────────────────────────────────────────────────────────────────────────────

function parse(text: string): unknown {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  if (bare.trim() === "") {
    throw new SufficeError("saved", "the model file is empty. There is no model in it. Save the model again.")
  }
  try {
    return JSON.parse(bare)
  } catch (error) {
    if (endsInTheMiddle(bare)) {
      throw new SufficeError(
        "saved",
        `the model file ends in the middle, after ${text.length} characters. It was cut when it was written or copied. Save the model again, or copy the whole file.`,
        { length: text.length },
      )
    }
    const reason = (error as Error).message
    if (bare.trimStart().startsWith("{")) throw damaged("is no longer JSON", { reason })
    throw new SufficeError(
      "saved",
      `the model file is not JSON: it begins with ${show(bare.slice(0, 20))}. A saved model is what JSON.stringify(fitted) wrote. Pass that text, not a file name.`,
      { reason },
    )
  }
}

/** Does the text start an object that never ends? Engines word this error differently, so it is checked here. */
function endsInTheMiddle(text: string): boolean {
  let open = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (inString) {
      if (character === "\\") i++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === "{" || character === "[") open++
    else if (character === "}" || character === "]") open--
  }
  return /^\s*\{/.test(text) && (inString || open > 0)
}

function checkTag(raw: unknown): void {
  if (ArrayBuffer.isView(raw)) {
    throw new SufficeError(
      "saved",
      `load was given bytes. It takes the text of a model file, or the object parsed from it. Decode them first: readFile(path, "utf8").`,
    )
  }
  if (!isRecord(raw) || raw.format !== FORMAT) {
    const found =
      isRecord(raw) && raw.format !== undefined ? `its format is ${show(raw.format)}` : `it is ${show(raw)}`
    throw new SufficeError(
      "saved",
      `this is not a saved Suffice model: ${found}. One begins with { "format": "suffice" }. Pass what JSON.stringify(fitted) wrote.`,
    )
  }
  const version = countAt(raw.version, "version", 1)
  if (version > VERSION) {
    throw new SufficeError(
      "saved",
      `the model file was written by a newer Suffice: its version is ${version}, this Suffice reads up to ${VERSION}. What the newer version means is not known here. Update Suffice.`,
      { version },
    )
  }
}

// ── parts ──────────────────────────────────────────────────────────────────────────────────────────

type Named = Readonly<Record<string, Reader>>

/** What a column of each kind holds besides its kind and name. */
const FIELDS: ReadonlyMap<unknown, Named> = new Map<Column["kind"], Named>([
  // cells are multiplied by 1/scale, which must be a number
  ["number", { shift: finiteAt, scale: (...at) => positiveAt(...at, 1e-308), variance: positiveAt }],
  ["count", { mean: notNegativeAt }],
  ["level", { levels: levelsAt }],
  // only the family knows which text options are valid together (families/bag.ts)
  ["bag", { words: namesAt, text: asItIs }],
  ["steps", { columns: columnsAt }],
])

/** And what it may hold: beliefs are in checkpoints of streams alone. */
const CHOICES: ReadonlyMap<unknown, Named> = new Map<Column["kind"], Named>([
  ["number", { empty: markAt, within: withinAt }],
  [
    "level",
    {
      beliefs: (value, path) => listAt(value, path, sharesAt),
      cuts: (value, path) => listAt(value, path, finiteAt),
    },
  ],
])

const PARTS = {
  format: textAt,
  version: countAt,
  model: decodePlain,
  columns: (value: unknown, path: string): Column[] => columnsAt(decodePlain(value, path), path),
  labels: (value: unknown, path: string) => namesAt(decodePlain(value, path), path),
  prior: (value: unknown, path: string) => notNegativeAt(decodePlain(value, path), path),
  statistics: statisticsAt,
  training: decodePlain,
  diagnostics: decodePlain,
}

/** Columns, without duplicates. */
export function columnsAt(value: unknown, path: string): Column[] {
  const columns = listAt(value, path, columnAt)
  namesAt(
    columns.map(column => column.name),
    path,
  )
  return columns
}

/** Returns the same object it checked, so that saving it again writes the same text. */
function columnAt(value: unknown, path: string): Column {
  if (!isRecord(value)) throw misshapen(path, value, "a column")
  const held = FIELDS.get(value.kind)
  if (!held)
    throw misshapen(`${path}.kind`, value.kind, 'one of "number", "count", "level", "bag" and "steps"')
  const fields = { kind: textAt, name: textAt, ...held }
  fieldsAt(value, path, fields, CHOICES.get(value.kind) ?? {})
  if (isRecord(value.within)) checkWithin(value, value.within, path)
  if (value.cuts !== undefined) checkCuts(value.cuts as number[], value.levels as unknown[], path)
  return value as Column
}

/** A level for each interval. */
function checkCuts(cuts: readonly number[], levels: readonly unknown[], path: string): void {
  if (cuts.length !== levels.length - 1 || cuts.some((cut, j) => j > 0 && !(cut > cuts[j - 1])))
    throw misshapen(`${path}.cuts`, cuts, `${levels.length - 1} numbers, each larger than the one before,`)
}

function sharesAt(value: unknown, path: string): number[] {
  return listAt(value, path, notNegativeAt)
}

/** The support of a number, and the pooled moments on it. */
function withinAt(value: unknown, path: string): unknown {
  return fieldsAt(value, path, {
    support: supportAt,
    mean: notNegativeAt,
    logMean: finiteAt,
    logVariance: notNegativeAt,
    restLogMean: finiteAt,
  })
}

/** Numbers on a part of the line are not shifted, and shares are not scaled. */
function checkWithin(column: Record<string, unknown>, within: Record<string, unknown>, path: string): void {
  if (column.shift !== 0)
    throw misshapen(`${path}.shift`, column.shift, "0, as its numbers live on a part of the line,")
  if (within.support !== "share") return
  if (column.scale !== 1) throw misshapen(`${path}.scale`, column.scale, "1, as its numbers are shares,")
  const mean = within.mean as number
  if (!(mean > 0 && mean < 1)) throw misshapen(`${path}.within.mean`, mean, "a number between 0 and 1")
}

function supportAt(value: unknown, path: string): unknown {
  if (value === "notNegative" || value === "positive" || value === "share") return value
  throw misshapen(path, value, 'one of "notNegative", "positive" and "share"')
}

function statisticsAt(value: unknown, path: string): Float64Array {
  const numbers = float64FromBase64(textAt(value, path))
  if (!numbers) throw misshapen(path, value, "base64 of whole doubles")
  const at = numbers.findIndex(number => !Number.isFinite(number))
  if (at >= 0) throw misshapen(`${path}[${at}]`, numbers[at], "a finite number")
  return numbers
}
