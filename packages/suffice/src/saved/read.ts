/** A model file, read and checked part by part. The declaration in it is revived by structures/list.ts. */
import type { Column, Json } from "../contract.ts"
import { SufficeError, show } from "../errors.ts"
import { float64FromBase64 } from "../kernels/base64.ts"
import { fieldsAt, finiteAt, isRecord, levelsAt, listAt, misshapen, namesAt, textAt } from "../shape.ts"
import { decodePlain } from "./plain.ts"
import { FORMAT, VERSION } from "./save.ts"

export interface SavedParts {
  readonly model: Json
  readonly columns: readonly Column[]
  readonly labels: readonly string[]
  readonly prior: number
  readonly statistics: Float64Array
  /** Not checked yet: history.ts reads them where somebody wants to know. */
  readonly training: Json
  readonly diagnostics: Json
  /** Not checked yet: what it may say depends on the model. */
  readonly calibration: Json | undefined
}

const PARTS = ["model", "columns", "labels", "prior", "statistics", "training", "diagnostics"] as const

/** The parts of a model file: its text, or what JSON.parse made of it. */
export function readSaved(json: unknown): SavedParts {
  const raw = typeof json === "string" ? parse(json) : json
  checkTag(raw)
  const { statistics, ...others } = fieldsAt(raw, "", ["format", "version", ...PARTS], ["calibration"])
  const plain = (name: Exclude<(typeof PARTS)[number], "statistics">): Json => decodePlain(others[name], name)
  const columns = listAt(plain("columns"), "columns", columnAt)
  namesAt(
    columns.map(column => column.name),
    "columns",
  )
  return {
    model: plain("model"),
    columns,
    labels: namesAt(plain("labels"), "labels"),
    prior: notNegativeAt(plain("prior"), "prior"),
    statistics: statisticsAt(statistics),
    training: plain("training"),
    diagnostics: plain("diagnostics"),
    calibration:
      others.calibration === undefined ? undefined : decodePlain(others.calibration, "calibration"),
  }
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
    const begins = bare.trimStart().startsWith("{")
    throw new SufficeError(
      "saved",
      begins
        ? "the model file is no longer JSON. It was damaged, or changed by hand. Save the model again, or undo the change."
        : `the model file is not JSON: it begins with ${show(bare.slice(0, 20))}. A saved model is what JSON.stringify(fitted) wrote. Pass that text, not a file name.`,
      { reason: (error as Error).message },
    )
  }
}

/** Does the text open an object whose end never comes? Engines word this error differently, so we look ourselves. */
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
  const { version } = raw
  if (!Number.isSafeInteger(version) || (version as number) < 1)
    throw misshapen("version", version, "a whole number ≥ 1")
  if ((version as number) > VERSION) {
    throw new SufficeError(
      "saved",
      `the model file was written by a newer Suffice: its version is ${version}, this Suffice reads up to ${VERSION}. What the newer version means is not known here. Update Suffice.`,
      { version },
    )
  }
}

// ── parts ──────────────────────────────────────────────────────────────────────────────────────────

// Each reader hands back the very object it checked, so that saving it again writes the same text.

type Check = (value: unknown, path: string) => unknown

/** What a column of each kind holds besides its kind and name. */
const HELD: ReadonlyMap<unknown, Readonly<Record<string, Check>>> = new Map<
  Column["kind"],
  Record<string, Check>
>([
  ["number", { shift: finiteAt, scale: positiveAt, variance: positiveAt }],
  ["count", { mean: notNegativeAt }],
  ["level", { levels: levelsAt }],
  // what text options mean, and whether they hold together, only the family knows (families/bag.ts)
  ["bag", { words: namesAt, text: () => true }],
])

function columnAt(value: unknown, path: string): Column {
  if (!isRecord(value)) throw misshapen(path, value, "a column")
  const held = HELD.get(value.kind)
  if (!held) throw misshapen(`${path}.kind`, value.kind, 'one of "number", "count", "level" and "bag"')
  const checks = Object.entries({ name: textAt, ...held })
  fieldsAt(value, path, ["kind", ...checks.map(([name]) => name)])
  for (const [name, check] of checks) check(value[name], `${path}.${name}`)
  return value as Column
}

function statisticsAt(value: unknown): Float64Array {
  const numbers = float64FromBase64(textAt(value, "statistics"))
  if (!numbers) throw misshapen("statistics", value, "base64 of whole doubles")
  const at = numbers.findIndex(number => !Number.isFinite(number))
  if (at >= 0) throw misshapen(`statistics[${at}]`, numbers[at], "a finite number")
  return numbers
}

function positiveAt(value: unknown, path: string): number {
  if (!(Number.isFinite(value) && (value as number) > 0))
    throw misshapen(path, value, "a finite number above 0")
  return value as number
}

function notNegativeAt(value: unknown, path: string): number {
  if (!(Number.isFinite(value) && (value as number) >= 0)) throw misshapen(path, value, "a finite number ≥ 0")
  return value as number
}
