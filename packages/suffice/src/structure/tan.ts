/**
 * The arrows of tree-augmented naive Bayes (Friedman, Geiger & Goldszmidt 1997), for choosing: every column of levels depends on the label and at most one other.
 *
 *     maximum of Σ S(v | parent, class) − S(v | class)        S by AIC: an arrow that does not pay for its parameters is left out
 *
 * On training rows of nine tables AIC lost less than BIC by counting (mean log-loss 0.390 and 0.417) and as much by ncll (0.330 and 0.329: more on tic-tac-toe, credit-a, colic and
 * credit-g); BIC finds no arrows in car and nursery. The likelihood, tried on four of them, lost more on two and the same on two.
 * Where cells are missing, each pair goes by the rows in which both are seen.
 */

import { sampled } from "../choose/sampled.ts"
import { some } from "../choose/stages.ts"
import type { Family } from "../contract/family.ts"
import type { Finding } from "../contract/model.ts"
import type { Data } from "../data/read.ts"
import { SufficeError } from "../errors.ts"
import { isStream } from "../fit/stream.ts"
import { paced } from "../pause.ts"
import { constraintsOf } from "./constraints.ts"
import { Scores } from "./scores.ts"
import { tableOf } from "./table.ts"
import { treeOf } from "./tree.ts"

/** Of more rows this many are looked at: arrows that these do not show are worth little. */
const MOST_ROWS = 10_000

/** The parent of each column beside the label; a column without one is not there. `families`: the label's among them. */
export async function treeParents(
  families: Readonly<Record<string, Family>>,
  label: string,
  data: Data,
  { seed = 0, weight, signal }: Finding,
): Promise<ReadonlyMap<string, string>> {
  if (isStream(data)) {
    throw new SufficeError(
      "data",
      "fit: the arrows of this model are found in rows before it is learned, and a stream comes only once. Fit it to rows that can be read again, and learn `fitted.model` from the stream.",
    )
  }
  const rows = some(await sampled(data, seed, signal), MOST_ROWS, seed)
  const table = await tableOf(families, rows, weight, signal)
  const { names } = table
  const scores = new Scores(table, { score: "aic", ess: 1, beliefs: [] })
  const target = names.indexOf(label)
  const others = [...names.keys()].filter(v => v !== target)
  const parents = await paced(
    treeOf(scores, others, constraintsOf(names, table.families, {}), target),
    signal,
  )
  return new Map(others.flatMap(v => parents[v].map(u => [names[v], names[u]] as const)))
}
