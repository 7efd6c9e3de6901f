/** Which levels are mistaken for which, most frequent first: truth, predicted, rows. */
import { count } from "../format.ts"

export function mistakes(
  names: readonly string[],
  counts: readonly (readonly number[])[],
  most = 10,
): string[][] {
  return counts
    .flatMap((row, t) => row.map((value, p) => ({ t, p, value })))
    .filter(({ t, p, value }) => t !== p && value > 0)
    .sort((a, b) => b.value - a.value || a.t - b.t || a.p - b.p)
    .slice(0, most)
    .map(({ t, p, value }) => [names[t], names[p], count(value)])
}
