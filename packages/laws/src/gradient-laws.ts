/**
 * Laws about the direction in which stochastic learners move the moments, and about the mass they keep.
 * Long because both are compared with the same steps.
 */
import type { Cell } from "suffice"
import type { Part, Regime } from "suffice/contract"
import type { LooseRow } from "./api.ts"
import {
  curveAt,
  directionAt,
  type Hill,
  hillOf,
  plainCourse,
  smooth,
  targetsAt,
  thetaAt,
  totalLoss,
} from "./downhill.ts"
import type { Law, Trial } from "./law.ts"
import { hidesInside, holesOf, labelsOf } from "./models.ts"
import { allNear, must, near } from "./must.ts"
import { exp, log } from "./numbers.ts"
import { namesOf } from "./parts.ts"
import type { Probe } from "./probe.ts"
import { dressed, type ModelSubject, suits } from "./subjects.ts"
import type { Dressed } from "./variants.ts"

function steps(subject: ModelSubject): true | string {
  if (suits(subject) !== true) return suits(subject)
  return subject.learner.regime !== undefined || "the learner solves, it takes no steps"
}

function contrasts(subject: ModelSubject): true | string {
  if (steps(subject) !== true) return steps(subject)
  return subject.learner.regime!("").against !== "nothing" || "nothing is contrasted: every row adds mass"
}

function naturalSteps(subject: ModelSubject): true | string {
  if (steps(subject) !== true) return steps(subject)
  return !hidesInside(subject.model) || "the parameters of topics are probabilities, not their logarithms"
}

export const gradientLaws: readonly Law<ModelSubject>[] = [
  {
    id: "A4",
    name: "along any curve θ(t) the loss falls as value(δ, θ(t)) rises, and the loss is what it says",
    applies: steps,
    effort: 0.34,
    async check(subject, trial) {
      const whole = await hillOf(subject, trial)
      for (const target of targetsAt(subject)) {
        const regime = subject.learner.regime!(target)
        const hill = smooth(whole, regime)
        const { found, block, eta } = hill
        const { delta, loss, guarded } = directionAt(hill, regime)
        must(guarded === 0, () => `${target}: ${guarded} of the smallest moves were cut short.`)
        near(loss, totalLoss(found, block, thetaAt(hill, eta), regime), 1e-9, `${target}: the loss`)
        for (let curve = 0; curve < 2; curve++) {
          const towards = curveAt(hill, trial)
          const theta = (t: number): Float64Array =>
            thetaAt(
              hill,
              eta.map((value, j) => value + t * towards[j]),
            )
          const slope = slopeOf(t => totalLoss(found, block, theta(t), regime))
          const claimed = -slopeOf(t => found.problem.theta.value(delta, theta(t)))
          near(slope, claimed, 1e-6, `${target}: the slope of the loss, and the one δ claims`)
        }
      }
    },
  },
  {
    id: "A4.natural",
    name: "δ is minus the slope of the loss in every natural coordinate of switches and words",
    applies: naturalSteps,
    effort: 0.34,
    async check(subject, trial) {
      const whole = await hillOf(subject, trial)
      const [target] = targetsAt(subject)
      const regime = subject.learner.regime!(target)
      const hill = smooth(whole, regime)
      const { delta } = directionAt(hill, regime)
      for (const part of hill.found.parts) naturalSlopes(hill, regime, part, delta, trial)
    },
  },
  {
    id: "A4.prior",
    name: "without a row to learn from, the prior pulls along its own gradient, and moves no mass",
    applies: contrasts,
    effort: 0.34,
    async check(subject, trial) {
      const { found, block, eta } = await hillOf(subject, trial)
      const [target] = targetsAt(subject)
      const spread = found.problem.theta.spread(eta.map(value => value * found.problem.data.weight))
      const course = { ...plainCourse(subject.learner.regime!(target)), prior: 1, spread }
      const moving = found.problem.moments.moving(
        {
          moments: eta,
          averages: [],
        },
        course,
      )
      const rho = 1e-4
      moving.step({ ...block, weight: new Float64Array(block.rows) }, rho, undefined)
      const after = moving.state().moments
      keepsMass(found, after, "after the pull")
      const pull = after.map((value, j) => ((value - eta[j]) / rho) * found.problem.data.weight)
      const slopes = Array.from({ length: 3 }, () => {
        const towards = eta.map(value => 0.05 * value * trial.dice.normal())
        // words move when a document contains them: there is no prior to pull them here
        for (const part of found.parts) {
          if (part.leaf.shape.lengthGiven) part.ranges.statsOf(towards).fill(0)
        }
        const h = 1e-4
        const [left, right] = [-h, h].map(t =>
          thetaAt(
            { found },
            eta.map((value, j) => value + t * towards[j]),
          ),
        )
        const slopeOf = (of: (params: Float64Array) => number): number => (of(right) - of(left)) / (2 * h)
        return {
          pulled: slopeOf(params => found.problem.theta.value(pull, params)),
          prior: slopeOf(params => found.problem.theta.logPrior(params, spread)),
        }
      })
      const norm = Math.sqrt(slopes.reduce((sum, { prior }) => sum + prior * prior, 0))
      if (norm < 1e-3) return
      const share = slopes.reduce((sum, { pulled, prior }) => sum + pulled * prior, 0) / (norm * norm)
      must(share > 0.01 && share < 1 + 1e-5, () => `the pull is ${share} times the slope of the prior.`)
      for (const { pulled, prior } of slopes)
        near(pulled / norm, (share * prior) / norm, 1e-5, "the pull along a curve")
    },
  },
  {
    id: "A4.mass",
    name: "after every step each slot has the mass of its context, above 0, whichever cells are missing",
    applies: steps,
    effort: 0.34,
    async check(subject, trial) {
      const { data, options } = byClass(subject, trial, dressed(subject, trial))
      const { found, block, eta } = await hillOf(subject, trial, { data, options })
      for (const target of targetsAt(subject)) {
        const regime = subject.learner.regime!(target)
        const course = { ...plainCourse(regime), prior: subject.learner.prior }
        const moving = found.problem.moments.moving(
          {
            moments: eta,
            averages: [],
          },
          course,
        )
        // from small steps to some that would leave the domain
        for (const rho of [0.003, 0.03, 0.3, 0.9]) {
          moving.step(block, rho, undefined)
          keepsMass(found, moving.state().moments, `${target}, after a step of ${rho}`)
        }
      }
    },
  },
  {
    id: "A8.state",
    name: "moments set in motion again from their state move as they would have",
    applies: steps,
    effort: 0.34,
    async check(subject, trial) {
      const { found, block, eta } = await hillOf(subject, trial)
      const [target] = targetsAt(subject)
      const course = plainCourse(subject.learner.regime!(target))
      const moving = found.problem.moments.moving(
        {
          moments: eta,
          averages: [],
        },
        course,
      )
      // nothing is settled in between: θ must follow every step by itself
      for (let step = 0; step < 3; step++) {
        const again = found.problem.moments.moving(moving.state(), course)
        for (const one of [moving, again]) one.step(block, 0.05, 1)
        allNear(again.state().moments, moving.state().moments, 1e-9, `the moments after step ${step}`)
      }
    },
  },
  {
    id: "A4.totals",
    name: "what one class gains others lose: the total over all classes stays",
    applies(subject) {
      if (contrasts(subject) !== true) return contrasts(subject)
      if (labelsOf(subject.model).length === 0) return "the model has no label"
      return !hasHoles(subject) || "a hole is filled by what each class expects of it"
    },
    effort: 0.34,
    async check(subject, trial) {
      const hill = await hillOf(subject, trial)
      const [target] = targetsAt(subject)
      const { delta, weight } = directionAt(hill, subject.learner.regime!(target))
      const total = massOf(hill.found.root.tree.parts(), delta, target)
      near(total, 0, 1e-9 * weight, "the mass of all classes")
      // the same parameters in all slots: value is then the inner product of θ with what all slots hold together
      const { params } = hill.found.problem.theta.solve(hill.found.problem.theta.prior, 0)
      let sum = 0
      for (const part of hill.found.parts) {
        if (part.role === "leaf")
          sum += part.leaf.value(part.ranges.statsOf(delta), part.ranges.paramsOf(params))
      }
      near(sum / (1 + weight), 0, 1e-8, "what all classes together hold of their leaves")
    },
  },
  {
    id: "A4.falls",
    name: "small steps with all rows lower the loss",
    applies: steps,
    effort: 0.34,
    async check(subject, trial) {
      const { found, block, eta } = await hillOf(subject, trial)
      const [target] = targetsAt(subject)
      const regime = subject.learner.regime!(target)
      const moving = found.problem.moments.moving(
        {
          moments: eta,
          averages: [],
        },
        plainCourse(regime),
      )
      const lossNow = (): number =>
        totalLoss(found, block, thetaAt({ found }, moving.state().moments), regime)
      const before = lossNow()
      for (let step = 0; step < 8; step++) moving.step(block, 0.02, undefined)
      const after = lossNow()
      must(after < before + 1e-9 * (1 + Math.abs(before)), () => `the loss rose from ${before} to ${after}.`)
    },
  },
]

/** f′(0), by differences over h and h/2, combined so that the error of order h² cancels (Richardson 1911). */
function slopeOf(f: (t: number) => number): number {
  const h = 2e-4
  const over = (step: number): number => (f(step) - f(-step)) / (2 * step)
  return (4 * over(h / 2) - over(h)) / 3
}

/** Removes the cells of one column in all rows of one class: missing, and informative. For rows in memory, every other time. */
function byClass(
  { model }: ModelSubject,
  { dice }: Trial,
  { data, options }: Dressed,
): Pick<Dressed, "data" | "options"> {
  const features = holesOf(model)
  const [label] = labelsOf(model)
  if (!Array.isArray(data) || label === undefined || dice.uniform() < 0.5) return { data, options }
  const column = features[dice.integer(features.length)]
  const rows = data as readonly LooseRow[]
  const level = rows.find(row => row[label] !== null && row[label] !== undefined)?.[label]
  // the first row keeps all, so that no column is empty
  const holed = rows.map(
    (row, i): Readonly<Record<string, Cell>> =>
      i > 0 && row[label] === level ? { ...row, [column]: null } : row,
  )
  return { data: holed, options }
}

function keepsMass({ root }: Probe, eta: Float64Array, when: string): void {
  root.descend(eta, Float64Array.of(1), (part, mass) => {
    mass?.forEach((wanted, p) => {
      const what = namesOf(part).join(", ")
      must(wanted > 0, () => `${when}: context ${p} of ${what} has the mass ${wanted}.`)
      if (part.leaf.shape.lengthGiven) return
      const own = part.leaf.mass(part.ranges.statsOf(eta), p)
      must(
        Math.abs(own - wanted) <= 1e-8 * wanted,
        () => `${when}: slot ${p} of ${what} has the mass ${own}, its context ${wanted}.`,
      )
      must(
        part.leaf.inside(part.ranges.statsOf(eta), p),
        () => `${when}: slot ${p} of ${what} has left the domain.`,
      )
    })
  })
}

/** The mass of all contexts of the switch over a column. */
function massOf(parts: Iterable<Part>, stats: Float64Array, column: string): number {
  let total = 0
  for (const part of parts) {
    if (part.role === "leaf" || part.columns[0].name !== column) continue
    for (let p = 0; p < part.leaf.shape.slots; p++) total += part.leaf.mass(part.ranges.statsOf(stats), p)
  }
  return total
}

function hasHoles({ variant }: ModelSubject): boolean {
  return variant.name.includes("missing cells")
}

/**
 * Parameters that are logarithms are natural coordinates after renormalisation: there the slope of the loss is
 * −(δ_j − Σδ·p_j), the sum over the same slot.
 */
function naturalSlopes(hill: Hill, regime: Regime, part: Part, delta: Float64Array, { dice }: Trial): void {
  const isWords = part.leaf.shape.lengthGiven === true && part.role === "leaf"
  // visits to the states of a chain have no θ
  if ((part.role === "leaf" && !isWords) || part.leaf.shape.parameters === 0) return
  const { found, block, eta } = hill
  const params = thetaAt(hill, eta)
  const { slots, statistics } = part.leaf.shape
  const { paramsAt, statsAt } = part.ranges
  const size = isWords ? statistics - slots : statistics
  for (let turn = 0; turn < Math.min(size, 6); turn++) {
    const j = dice.integer(size)
    // a transition that the structure forbids
    if (params[paramsAt + j] === Number.NEGATIVE_INFINITY) continue
    const p = j % slots
    const norm = isWords ? params[paramsAt + size + p] : 0
    const chance = exp(params[paramsAt + j] - norm)
    let sum = 0
    for (let k = p; k < size; k += slots) sum += delta[statsAt + k]
    const at = (t: number): Float64Array => {
      const moved = params.slice()
      moved[paramsAt + j] += t
      const more = log(1 + chance * (exp(t) - 1))
      if (isWords) moved[paramsAt + size + p] += more
      else for (let k = p; k < size; k += slots) moved[paramsAt + k] -= more
      return moved
    }
    const h = 1e-4
    const slope = (totalLoss(found, block, at(h), regime) - totalLoss(found, block, at(-h), regime)) / (2 * h)
    near(
      -slope,
      delta[statsAt + j] - sum * chance,
      1e-6,
      `coordinate ${j} of ${isWords ? part.columns[0].name : "a switch"}`,
    )
  }
}
