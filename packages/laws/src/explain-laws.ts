/** Laws about explanations: explain(), toLinear(), and how a leaf divides its score. */
import { type Block, type Column, type Description, linearScores } from "suffice"
import type { Bags, Feature } from "suffice/contract"
import { questions } from "./answer-laws.ts"
import type { LooseFitted, LooseRow } from "./api.ts"
import type { Law } from "./law.ts"
import {
  columnsOf,
  hasNetwork,
  holesOf,
  isHidden,
  isMixture,
  isScaled,
  labelsOf,
  leafColumns,
} from "./models.ts"
import { must, near, refuses } from "./must.ts"
import { namesOf } from "./parts.ts"
import { cut, probe } from "./probe.ts"
import { fitted, type ModelSubject, rowsOf, someParameters, switchesIn, targetsOf } from "./subjects.ts"
import { isHole, punch } from "./variants.ts"

export const explainLaws: readonly Law<ModelSubject>[] = [
  {
    id: "A6.explained",
    name: "prior and contributions add up to the log-odds; what is missing contributes nothing",
    applies: ({ model }) =>
      labelsOf(model).length + columnsOf(model, "level").length > 0 ||
      isMixture(model) ||
      "no column has levels",
    effort: 0.34,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} }, { steps: 4 })
      const all = questions(subject, rows, trial, 4)
      const asked = [all[0], all[1], all[2], all[all.length - 1]]
      for (const target of targetsOf(subject, model.describe())) {
        const { levels, logs } = model.posterior(asked, { target })
        const k = levels.length
        asked.forEach((row, i) => {
          const a = trial.dice.integer(k)
          const b = (a + 1 + trial.dice.integer(k - 1)) % k
          const asIs = i % 2 === 0
          const told = model.explain(row, { target, ...(!asIs && { level: levels[a], against: levels[b] }) })
          const [at, off] = [levels.indexOf(told.level), levels.indexOf(told.against)]
          if (!asIs) must(at === a && off === b, () => `${told.level} against ${told.against} was explained.`)
          const ln = (l: number): number => logs[i * k + l]
          if (asIs)
            levels.forEach((_, l) => {
              must(
                ln(at) >= ln(l) && (l === at || ln(off) >= ln(l)),
                () => `${told.level} is not the likeliest.`,
              )
            })
          near(told.logOdds, ln(at) - ln(off), 1e-9, `the log-odds of ${target} in row ${i}`)
          const sum = told.terms.reduce((total, term) => total + term.contribution, told.prior)
          near(sum, told.logOdds, 1e-9, `prior + contributions for ${target} in row ${i}`)
          for (const { column, word, value, contribution } of told.terms) {
            must(column !== target, () => `${target} explains itself.`)
            if (word === undefined && isHole(value))
              must(contribution === 0, () => `${column} is missing, but contributes ${contribution}.`)
            if (word === undefined && !column.includes(", "))
              must(isHole(value) === isHole(row[column]), () => `${column} is told as ${String(value)}.`)
          }
          near(told.prior, oddsOf(model, {}, row, target, at, off), 1e-9, `the prior odds of ${target}`)
          if (!isPlain(subject, target)) return
          // one switch and nothing hidden: a leaf contributes what it would contribute alone
          const modelled = subject.model.uses.filter(use => use.role !== "read")
          for (const group of new Set(modelled.map(use => use.group))) {
            const members = modelled.filter(use => use.group === group)
            const columns = members.map(use => use.column)
            if (columns.includes(target)) continue
            const there = [...columns, ...members.flatMap(use => use.reads ?? [])]
            const only = Object.fromEntries(there.map(column => [column, row[column]]))
            const own = told.terms
              .filter(term => columns.includes(term.column))
              .reduce((total, term) => total + term.contribution, 0)
            const alone = oddsOf(model, only, row, target, at, off) - told.prior
            near(own, alone, 1e-9, `what ${columns.join(", ")} contributes to ${target} in row ${i}`)
          }
        })
      }
    },
  },
  {
    id: "A6.linear",
    name: "where the posterior of a switch is a softmax of features, toLinear() is it; elsewhere it is refused",
    applies: ({ model }) =>
      labelsOf(model).length > 0 || isMixture(model) || "nothing is chosen: the model has no switch",
    effort: 0.34,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} }, { steps: 4 })
      const description = model.describe()
      const { parts } = await probe(subject.model, rows)
      for (const target of switchesIn(description)) {
        const [only] = switchesBelow(description[target] as Description | undefined)
        // in a network, what a cell says depends on those it is given
        const isLinear =
          parts.every(part => part.leaf.terms?.linear !== undefined) && !hasNetwork(subject.model)
        if (!(target in description) || only !== undefined || isScaled(subject.model) || !isLinear) {
          await refuses(() => model.toLinear({ target }), "model", [target], `toLinear() of ${target}`)
          continue
        }
        const linear = model.toLinear({ target })
        const { levels, logs } = model.posterior(rows, { target })
        must(levels.join() === linear.levels.join(), () => `the levels are ${linear.levels}.`)
        rows.slice(0, 12).forEach((row, i) => {
          linearScores(linear, row).forEach((score, l) => {
            const odds = logs[i * levels.length + l] - logs[i * levels.length]
            near(score, odds, 1e-8, `ln p(${levels[l]}) − ln p(${levels[0]}) of row ${i}`)
          })
        })
      }
      for (const target of columnsOf(subject.model, "level"))
        await refuses(() => model.toLinear({ target }), "model", [target], `toLinear() of ${target}`)
    },
  },
  {
    id: "A2.shares",
    name: "the shares of columns or words add up to a leaf's score",
    applies: ({ model }) =>
      columnsOf(model, "bag").length > 0 ||
      leafColumns(model.spec).some(columns => columns.length > 1) ||
      "every leaf has one column, which is its one share",
    effort: 0.34,
    async check(subject, trial) {
      const rows = punch(rowsOf(subject, trial).slice(0, 24), holesOf(subject.model), 0.3, trial.dice)
      const found = await probe(subject.model, rows)
      const params = await someParameters(found)
      for (const part of found.parts) {
        if (!part.leaf.terms?.contributions) continue
        const column = found.columns.find(({ name }) => name === part.columns[0].name)!
        // topics have a term of the whole document besides
        const whole = part.leaf.topics ? 1 : 0
        const size = column.kind === "bag" ? column.words.length + whole : namesOf(part).length
        for (let i = 0; i < found.blocks[0].rows; i++) {
          const row = cut(found.blocks[0], i, i + 1)
          const scores = new Float64Array(part.leaf.shape.slots)
          part.leaf.score(row, part.ranges.paramsOf(params), scores)
          for (let p = 0; p < part.leaf.shape.slots; p++) {
            const shares = new Float64Array(size)
            part.leaf.terms?.contributions(row, part.ranges.paramsOf(params), p, shares)
            const sum = shares.reduce((total, share) => total + share, 0)
            near(sum, scores[p], 1e-10, `the shares of ${namesOf(part).join(", ")}, slot ${p}, row ${i}`)
          }
        }
      }
    },
  },
  {
    id: "A2.linear",
    name: "a leaf's linear form is its score, but for what is the same in every slot",
    applies: () => true,
    effort: 0.34,
    async check(subject, trial) {
      const found = await probe(subject.model, rowsOf(subject, trial).slice(0, 24))
      const params = await someParameters(found)
      for (const part of found.parts) {
        // a hidden column is in no row
        if (part.role !== "leaf" || !part.leaf.terms?.linear || part.places[0] < 0) continue
        for (let i = 0; i < found.blocks[0].rows; i++) {
          const row = cut(found.blocks[0], i, i + 1)
          const scores = new Float64Array(part.leaf.shape.slots)
          part.leaf.score(row, part.ranges.paramsOf(params), scores)
          // ln h(row) = score − Σ weight · feature
          const base = scores.map((score, p) =>
            part.leaf.terms!.linear!(part.ranges.paramsOf(params), p).reduce(
              (left, [feature, weight]) => left - weight * featureOf(found.columns, row, feature),
              score,
            ),
          )
          for (let p = 1; p < part.leaf.shape.slots; p++)
            near(base[p], base[0], 1e-9, `ln h of row ${i} by ${namesOf(part).join(", ")}, slots ${p} and 0`)
        }
      }
    },
  },
]

/** ln p(a | cells) − ln p(b | cells), of a row that holds nothing else. */
function oddsOf(
  model: LooseFitted,
  cells: LooseRow,
  row: LooseRow,
  target: string,
  a: number,
  b: number,
): number {
  const nothing = Object.fromEntries(Object.keys(row).map(column => [column, null]))
  const { logs } = model.posterior([{ ...nothing, ...cells }], { target })
  return logs[a] - logs[b]
}

/** Is the target the only switch of the model, and the only column that others depend on? */
function isPlain({ model }: ModelSubject, target: string): boolean {
  return labelsOf(model).join() === target && !isHidden(model) && !hasNetwork(model)
}

function switchesBelow(entry: Description | undefined): string[] {
  const given = (entry?.given ?? {}) as Record<string, Description>
  return Object.values(given).flatMap(body =>
    Object.entries(body).flatMap(([name, part]) =>
      typeof part === "object" && part !== null && "given" in part ? [name] : [],
    ),
  )
}

/** A feature of the one row of a block, in encoded units. */
function featureOf(columns: readonly Column[], row: Block, feature: Feature): number {
  if (feature.kind === "1") return 1
  const at = (name: string): number => columns.findIndex(column => column.name === name)
  const number = (name: string): number => (row.cells[at(name)] as Float64Array)[0]
  const place = at(feature.column)
  const column = columns[place]
  switch (feature.kind) {
    case "x":
      return number(feature.column)
    case "x²":
      return number(feature.column) * number(feature.column)
    case "xy":
      return number(feature.column) * number(feature.other)
    case "level": {
      const code = (row.cells[place] as Int32Array)[0]
      return column.kind === "level" && column.levels[code] === feature.level ? 1 : 0
    }
    case "count":
    case "word": {
      const { words, counts } = row.cells[place] as Bags
      const t = column.kind === "bag" ? words.indexOf(column.words.indexOf(feature.word)) : -1
      return t < 0 ? 0 : feature.kind === "word" ? 1 : counts[t]
    }
    default:
      return feature satisfies never
  }
}
