/** What a comparison means, in words, and how certain that is. */
import type { CompareAnswer, ContestantAnswer } from "./answers.ts"
import { percent, signed } from "./format.ts"

type Compared = Omit<CompareAnswer, "recommendation">

/** A difference counts as real if its 95 % interval excludes 0. */
export function recommendation({ contestants, best: bestName, differences }: Compared): string {
  const took = contestants.filter(one => one.refused === undefined)
  const best = took.find(one => one.name === bestName)!
  const generative = bestOf(took, "generative")
  const discriminative = bestOf(took, "discriminative")
  if (!generative || !discriminative) {
    return `${best.name} is the only way that could take part: accuracy ${percent(best.accuracy)}.`
  }
  const [winner, other] =
    best.kind === "generative" ? [generative, discriminative] : [discriminative, generative]
  const gap = differences.find(({ against }) => against === other.name)!
  const said = `${winner.name} reaches ${percent(winner.accuracy)}, ${other.name} ${percent(other.accuracy)}: a difference of ${signed(100 * gap.difference, 1)} points (95 % interval ${signed(100 * gap.interval[0], 1)} to ${signed(100 * gap.interval[1], 1)}).`
  if (!(gap.interval[0] > 0)) {
    return `Which is better cannot be told with certainty. ${said} Take ${generative.name}, the simplest and fastest, unless every point counts.${still(winner)}`
  }
  return winner === generative
    ? `Generative is better here. ${said} Use suffice fit as it is.${still(other)}`
    : `Discriminative is better here. ${said}${how(winner, took)}${crossing(generative, winner)}`
}

function bestOf(
  took: readonly ContestantAnswer[],
  kind: ContestantAnswer["kind"],
): ContestantAnswer | undefined {
  return took
    .filter(one => one.kind === kind)
    .reduce<ContestantAnswer | undefined>(
      (top, one) => (top && top.accuracy >= one.accuracy ? top : one),
      undefined,
    )
}

/** sdEM learns the same model in another way, so nothing is given up; the references are other models. */
function how({ name }: ContestantAnswer, took: readonly ContestantAnswer[]): string {
  const same = name.startsWith("sdEM")
    ? name
    : took.filter(one => one.name.startsWith("sdEM")).sort((a, b) => b.accuracy - a.accuracy)[0]?.name
  if (same === undefined) return ""
  const use = `suffice fit --learner sdem --loss ${same.endsWith("hinge") ? "hinge" : "ncll"}`
  return same === name
    ? ` It is the same model, which still takes missing cells and gives reasons: use ${use}.`
    : ` Closest among the models that take missing cells and give reasons is ${same}: ${use}.`
}

/** Generative learning often leads with few rows (Ng & Jordan 2002). */
function crossing(generative: ContestantAnswer, winner: ContestantAnswer): string {
  const [few] = generative.curve
  const [other] = winner.curve
  if (!few || !other || !(few.accuracy > other.accuracy)) return ""
  return ` With few rows it is the other way round: from ${few.rows} rows, ${generative.name} reaches ${percent(few.accuracy)}, ${winner.name} ${percent(other.accuracy)}.`
}

function still({ name, curve }: ContestantAnswer): string {
  if (curve.length < 2) return ""
  const rise = curve[curve.length - 1].accuracy - curve[curve.length - 2].accuracy
  return rise > 0.01 ? ` With more rows ${name} may gain: its learning curve still rises.` : ""
}
