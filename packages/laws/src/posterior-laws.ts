/** Laws of models that are learned as posteriors: what only they can say, and what they answer as every model does. */
import { answerHabits } from "./answer-habits.ts"
import { answerLaws } from "./answer-laws.ts"
import { fit, type LooseFitted, type LooseRow } from "./api.ts"
import { decisionLaws } from "./decision-laws.ts"
import { densityLaws } from "./density-laws.ts"
import { explainLaws } from "./explain-laws.ts"
import { fillLaws } from "./fill-laws.ts"
import { habits } from "./habits.ts"
import { labelLaws } from "./label-laws.ts"
import type { Law } from "./law.ts"
import { posterior } from "./learners.ts"
import { limitLaws } from "./limit-laws.ts"
import { isHidden, labelsOf } from "./models.ts"
import { must, near, sameDescription } from "./must.ts"
import { exp, log } from "./numbers.ts"
import { sampleLaws } from "./sample-laws.ts"
import { learnedBy, type ModelSubject, minding, rowsOf } from "./subjects.ts"
import { symmetryLaws } from "./symmetry-laws.ts"
import { updateLaws } from "./update-laws.ts"

function isExact({ model }: ModelSubject): true | string {
  return !isHidden(model) || "something is hidden: the evidence is a bound"
}

const own: readonly Law<ModelSubject>[] = [
  {
    id: "P1.model",
    name: "the evidence grows by the log-density that the model gave each new row, update after update",
    applies: isExact,
    effort: 0.34,
    async check(subject, trial) {
      const { rows, more } = parted(subject, trial)
      let model = await begun(subject, rows)
      for (const row of more) {
        const [density] = model.logDensity([row])
        const next = await model.update([row])
        must(next.evidence.exact, () => "nothing is hidden, but the evidence is said to be a bound.")
        near(next.evidence.value - model.evidence.value, density, 1e-9, "what a row adds to the evidence")
        model = next
      }
    },
  },
  {
    id: "P6",
    name: "learning rows one after the other is learning them together, and forgetting nothing changes nothing",
    applies: isExact,
    effort: 0.34,
    async check(subject, trial) {
      const { rows, more } = parted(subject, trial)
      const model = await begun(subject, rows)
      let one = model
      for (const row of more) one = await one.update([row], { forget: 1 })
      const both = await model.update(more)
      sameDescription(one.describe(), both.describe(), 1e-9)
      near(one.evidence.value, both.evidence.value, 1e-9, "the evidence")
    },
  },
  {
    id: "P2.hidden",
    name: "the evidence of rows without labels is at most the sum over all labels they may have",
    applies(subject) {
      const exact = isExact(subject)
      if (exact !== true) return exact
      return labelsOf(subject.model).length > 0 || "there is no label to leave out"
    },
    effort: 0.34,
    async check(subject, trial) {
      const { rows, more } = parted(subject, trial)
      const model = await begun(subject, rows)
      const [label] = labelsOf(subject.model)
      const asked = more.slice(0, 3)
      const levels = [...new Set(rows.map(row => row[label]))]
      const grown = async (labels: readonly LooseRow[string][]): Promise<number> => {
        const labelled = asked.map((row, i) => ({ ...row, [label]: labels[i] }))
        return (await model.update(labelled)).evidence.value - model.evidence.value
      }
      let ways: LooseRow[string][][] = [[]]
      for (const _ of asked) ways = ways.flatMap(way => levels.map(level => [...way, level]))
      let whole = 0
      for (const labels of ways) whole += exp(await grown(labels))
      const bound = await grown(asked.map(() => null))
      must(
        bound <= log(whole) + 1e-9 * Math.abs(bound),
        () => `the bound is ${bound}, the evidence ${log(whole)}.`,
      )
    },
  },
]

/** Rows to begin with, and some that bring nothing that was not seen: a new level would be a new model. */
function parted(
  subject: ModelSubject,
  trial: Parameters<Law["check"]>[1],
): { readonly rows: LooseRow[]; readonly more: LooseRow[] } {
  const rows = rowsOf(subject, trial)
  return { rows, more: Array.from({ length: 4 }, () => rows[trial.dice.integer(rows.length)]) }
}

function begun({ model, learner }: ModelSubject, rows: readonly LooseRow[]): Promise<LooseFitted> {
  return fit(model, rows, { learner: learner.make({}, model) })
}

/** Laws of all models that hold for posteriors, too. Those that are not here compare with parameters, which a posterior has none of. */
const SHARED = [
  "A1.posterior",
  "A3.update",
  "A5.one",
  "A6.draws",
  "A6.explained",
  "A6.fill",
  "A6.nothing",
  "A6.strange",
  "A7.copies",
  "A7.onehot",
  "A7.repeat",
  "A7.unsupervised",
  "A7.zero",
  "A9.evidence",
  "A9.given",
  "A10.affine",
  "A10.components",
  "A10.levels",
  "A10.rows",
  "A11.risk",
  "A14.answers",
  "B.answers",
  "B.forms",
]

const all = minding([
  ...densityLaws,
  ...limitLaws,
  ...labelLaws,
  ...symmetryLaws,
  ...sampleLaws,
  ...answerLaws,
  ...fillLaws,
  ...decisionLaws,
  ...explainLaws,
  ...updateLaws,
  ...habits,
  ...answerHabits,
])

/** What every model that is learned as a posterior must satisfy on complete rows. */
export const posteriorLaws: readonly Law<ModelSubject>[] = [
  ...own,
  ...SHARED.map(id => learnedBy(all.find(law => law.id === id)!, posterior, "bayes")),
]
