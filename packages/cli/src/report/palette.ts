/** Colours, dashes and marks of series: eight that can be told apart, on light and dark, and without colour. */

/** As many series as there are colours; further ones are told in words and tables. */
export const COLOURS = 8
const DASHES = ["none", "7 3", "2 3", "9 3 2 3", "1 4", "12 3", "5 2 1 2 1 2", "3 6"]
const SYMBOLS = ["circle", "triangle", "square", "diamond", "star", "cross", "wye", "hexagon"] as const

export function colour(series: number): string {
  return `var(--c${(series % COLOURS) + 1})`
}

export function dashes(series: number): string {
  return DASHES[series % COLOURS]
}

export function symbol(series: number): (typeof SYMBOLS)[number] {
  return SYMBOLS[series % COLOURS]
}
