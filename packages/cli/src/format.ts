/** How numbers look to people: as many digits as carry meaning, the same on every machine. */
import stringWidth from "string-width"

/** 0.9417 → "94.2 %" */
export function percent(share: number, digits = 1): string {
  return Number.isFinite(share) ? `${(100 * share).toFixed(digits)} %` : plain(share)
}

/** 12345 → "12,345" */
export function count(value: number): string {
  if (!Number.isFinite(value)) return plain(value)
  const [whole, rest] = String(Math.abs(value) < 1e15 ? roundTo(value, 3) : value).split(".")
  if (whole.includes("e")) return whole
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",")
  return rest === undefined ? grouped : `${grouped}.${rest}`
}

/** Four significant digits: 217.186 → "217.2", 0.000123456 → "0.0001235" */
export function plain(value: number, digits = 4): string {
  if (Number.isNaN(value)) return "–"
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞"
  if (value === 0) return "0"
  const size = Math.abs(value)
  if (size >= 1e7 || size < 1e-4) return value.toExponential(digits - 1).replace("-", "−")
  const short = String(Number(value.toPrecision(digits)))
  const text = size >= 10 ** digits ? count(Math.round(value)) : short
  return text.replace("-", "−")
}

/** "+1.25", "−0.3": a number whose sign is the point. */
export function signed(value: number, digits = 2): string {
  if (!Number.isFinite(value)) return value > 0 ? "+∞" : "−∞"
  const text = Math.abs(value).toFixed(digits)
  return value < 0 ? `−${text}` : `+${text}`
}

/** "88.2 – 98.1 %" */
export function percents([low, high]: readonly [number, number], digits = 1): string {
  return `${(100 * low).toFixed(digits)} – ${(100 * high).toFixed(digits)} %`
}

export function range([low, high]: readonly [number, number]): string {
  return `${plain(low)} – ${plain(high)}`
}

/** "1 row", "344 rows" */
export function many(value: number, word: string): string {
  return `${count(value)} ${word}${value === 1 ? "" : "s"}`
}

/** What a term of an explanation is called: a column, “a word” of it (clipped), or the proportions of a document. */
export function termName(
  { column, word, of }: { readonly column: string; readonly word?: string; readonly of?: string },
  most = Number.POSITIVE_INFINITY,
): string {
  if (word !== undefined) return `“${clipped(word, most)}”`
  return of === undefined ? column : `${of} of ${column}`
}

/** 95 s → "1 min 35 s" */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  // rounded first: 119.7 s are 2 min 0 s, not 1 min 60 s
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** A cell, at most so many places of the terminal wide; no character is cut in two. */
export function clipped(text: string, most = 32): string {
  const line = text.replace(/\s+/g, " ")
  if (/^[ -~]*$/.test(line)) return line.length > most ? `${line.slice(0, most - 1)}…` : line
  if (stringWidth(line) <= most) return line
  let short = ""
  let width = 0
  for (const { segment } of graphemes.segment(line)) {
    width += stringWidth(segment)
    if (width > most - 1) break
    short += segment
  }
  return `${short}…`
}

function roundTo(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

/** How much is said: of a wide table little, so that all of it fits on a terminal. */
export interface Brief {
  readonly brief?: boolean
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
