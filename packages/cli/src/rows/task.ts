/** Rows of a table, as a task. */
import type { Columns } from "suffice"
import { graphIn } from "suffice/describe"
import type { Card, NetworkAnswer, QualityAnswer } from "../answers.ts"
import { componentsAnswer } from "../components.ts"
import { dataText, isWide } from "../data.ts"
import { many } from "../format.ts"
import { learnedAnswer } from "../learned/answer.ts"
import { learnedBy } from "../learner.ts"
import type { LooseFitted } from "../loose.ts"
import type { Task } from "../task.ts"
import { type Telling, tellingFeatures } from "../telling.ts"
import { basisOf } from "../training.ts"
import { tellingFindings } from "./findings.ts"
import { beginning, learned, measuredOf } from "./learn.ts"
import type { FittingOptions, Parts, Prepared } from "./prepare.ts"

/** `testRows`: the rows of a test file, as a model reads them. */
export function rowsTask(
  { plan, wanted, parts, data, dates }: Prepared,
  options: FittingOptions,
  testRows?: (fitted: LooseFitted) => Promise<Columns>,
): Task {
  const brief = isWide(data.columns.length)
  const rowsOf = (fitted: LooseFitted): number => fitted.training?.rows ?? 0
  return {
    name: wanted.name,
    data,
    text: dates ? `${dataText(data)}\n${dates.text}\n` : dataText(data),
    brief,
    target: wanted.target,
    seed: options.seed ?? 0,
    ...(dates && { dates: dates.tried }),
    learn: (work, watch) => learned(work, wanted, parts, data.rows, options, watch),
    targeted: fitted => (wanted.target === undefined ? fitted : fitted.withTarget(wanted.target)),
    inWords: ({ fitted, choice }) => ({
      name: choice?.name ?? wanted.name,
      by: choice?.learner ?? learnedBy(fitted, plan.learner!),
    }),
    extent(fitted) {
      const rows = many(rowsOf(fitted), "row")
      return {
        sentence: rows,
        lead: `${rows} of ${data.name}`,
        facts: [
          ["data", `${data.name}, ${many(data.rows, "row")}`],
          ["learned from", rows],
        ],
        unit: "row",
        units: rowsOf(fitted),
      }
    },
    measure: fitted => measuredOf(fitted, parts, options, testRows && (() => testRows(fitted))),
    findings(fitted, measurement) {
      const telling = measurement ? tellingOf(fitted, measurement.quality, measurement.columns) : []
      return tellingFindings(telling, measurement?.quality.evaluation, brief, () => sectionsOf(fitted, parts))
    },
    counts: (fitted, measurement) => ({
      rows: { learned: rowsOf(fitted), measured: measurement?.quality.rows ?? 0 },
    }),
    train: () => beginning(parts.train),
  }
}

/** The features that a model uses to tell levels apart. */
export function tellingOf(fitted: LooseFitted, { evaluation }: QualityAnswer, columns: Columns): Telling[] {
  return evaluation.kind === "levels" ? tellingFeatures(fitted, columns, fitted.model.target!) : []
}

/** Sections of the report beside quality and features. */
async function sectionsOf(fitted: LooseFitted, { train }: Parts): Promise<Partial<Card>> {
  const inMemory = Symbol.asyncIterator in train ? undefined : (train as Columns)
  const components = componentsAnswer(fitted, inMemory)
  const learned = learnedAnswer(fitted, await beginning(train))
  const network = networkAnswer(fitted)
  return {
    ...(components && { components }),
    ...(learned && { learned }),
    ...(network && { network }),
    basis: basisOf(fitted),
  }
}

/** The graph of a network, alone or below a label; undefined: it is another model. */
function networkAnswer({ model }: LooseFitted): NetworkAnswer | undefined {
  const nodes = graphIn(model.spec)
  const arrows = nodes?.flatMap(({ name, parents }) =>
    parents.map(parent => ({ from: parent, to: name, isReversible: false })),
  )
  return nodes && arrows && { nodes, arrows, isGiven: true }
}
