/** Habits of every answer: inputs are not changed, rows do not affect each other, and saving loses nothing. */
import { SufficeError } from "suffice"
import { numericOf, questions } from "./answer-laws.ts"
import { type LooseData, type LooseFitted, type LooseRow, load, numbersOf } from "./api.ts"
import { columnsFrom, deepFreeze } from "./habits.ts"
import type { Law, Trial } from "./law.ts"
import { givenBy } from "./models.ts"
import { must } from "./must.ts"
import { fitted, type ModelSubject, rowsOf, targetsOf } from "./subjects.ts"

/** Every bit of an answer as text, including −0 and what JSON cannot write. */
function text(answer: unknown): string {
  return JSON.stringify(answer, (_, value) =>
    typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))
      ? `number ${Object.is(value, -0) ? "-0" : value}`
      : value,
  )
}

/** The targets: one number and one level, chosen at random. */
interface Targets {
  readonly number: string | undefined
  readonly level: string | undefined
  /** Cells that the model only reads. */
  readonly given: LooseRow
}

function chosen(
  subject: ModelSubject,
  model: LooseFitted,
  [row]: readonly LooseRow[],
  { dice }: Trial,
): Targets {
  const pick = (names: readonly string[]): string | undefined =>
    names[dice.integer(Math.max(names.length, 1))]
  return {
    number: pick(numericOf(subject)),
    level: pick(targetsOf(subject, model.describe())),
    given: givenBy(subject.model, row),
  }
}

/** Answers with one part per row, each part as text. */
function byRow(model: LooseFitted, rows: LooseData, { number, level }: Targets): Record<string, string[]> {
  const { rows: filled, spread } = model.impute(rows)
  return {
    impute: filled.map((row, i) => text([row, spread[i]])),
    ...(number !== undefined && { "predict, a number": numbersOf(model, rows, number).map(text) }),
    ...(level !== undefined && {
      "predict, a level": model.predict(rows, { target: level }).map(text),
      labels: model.labels(rows, { target: level }).map(text),
      decide: model.decide(rows, { target: level, reject: 0.2 }).map(text),
    }),
  }
}

/** Everything else, as text. */
function atOnce(
  model: LooseFitted,
  rows: readonly LooseRow[],
  { level, given }: Targets,
): Record<string, string> {
  return {
    draws: text(model.impute(rows, { draws: 2, seed: 5 }).draws),
    sample: orRefusal(() => model.sample(3, { seed: 6, words: 3, given })),
    anomalies: orRefusal(() => model.anomalies(rows, { quantile: 0.2 })),
    ...(level !== undefined && {
      prototypes: orRefusal(() => model.prototypes(rows, { target: level })),
      explain: text(rows.slice(0, 2).map(row => model.explain(row, { target: level }))),
    }),
  }
}

function sameText(a: string, b: string, what: string): void {
  must(a === b, () => `${what}: ${a.slice(0, 300)} and ${b.slice(0, 300)} are not the same.`)
}

export const answerHabits: readonly Law<ModelSubject>[] = [
  {
    id: "B.answers",
    name: "every answer treats rows one by one, leaves what it is given, and changes nothing",
    applies: () => true,
    effort: 0.34,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} }, { steps: 4 })
      const targets = chosen(subject, model, rows, trial)
      const few = deepFreeze(questions(subject, rows, trial, 9)) as readonly LooseRow[]
      const written = text(few)
      const before = text(model.describe())
      const once = byRow(model, few, targets)
      const rest = atOnce(model, few, targets)
      // more than one block, so that state left behind by a block would show
      const order = Array.from({ length: 259 }, (_, i) => (i * 7) % few.length)
      const many = byRow(
        model,
        order.map(i => few[i]),
        targets,
      )
      const reversed = byRow(model, few.slice().reverse(), targets)
      const columns = byRow(model, columnsFrom(few, false), targets)
      for (const [answer, parts] of Object.entries(once)) {
        order.forEach((i, at) => {
          sameText(many[answer][at], parts[i], `${answer}: row ${at} of many`)
        })
        few.forEach((row, i) => {
          sameText(reversed[answer][few.length - 1 - i], parts[i], `${answer}: row ${i} in reverse`)
          sameText(byRow(model, [row], targets)[answer][0], parts[i], `${answer}: row ${i} alone`)
        })
        // impute returns rows with the keys they came with
        if (answer !== "impute") sameText(text(columns[answer]), text(parts), `${answer}: as columns`)
      }
      for (const [answer, whole] of Object.entries(atOnce(model, few, targets)))
        sameText(whole, rest[answer], `${answer}, asked again`)
      sameText(text(few), written, "the rows after they were asked about")
      sameText(text(model.describe()), before, "the model after it was asked")
    },
  },
  {
    id: "A14.answers",
    name: "saved and loaded, every answer is the same to the bit",
    applies: () => true,
    effort: 0.34,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} }, { steps: 4 })
      const targets = chosen(subject, model, rows, trial)
      const few = questions(subject, rows, trial, 6)
      const back = load(JSON.stringify(model), { families: subject.specimen.families ?? [] })
      const before = {
        ...byRow(model, few, targets),
        ...atOnce(model, few, targets),
        linear: orRefusal(() => model.toLinear()),
      }
      const after = {
        ...byRow(back, few, targets),
        ...atOnce(back, few, targets),
        linear: orRefusal(() => back.toLinear()),
      }
      for (const [answer, told] of Object.entries(before))
        sameText(text(after[answer as keyof typeof after]), text(told), `${answer} of the loaded model`)
      const more = rows.slice(0, 8)
      const learner = subject.learner.make({ steps: 2 }, subject.model)
      const [one, other] = [await model.update(more, { learner }), await back.update(more, { learner })]
      sameText(text(other.describe()), text(one.describe()), "the loaded model after an update")
    },
  },
]

/** An answer that some models refuse, or why. */
function orRefusal(ask: () => unknown): string {
  try {
    return text(ask())
  } catch (error) {
    if (!(error instanceof SufficeError)) throw error
    return error.message
  }
}
