/** Which C the references were given, in words. */
import type { ContestantAnswer } from "./answers.ts"
import { plain } from "./format.ts"

/** One sentence, if some contestant has a C. */
export function chosenText(contestants: readonly ContestantAnswer[]): string[] {
  const chosen = contestants.flatMap(({ name, folds }) => {
    const cs = folds.flatMap(({ c }) => (c === undefined ? [] : plain(c)))
    return cs.length > 0 ? `${name} ${cs.join(", ")}` : []
  })
  if (chosen.length === 0) return []
  return [`C, chosen on the training rows of each fold by cross-validation: ${chosen.join("; ")}.`]
}
