/**
 * What another machine answers for some chunks of one stretch, as bytes: the doubles
 *
 *     digest of the rest, first chunk, chunks, rows, L, entropy, guessed, statistics …
 *
 * and the audit of all answers to a sweep: every chunk once, every row once, nothing that is not an answer. Answers may come in any order; they are
 * added in that of the rows.
 */
import { SweepTotal, type Swept } from "../engine/sweep-total.ts"
import { SufficeError } from "../errors.ts"
import { digest } from "../kernels/digest.ts"
import { CHUNKS_PER_STRETCH } from "../kernels/tiered.ts"

/** What some chunks of one stretch add to a sweep. */
export interface Answer {
  /** The number of the first chunk; how many were summed; their rows with weight. */
  readonly chunk: number
  readonly chunks: number
  readonly rows: number
  readonly swept: Swept
}

const HEAD = 7

/** The answer as bytes. */
export function packAnswer({ chunk, chunks, rows, swept }: Answer): Uint8Array {
  const { stats, logLikelihood, entropy, guessed } = swept
  const numbers = new Float64Array(HEAD + stats.length)
  numbers.set([0, chunk, chunks, rows, logLikelihood, entropy, guessed ? 1 : 0])
  numbers.set(stats, HEAD)
  const bytes = new Uint8Array(numbers.buffer)
  numbers[0] = digest(bytes.subarray(8))
  return bytes
}

/** Undefined: it is no answer. */
export function readAnswer(bytes: Uint8Array): Answer | undefined {
  if (bytes.length % 8 !== 0 || bytes.length < 8 * HEAD) return undefined
  const numbers = new Float64Array(Uint8Array.from(bytes).buffer) // not slice(), which shares memory in a Buffer of Node
  const [sum, chunk, chunks, rows, logLikelihood, entropy, guessed] = numbers
  if (sum !== digest(bytes.subarray(8))) return undefined
  const stats = numbers.slice(HEAD)
  return { chunk, chunks, rows, swept: { stats, logLikelihood, entropy, guessed: guessed === 1 } }
}

/** Sums answers, and refuses a sweep that is not whole. */
export class AuditedTotal {
  readonly #total = new SweepTotal()
  /** Rows with weight, chunk by chunk. */
  readonly #rows: readonly number[]
  readonly #statistics: number
  /** Answers that came before their turn. */
  readonly #waiting = new Map<number, Answer>()
  #next = 0

  constructor(rows: readonly number[], statistics: number) {
    this.#rows = rows
    this.#statistics = statistics
  }

  add(answer: Answer | undefined): void {
    if (!answer) throw refused("an answer is none: its bytes were changed, or cut short")
    const { chunk, chunks, swept } = answer
    const isWhole = chunk % CHUNKS_PER_STRETCH === 0 && chunks === CHUNKS_PER_STRETCH
    const fits = Number.isInteger(chunk) && chunk >= 0 && chunk + chunks <= this.#rows.length
    if (!fits || !(chunks === 1 || isWhole || this.#isLast(answer)))
      throw refused(`an answer is for ${chunks} chunks from chunk ${chunk} on, of ${this.#rows.length}`)
    if (swept.stats.length !== this.#statistics)
      throw refused(
        `the answer for chunk ${chunk} has ${swept.stats.length} statistics, not ${this.#statistics}`,
      )
    if (chunk < this.#next || this.#waiting.has(chunk)) throw refused(`chunk ${chunk} was answered twice`)
    this.#waiting.set(chunk, answer)
    for (let next = this.#waiting.get(this.#next); next; next = this.#waiting.get(this.#next))
      this.#take(next)
  }

  /** The last stretch may have fewer chunks. */
  #isLast({ chunk, chunks }: Answer): boolean {
    return (
      chunk % CHUNKS_PER_STRETCH === 0 && chunks < CHUNKS_PER_STRETCH && chunk + chunks === this.#rows.length
    )
  }

  #take({ chunk, chunks, rows, swept }: Answer): void {
    let expected = 0
    for (let c = chunk; c < chunk + chunks; c++) expected += this.#rows[c]
    if (rows !== expected)
      throw refused(`the answer for chunk ${chunk} has ${rows} rows, the first pass found ${expected}`)
    this.#waiting.delete(chunk)
    this.#next = chunk + chunks
    // chunks of a stretch are added one by one, or come as their sum
    if (chunks === 1 && !this.#isLast({ chunk, chunks, rows, swept })) this.#total.add(swept)
    else this.#total.addStretch(swept)
  }

  /** The sum, once every chunk has been answered. */
  ended(): SweepTotal {
    if (this.#next < this.#rows.length) {
      const after = this.#waiting.size > 0 ? ", though later ones were" : ""
      throw refused(`chunk ${this.#next} of ${this.#rows.length} was not answered${after}`)
    }
    return this.#total
  }
}

/** What the audit says. */
export function refused(what: string): SufficeError {
  return new SufficeError(
    "threads",
    `the sweep is refused: ${what}. Statistics that lack rows, or count them twice, would teach a wrong model. Fit again, with the same checkpoint to go on after the last step; if it happens again, the rows or the workers have changed.`,
    { why: what },
  )
}
