/** Laws about continued learning: update(). */
import { type Cell, em } from "suffice"
import { numericOf, questions } from "./answer-laws.ts"
import { densities, fit, type LooseFitted, type LooseRow, numbersOf } from "./api.ts"
import type { Law, Trial } from "./law.ts"
import { columnsOf, holds, holesOf, isHidden, isScaled, labelsOf } from "./models.ts"
import { must, near } from "./must.ts"
import { type ModelSubject, rowsOf } from "./subjects.ts"
import { punch } from "./variants.ts"

export const updateLaws: readonly Law<ModelSubject>[] = [
  {
    id: "A8.update",
    name: "learning rows and then others is learning all of them, new levels, words and classes among them",
    applies: ({ model }) => {
      if (isScaled(model)) return "how rare a word is was learned from the first rows"
      return !isHidden(model) || "a mixture forgets who was who: earlier rows are fixed as they were guessed"
    },
    effort: 0.67,
    async check(subject, trial) {
      const [first, more] = parted(subject, rowsOf(subject, { ...trial, rows: trial.rows + 60 }), trial)
      const hasNumbers = holds(subject.model, "number") || holds(subject.model, "count")
      // the prior of numbers depends on the first rows; without numbers it is the same for both
      const learner = em({ prior: hasNumbers ? 0 : 1 })
      const begun = await fit(subject.model, first, { learner })
      const text = JSON.stringify(begun)
      const updated = await begun.update(more, { learner })
      must(JSON.stringify(begun) === text, () => "the model that was updated has changed.")
      const whole = await fit(subject.model, [...first, ...more], { learner })
      const { rows, weight, logLikelihood } = updated.training!
      must(rows === whole.training!.rows, () => `the updated model has learned ${rows} rows.`)
      near(weight, whole.training!.weight, 1e-12, "the weight")
      // at the edge of the domain there is no maximum likelihood, so nothing to agree on
      if (whole.diagnostics.some(({ code }) => code === "held-at-floor")) return
      near(logLikelihood, whole.training!.logLikelihood, 1e-9, "the log-likelihood")
      agree(subject, updated, whole, questions(subject, [...first, ...more].reverse(), trial, 16))
    },
  },
  {
    id: "A3.update",
    name: "the objective never falls while learning goes on, and the model it began with stays as it was",
    applies: () => true,
    effort: 0.34,
    async check(subject, trial) {
      const all = rowsOf(subject, { ...trial, rows: trial.rows + 40 })
      const [first, rest] = parted(subject, all, trial)
      const more = punch(rest, holesOf(subject.model), 0.2, trial.dice)
      const begun = await fit(subject.model, first, {
        learner: subject.learner.make({ steps: 4 }, subject.model),
      })
      const text = JSON.stringify(begun)
      let before = { run: -1, objective: Number.NEGATIVE_INFINITY }
      const updated = await begun.update(more, {
        learner: subject.learner.make({ steps: 8 }, subject.model),
        onStep(step) {
          const held = step.diagnostics.some(({ code }) => code === "held-at-floor")
          const fall = step.run === before.run ? before.objective - step.objective : 0
          must(
            !(fall > 1e-10 * Math.abs(before.objective)) || held,
            () =>
              `the objective fell from ${before.objective} to ${step.objective} in step ${step.iteration}.`,
          )
          before = step
        },
      })
      must(before.run >= 0, () => "no step was taken.")
      must(JSON.stringify(begun) === text, () => "the model that was updated has changed.")
      const { rows } = updated.training!
      must(rows === all.length, () => `the updated model has learned ${rows} rows, not ${all.length}.`)
      const later = await updated.update(more.slice(0, 5), {
        learner: subject.learner.make({ steps: 1 }, subject.model),
      })
      must(later.training!.rows === all.length + 5, () => "a second update forgets the first.")
    },
  },
]

/** Rows in two parts. One level, or one word, of some column occurs only in the second part. */
function parted(
  { model }: ModelSubject,
  rows: readonly LooseRow[],
  { dice }: Trial,
): [LooseRow[], LooseRow[]] {
  const levels = [...labelsOf(model), ...columnsOf(model, "level")]
  const bags = columnsOf(model, "bag")
  const column = [...levels, ...bags][dice.integer(Math.max(levels.length + bags.length, 1))]
  const late = column === undefined ? undefined : sample(rows[dice.integer(rows.length)][column], dice)
  const isLate = (row: LooseRow): boolean =>
    column !== undefined &&
    (bags.includes(column) ? wordsOf(row[column]).includes(late as string) : row[column] === late)
  const first: LooseRow[] = []
  const more: LooseRow[] = []
  rows.forEach((row, i) => {
    if (isLate(row) || (i % 3 > 0 && dice.uniform() < 0.5)) more.push(row)
    else first.push(row)
  })
  return [first, more]
}

function sample(cell: Cell, dice: Trial["dice"]): Cell {
  const words = wordsOf(cell)
  return words.length > 0 ? words[dice.integer(words.length)] : cell
}

function wordsOf(cell: Cell): string[] {
  if (typeof cell === "string" && cell.includes(" ")) return cell.split(" ")
  return Array.isArray(cell) ? (cell as string[]) : typeof cell === "string" ? [cell] : []
}

/** The same answers, comparing levels by name: new ones come after the old. */
function agree(subject: ModelSubject, a: LooseFitted, b: LooseFitted, asked: readonly LooseRow[]): void {
  const [here, there] = [densities(a, asked), densities(b, asked)]
  asked.forEach((_, i) => {
    near(here[i], there[i], 1e-9, `ln p(row ${i})`)
  })
  for (const target of [...labelsOf(subject.model), ...columnsOf(subject.model, "level")]) {
    const p = a.posterior(asked, { target })
    const q = b.posterior(asked, { target })
    must(
      p.levels.map(String).sort().join() === q.levels.map(String).sort().join(),
      () => `the levels of ${target} are ${p.levels} and ${q.levels}.`,
    )
    const k = p.levels.length
    p.levels.forEach((level, l) => {
      const m = q.levels.indexOf(level)
      asked.forEach((_, i) => {
        near(
          p.probabilities[i * k + l],
          q.probabilities[i * k + m],
          1e-9,
          `p(${target} = ${level} | row ${i})`,
        )
      })
    })
  }
  for (const target of numericOf(subject)) {
    const others = numbersOf(b, asked, target)
    numbersOf(a, asked, target).forEach(({ value, sd }, i) => {
      near((value - others[i].value) / sd, 0, 1e-8, `the mean of ${target} in row ${i}`)
      near(sd / others[i].sd, 1, 1e-8, `the spread of ${target} in row ${i}`)
    })
  }
}
