/**
 * The words that set a group apart, by what they add to the divergence of its words from those of all groups:
 *
 *     p(w | g) ln( p(w | g) / p(w) ),   p(w) = Σ_g p(g) p(w | g)
 *
 * A frequent word that all groups share adds nothing, a rare one little.
 */
import { type DescribedLeaf, type DescribedPart, guideOf } from "suffice/describe"
import { isLeaf, isSwitch } from "../described.ts"

export interface LearnedWords {
  readonly kind: "words"
  readonly column: string
  /** Are there as many of a word as it occurs, or is it there or not? */
  readonly counts: boolean
  readonly each: readonly {
    readonly words: readonly {
      readonly word: string
      readonly probability: number
      /** p(w | g) / p(w) */
      readonly lift: number
    }[]
  }[]
}

const WORDS = 10

/** The words of one column under each value of the switch `of`; mixtures below it are summed out. */
export function learnedWords(
  parts: readonly DescribedPart[],
  of: string,
  column: string,
  names: readonly string[],
  drawn: readonly number[],
): LearnedWords | undefined {
  const found = parts
    .filter(isLeaf)
    .filter(({ name, parameters }) => name === column && typeof parameters.words === "object")
  const outer = parts.filter(isSwitch).find(({ name }) => name === of)
  if (found.length === 0 || !outer) return undefined
  const given = names.map(name =>
    mixed(
      parts,
      found.filter(leaf => leaf.above.some(above => above.name === of && above.level === name)),
      of,
    ),
  )
  const all = new Map<string, number>()
  given.forEach((words, g) => {
    const share = outer.probabilities[names[g]] ?? 0
    for (const [word, p] of words) all.set(word, (all.get(word) ?? 0) + share * p)
  })
  return {
    kind: "words",
    column,
    counts: guideOf(found[0].family).counted === true,
    each: drawn.map(g => ({
      words: [...given[g]]
        .map(([word, probability]) => ({ word, probability, lift: probability / all.get(word)! }))
        .sort((a, b) => b.probability * Math.log(b.lift) - a.probability * Math.log(a.lift))
        .slice(0, WORDS)
        .filter(({ lift }) => lift > 1),
    })),
  }
}

/** p(w | value of the switch) = Σ over the values of the switches below it, of their probability times p(w | all of them). */
function mixed(
  parts: readonly DescribedPart[],
  leaves: readonly DescribedLeaf[],
  of: string,
): Map<string, number> {
  const words = new Map<string, number>()
  for (const { above, parameters } of leaves) {
    const share = above.reduce((product, { name, level }, depth) => {
      if (name === of) return product
      const below = parts
        .filter(isSwitch)
        .find(
          part =>
            part.name === name &&
            part.above.length === depth &&
            part.above.every((one, i) => one.name === above[i].name && one.level === above[i].level),
        )
      return product * (below?.probabilities[level] ?? 1)
    }, 1)
    for (const [word, p] of Object.entries(parameters.words as Record<string, number>))
      words.set(word, (words.get(word) ?? 0) + share * p)
  }
  return words
}
