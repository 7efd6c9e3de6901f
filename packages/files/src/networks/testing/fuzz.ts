/** Network files damaged at random: each is read, or rejected with an error of ours. 100,000 of them: bench/networks.md, "Settled". */
import { CodedError, dice } from "suffice"
import { fittedOfTables } from "../fitted.ts"
import { type NetworkFormat, readNetwork, writeNetwork } from "../formats.ts"
import type { NetworkTables } from "../tables.ts"

const FORMATS: readonly NetworkFormat[] = ["bif", "xmlbif", "xdsl", "net"]
const PIECES = [
  "{",
  "}",
  "(",
  ")",
  "[",
  "]",
  ",",
  ";",
  "|",
  '"',
  "<",
  ">",
  "/",
  "&",
  "=",
  "%",
  "//",
  "/*",
  "\n",
  "\0",
  "1e999",
  "-1",
  "NaN",
  "é",
  "default",
  "table",
  "1000000000",
]

/** How many were read, and how many refused. Throws what is no error of ours. */
export function fuzz(tables: NetworkTables, count: number, seed: number): { read: number; refused: number } {
  const texts = FORMATS.map(format => writeNetwork(tables, format))
  const roll = dice(seed)
  let read = 0
  let refused = 0
  for (let trial = 0; trial < count; trial++) {
    const f = trial % FORMATS.length
    let text = texts[f]
    for (let times = 1 + roll.integer(4); times > 0; times--) {
      const at = roll.integer(text.length + 1)
      const length = roll.integer(12)
      const piece = PIECES[roll.integer(PIECES.length)]
      const other = roll.integer(text.length + 1)
      text = [
        // cut off, taken out, put in, repeated, from elsewhere
        () => text.slice(0, at),
        () => text.slice(0, at) + text.slice(at + length),
        () => text.slice(0, at) + piece + text.slice(at),
        () => text.slice(0, at) + text.slice(at, at + length).repeat(1 + roll.integer(40)) + text.slice(at),
        () => text.slice(0, at) + text.slice(other, other + length) + text.slice(at + length),
        () => text.slice(0, at) + String.fromCharCode(roll.integer(65536)) + text.slice(at + 1),
      ][roll.integer(6)]()
    }
    try {
      fittedOfTables(readNetwork(text, { format: FORMATS[f] }))
      read++
    } catch (error) {
      if (!(error instanceof CodedError))
        throw new Error(`${FORMATS[f]}, trial ${trial}: ${error}\n${text}`, { cause: error })
      refused++
    }
  }
  return { read, refused }
}
