/**
 * Words of up to fifteen ASCII letters and digits, packed in three numbers at 6 bits each: their alphabet, and strings of them. They
 * are stored in slots of four numbers, the last of which is the code (word-table.ts); a slot that starts with 0 is empty.
 */
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Letters of a packed word: five in each of three numbers, the first in the highest of 30 bits. */
export const LONGEST = 15
const THIRTY = 0x3fffffff

/** By byte: 1 + its place in the alphabet, 0 elsewhere. */
export const symbols = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, unit) =>
  unit === 0 ? 0 : 1 + ALPHABET.indexOf(String.fromCharCode(unit)),
)
/** The same in lower case. */
export const foldedSymbols = /* @__PURE__ */ Uint8Array.from(symbols, (symbol, unit) =>
  unit > 64 && unit < 91 ? symbols[unit + 32] : symbol,
)

/** The words as strings: one text of all of them is built, then cut. */
export function spelt(
  slots: Int32Array,
  packed: number,
): { readonly codes: readonly number[]; readonly words: readonly string[] } {
  const codes: number[] = []
  const output = new Uint8Array((LONGEST + 1) * packed)
  let length = 0
  for (let at = 0; at < slots.length; at += 4) {
    if (slots[at] === 0) continue
    codes.push(slots[at + 3])
    for (let k = 0; k < 3; k++) {
      for (let rest = slots[at + k]; rest !== 0; rest = (rest << 6) & THIRTY)
        output[length++] = ALPHABET.charCodeAt((rest >>> 24) - 1)
    }
    output[length++] = 32
  }
  const words = new TextDecoder().decode(output.subarray(0, length)).split(" ")
  return { codes, words: words.map(word => (word.length > VIEWED ? detached(word) : word)) }
}

/** Engines copy substrings up to this length, and keep longer ones as views of the text. */
const VIEWED = 12

/** The same word in memory of its own: a view would keep the whole text alive. */
export function detached(word: string): string {
  return JSON.parse(JSON.stringify(word)) as string
}
