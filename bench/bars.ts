/** Bars: measured figures beside the values that they must reach, and the parts of a page with their bars. */
import { table, verdict } from "./page.ts"

/** A figure beside the value that it must reach. Undefined: reported only. */
export type Bar = readonly [what: string, bar: string, measured: string, isMet: boolean | undefined]

/** How many bars are met, and the table of them. */
export function barTable(bars: readonly Bar[]): string {
  const missed = bars.filter(([, , , isMet]) => isMet === false).length
  const lines = bars.map(([what, expected, measured, isMet]) => [
    what,
    expected,
    measured,
    isMet === undefined ? "–" : verdict(isMet),
  ])
  const head = missed === 0 ? "All bars are met." : `${missed} of ${bars.length} bars are missed.`
  return `${head}\n\n${table(["what", "bar", "measured", "met"], lines)}`
}

/** Small numbers in scientific notation. */
const shown = (x: number, digits: number): string =>
  x !== 0 && Math.abs(x) < 0.5 * 10 ** -digits ? x.toExponential(1) : x.toFixed(digits)

export const atLeast = (what: string, least: number, value: number, digits = 2): Bar => [
  what,
  `≥ ${shown(least, digits)}`,
  shown(value, digits),
  value >= least,
]

export const atMost = (what: string, most: number, value: number, digits = 2): Bar => [
  what,
  `≤ ${most}`,
  shown(value, digits),
  value <= most,
]

/** A part of a page. */
export interface Section {
  readonly bars: readonly Bar[]
  readonly text: readonly string[]
}
