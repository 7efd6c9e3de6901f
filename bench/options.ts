/** Names and flags after `npm run bench -- BENCH`; an unknown one ends the bench with a sentence. */
import { Stop } from "./stop.ts"

export interface Options {
  readonly named: readonly string[]
  has(flag: string): boolean
  /** True if the part is named, or none is. */
  wants(part: string): boolean
}

export function optionsOf(
  given: readonly string[],
  parts: readonly string[],
  flags: readonly string[] = [],
): Options {
  const unknown = given.filter(option => !parts.includes(option) && !flags.includes(option))
  const known = [...parts, ...flags].join(", ") || "none"
  if (unknown.length > 0) throw new Stop(`Unknown option: ${unknown.join(", ")}. The options are ${known}.`)
  const named = given.filter(option => parts.includes(option))
  return {
    named,
    has: flag => given.includes(flag),
    wants: part => named.length === 0 || named.includes(part),
  }
}

/** Items whose name contains one of the words; all of them without words. */
export function matching<Item extends { readonly name: string }>(
  items: readonly Item[],
  words: readonly string[],
): Item[] {
  const matches = items.filter(({ name }) => words.length === 0 || words.some(word => name.includes(word)))
  const names = items.map(({ name }) => `  ${name}`).join("\n")
  if (matches.length === 0) throw new Stop(`No job is called ${words.join(", ")}. The jobs are\n${names}`)
  return matches
}
