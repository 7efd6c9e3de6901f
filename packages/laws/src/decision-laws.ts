/** Laws about decisions, and about posteriors when class frequencies differ from those in training. */
import { questions } from "./answer-laws.ts"
import type { LooseFitted, LooseRow } from "./api.ts"
import type { Law, Trial } from "./law.ts"
import { columnsOf, featuresOf, isMixture, labelsOf } from "./models.ts"
import { allNear, must, near } from "./must.ts"
import { fitted, type ModelSubject, rowsOf, targetsOf } from "./subjects.ts"

function hasTarget({ model }: ModelSubject): true | string {
  return (
    labelsOf(model).length + columnsOf(model, "level").length > 0 ||
    isMixture(model) ||
    "no column has levels"
  )
}

interface Case {
  readonly model: LooseFitted
  readonly asked: readonly LooseRow[]
  readonly target: string
  readonly names: readonly string[]
  readonly probabilities: Float64Array
}

/** Every target of a fitted model, with rows to predict. */
async function cases(subject: ModelSubject, trial: Trial): Promise<Case[]> {
  const rows = rowsOf(subject, trial)
  const model = await fitted(subject, { data: rows, options: {} }, { steps: 4 })
  const asked = questions(subject, rows, trial, 12)
  return targetsOf(subject, model.describe()).map(target => {
    const { levels, probabilities } = model.posterior(asked, { target })
    return { model, asked, target, names: levels.map(String), probabilities }
  })
}

export const decisionLaws: readonly Law<ModelSubject>[] = [
  {
    id: "A11.risk",
    name: "the decision is the action of least expected loss, by brute force",
    applies: hasTarget,
    effort: 0.34,
    async check(subject, trial) {
      for (const { model, asked, target, names, probabilities } of await cases(subject, trial)) {
        const k = names.length
        const actions = ["wait", "act", "flee", "pay"].slice(0, 2 + trial.dice.integer(3))
        const price = (): number => {
          const u = trial.dice.uniform()
          // gains are negative costs; what must never happen costs infinitely much
          return u < 0.1 ? Number.POSITIVE_INFINITY : u < 0.2 ? 0 : 4 * trial.dice.normal()
        }
        const loss = Object.fromEntries(
          names.map(level => [level, Object.fromEntries(actions.map(action => [action, price()]))]),
        )
        const risk = (i: number, action: string): number =>
          names.reduce((sum, level, l) => {
            const p = probabilities[i * k + l]
            return p === 0 ? sum : sum + p * loss[level][action]
          }, 0)
        model.decide(asked, { loss, target }).forEach((decision, i) => {
          const risks = actions.map(action => risk(i, action))
          near(decision.risk, Math.min(...risks), 1e-10, `the least risk of row ${i}`)
          near(risk(i, decision.action), decision.risk, 1e-10, `the risk of ${decision.action}`)
          actions.forEach((action, a) => {
            near(decision.risks[action], risks[a], 1e-10, `the risk of ${action} in row ${i}`)
          })
        })
      }
    },
  },
  {
    id: "A11.mistakes",
    name: "if every mistake costs the same, the decision is the most probable level",
    applies: hasTarget,
    effort: 0.34,
    async check(subject, trial) {
      for (const { model, asked, target, names, probabilities } of await cases(subject, trial)) {
        const k = names.length
        const loss = Object.fromEntries(
          names.map(level => [level, Object.fromEntries(names.map(to => [to, level === to ? 0 : 1]))]),
        )
        const predictions = model.predict(asked, { target })
        for (const options of [{ target }, { target, loss }]) {
          model.decide(asked, options).forEach((decision, i) => {
            const own = probabilities.subarray(i * k, (i + 1) * k)
            const top = Math.max(...own)
            must(
              own[names.indexOf(decision.action)] >= top - 1e-12,
              () => `row ${i}: ${decision.action} is chosen, but the posterior is ${own}.`,
            )
            near(decision.risk, 1 - top, 1e-12, `the risk of row ${i}`)
            near(predictions[i].probability, top, 0, `predict() and posterior() of row ${i}`)
          })
        }
      }
    },
  },
  {
    id: "A11.reject",
    name: "the dearer it is to decline, the fewer rows are declined",
    applies: hasTarget,
    effort: 0.34,
    async check(subject, trial) {
      for (const { model, asked, target } of await cases(subject, trial)) {
        const free = model.decide(asked, { target })
        const costs = [-1, 0, ...Array.from({ length: 6 }, () => trial.dice.uniform()), 1, Infinity].sort(
          (a, b) => a - b,
        )
        let declined = asked.map(() => true)
        for (const reject of costs) {
          const decisions = model.decide(asked, { target, reject })
          decisions.forEach(({ action, risk }, i) => {
            const declines = action === "reject"
            must(
              !declines || declined[i],
              () => `row ${i} is declined at ${reject}, but not when it is cheaper.`,
            )
            must(
              declines === reject < free[i].risk,
              () => `row ${i} risks ${free[i].risk}; at ${reject} the decision is ${action}.`,
            )
            near(risk, Math.min(reject, free[i].risk), 1e-12, `the risk of row ${i} at ${reject}`)
          })
          declined = decisions.map(({ action }) => action === "reject")
        }
        must(!declined.some(Boolean), () => "a row is declined although that costs infinitely much.")
      }
    },
  },
  {
    id: "A11.prior",
    name: "another prior reweighs the posterior by the ratio of the priors, and back again",
    applies: hasTarget,
    effort: 0.34,
    async check(subject, trial) {
      const nothing = Object.fromEntries(featuresOf(subject.model).map(name => [name, null]))
      for (const { model, asked, target, names, probabilities } of await cases(subject, trial)) {
        const k = names.length
        const own = model.posterior([nothing], { target }).probabilities
        const named = (values: ArrayLike<number>): Record<string, number> =>
          Object.fromEntries(names.map((name, l) => [name, values[l]]))
        const under = (prior: ArrayLike<number>, classWeights?: ArrayLike<number>): Float64Array =>
          model.posterior(asked, {
            target,
            prior: named(prior),
            ...(classWeights && { classWeights: named(classWeights) }),
          }).probabilities
        const what = `the posterior of ${target}`
        allNear(under(own), probabilities, 1e-12, `${what} under its own prior`)
        const other = Float64Array.from(names, () => 0.05 + trial.dice.gamma(1))
        const shifted = under(other)
        const ratio = other.map((p, l) => p / own[l])
        allNear(shifted, reweighed(probabilities, ratio, k), 1e-9, `${what} under another prior`)
        allNear(
          reweighed(
            shifted,
            ratio.map(r => 1 / r),
            k,
          ),
          probabilities,
          1e-9,
          `${what}, shifted and shifted back`,
        )
        const weights = Float64Array.from(names, () => 0.2 + trial.dice.gamma(1))
        const both = other.map((p, l) => p * weights[l])
        allNear(under(other, weights), under(both), 1e-9, `${what} with class weights`)
        const { logs } = model.posterior(asked, { target })
        names.forEach((name, l) => {
          const sure = under(names.map((_, m) => (m === l ? 1 : 0)))
          asked.forEach((_, i) => {
            // an impossible level stays impossible
            if (logs[i * k + l] === Number.NEGATIVE_INFINITY) return
            near(sure[i * k + l], 1, 1e-15, `p(${name} | row ${i}) if nothing else can be`)
          })
        })
      }
    },
  },
]

function reweighed(probabilities: Float64Array, factors: Float64Array, count: number): Float64Array {
  const out = probabilities.map((p, j) => p * factors[j % count])
  for (let at = 0; at < out.length; at += count) {
    const sum = out.subarray(at, at + count).reduce((total, value) => total + value, 0)
    for (let l = 0; l < count; l++) out[at + l] /= sum
  }
  return out
}
