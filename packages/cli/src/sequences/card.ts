/** What a report of sequences is made of. */
import type { Columns } from "suffice"
import type { Card, QualityAnswer } from "../answers.ts"
import { capitalised } from "../fitting.ts"
import { count, many } from "../format.ts"
import type { LooseFitted } from "../loose.ts"
import { basisOf, trainingAnswer } from "../training.ts"
import type { PreparedSequences } from "./fitting.ts"
import { pathAnswer } from "./path.ts"
import { chainsAnswer } from "./states.ts"
import type { Cut } from "./table.ts"

export interface ShownSteps extends Pick<PreparedSequences, "wanted" | "data" | "parts"> {
  readonly fitted: LooseFitted
  readonly by: string
  readonly cut: Cut
  readonly seed: number
  readonly quality?: QualityAnswer
  /** The sequences that a path is shown of. */
  readonly looked: Columns
}

export function cardOfSteps(
  { command, origin }: { readonly command: string; readonly origin: Card["facts"] },
  { wanted, data, parts, fitted, by, cut, seed, quality, looked }: ShownSteps,
): Card {
  const { train } = parts
  const path = pathAnswer(fitted, looked, wanted.steps, cut)
  return {
    title: capitalised(wanted.name),
    lead: `Learned from ${many(train.count, "sequence")} of ${data.name}, ${many(train.length, "step")}, by ${by}.`,
    command,
    facts: [
      ["data", `${data.name}, ${many(data.sequences, "sequence")}, ${many(data.steps, "step")}`],
      ["learned from", `${many(train.count, "sequence")}, ${many(train.length, "step")}`],
      ["learner", `${fitted.training?.learner.name} ${JSON.stringify(fitted.training?.learner.options)}`],
      ["steps of learning", count(fitted.training?.iterations ?? 0)],
      ["seed", String(seed)],
      ...origin,
    ],
    warnings: fitted.diagnostics.map(({ message }) => message),
    data,
    ...(quality && { quality }),
    chains: chainsAnswer(fitted),
    ...(path && { path }),
    basis: { ...basisOf(fitted), rows: train.length, unit: "step" },
    ...(fitted.training && { training: trainingAnswer(fitted.training) }),
  }
}
