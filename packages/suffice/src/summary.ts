/** What `console.log` shows of something learned: a sentence, and a few short lines below it. Never an array. */
import { show } from "./errors.ts"

/** Under this name `console.log` of Node, Deno and Bun looks for a method that says how a value is shown. */
export const INSPECT: unique symbol = /* @__PURE__ */ Symbol.for("nodejs.util.inspect.custom") as never

/** A line of a summary: what it is about, and what is said. */
export type Line = readonly [about: string, says: string]

/** A name as it stands in a line: in quotes where it could be misread. */
export function named(name: unknown): string {
  const text = String(name)
  return text.length <= 40 && /^[\p{L}\p{N}_.\-/%]+$/u.test(text) ? text : show(text)
}

/** "a, b, c and 9 more". */
export function firstOf(items: readonly string[], most: number): string {
  if (items.length <= most) return items.join(", ")
  return `${items.slice(0, most).join(", ")} and ${counted(items.length - most)} more`
}

/** 12345 → "12,345". */
export function counted(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",")
}

/** "1 row", "2 rows". */
export function many(count: number, word: string): string {
  return `${counted(count)} ${word}${count === 1 ? "" : "s"}`
}

/** Six digits are enough to recognise a number by. */
export function rounded(value: number): string {
  return String(Number(value.toPrecision(6)))
}

/** The sentence, and the lines below it in two columns. */
export function summaryText(sentence: string, lines: readonly Line[]): string {
  const width = lines.reduce((most, [about]) => (about.length > most ? about.length : most), 0)
  return [sentence, ...lines.map(([about, says]) => `  ${about.padEnd(width)}  ${says}`)].join("\n")
}
