/** Laws about what must not matter to stochastic learners: the unit of weights, whether rows or classes have them, numbers of components, the order of columns, units. */
import { type Description, em, type LearnerStep } from "suffice"
import type { SdemOptions } from "suffice/learn"
import { fit, type LooseRow } from "./api.ts"
import { hillOf, plainCourse, targetsAt } from "./downhill.ts"
import type { Law } from "./law.ts"
import { hinge, ncll, targetsFor } from "./learners.ts"
import { columnsOf, holds, isHidden, labelsOf } from "./models.ts"
import { allNear, same, sameDescription } from "./must.ts"
import { probe } from "./probe.ts"
import { answers, hasHidden, learnedBy, type ModelSubject, rowsOf } from "./subjects.ts"
import { hasOwnBodies, symmetryLaws, turn } from "./symmetry-laws.ts"

export const stochasticSymmetryLaws: readonly Law<ModelSubject>[] = [
  {
    id: "A10.scale",
    name: "twice the weights and the prior are the same model; so is every row twice, all at once, while slots hold few rows",
    applies({ model }) {
      if (columnsOf(model, "bag").length > 0)
        return "how rare a word is, and how firmly it stays, is counted in documents"
      return targetsFor(model, "ncll").length > 0 || "a bag of words cannot be a target"
    },
    effort: 0.67,
    async check(subject, trial) {
      const specimen = trial.dice.uniform() < 0.5 && hinge.suits!(subject.model) === true ? hinge : ncll
      const rows = rowsOf(subject, trial).map(row => ({ ...row, w: 0.2 + trial.dice.gamma(2) }))
      const many = rows.map(row => ({ ...row, w: 2 * row.w }))
      const learned = (data: readonly LooseRow[], prior: number, batch: number, more: SdemOptions = {}) =>
        fit(subject.model, data, {
          weight: "w",
          learner: specimen.make({}, subject.model, { prior, batch, ...more }),
        })
      const own = { ...subject, learner: specimen }
      // the spread within slots divides by the number of rows minus one, so it depends on their number; here it is given
      if (holds(subject.model, "number")) {
        // first guesses are drawn row by row
        if (isHidden(subject.model)) return
        const [target] = targetsAt(own)
        const moved = async (data: readonly LooseRow[], prior: number, spread?: Float64Array) => {
          const { problem, blocks } = await probe(subject.model, data, { weight: "w" })
          const { stats } = await problem.data.sweep()
          const within = spread ?? problem.theta.spread(stats)
          const counts = problem.theta.withPrior(stats, prior, within)
          const course = { ...plainCourse(specimen.regime!(target)), prior, spread: within }
          const moving = problem.moments.moving(counts, course)
          for (let step = 0; step < 4; step++) moving.step(blocks[0], 0.03, undefined)
          return { within, moments: moving.state().moments }
        }
        const once = await moved(rows, 1)
        const twice = await moved(many, 2, once.within)
        allNear(twice.moments, once.moments, 1e-9, "moments after weights times 2")
        return
      }
      const [one, other] = [await learned(rows, 1, 16), await learned(many, 2, 16)]
      // a component starves below the weight of one row: reseeding depends on the unit of weights
      const seeded = [one, other].some(({ training }) => training!.run > 1)
      if (!seeded) {
        allNear(answers(own, other, rows), answers(own, one, rows), 1e-6, "answers after weights times 2")
      }
      // first guesses are drawn row by row
      if (isHidden(subject.model)) return
      // and so are the rows on which a temperature is chosen
      const raw = { calibrate: false }
      const once = answers(own, await learned(rows, 1, 1e6, raw), rows)
      const twice = answers(own, await learned([...rows, ...rows], 2, 1e6, raw), rows)
      allNear(twice, once, 1e-6, "answers after every row twice")
    },
  },
  {
    id: "A7.classes",
    name: "a class weight is a weight on the labelled rows of the class, in the discriminative part alone",
    applies: ({ model }) => labelsOf(model).length > 0 || "the model has no label",
    effort: 0.34,
    async check(subject, trial) {
      const own = { ...subject, learner: trial.dice.uniform() < 0.5 ? ncll : hinge }
      const { found, block } = await hillOf(own, trial)
      const [target] = targetsAt(own)
      const place = found.columns.findIndex(({ name }) => name === target)
      const column = found.columns[place]
      if (column.kind !== "level") throw new Error("a label without levels.")
      const factors = column.levels.map(() => 0.2 + trial.dice.gamma(2))
      const classWeights = Object.fromEntries(column.levels.map((level, l) => [String(level), factors[l]]))
      const rho = 0.01
      const words = { rho: 1, decay: 0 }
      const more = {
        classWeights,
        epochs: 1,
        batch: 1e6,
        average: false,
        stepSize: { kind: "constant", rho },
        words,
      } as const
      const steps: LearnerStep[] = []
      for await (const step of own.learner.make({}, subject.model, more).learn(found.problem, found.dice))
        steps.push(step)
      const [before, after] = steps.slice(-2)
      const { spread } = after
      const counts = found.problem.theta.withPrior(before.stats, before.prior, spread)
      const course = { regime: own.learner.regime!(target), generative: 0, prior: 1, spread }
      const moving = found.problem.moments.moving(counts, course)
      const codes = block.cells[place] as Int32Array
      moving.step({ ...block, weight: block.weight.map((w, i) => w * factors[codes[i]]) }, rho, 1)
      moving.settle()
      allNear(after.state!().arrays.moments, moving.state().moments, 1e-9, "the moments")
    },
  },
  {
    id: "A10.numbers",
    name: "renumbering the components renumbers what sdEM learns",
    applies(subject) {
      if (hasHidden(subject) !== true) return hasHidden(subject)
      if (hasOwnBodies(subject.model.spec))
        return "components with bodies or an order of their own cannot change places"
      if (targetsFor(subject.model, "ncll").length === 0) return "a bag of words cannot be a target"
      return true
    },
    effort: 0.34,
    async check(subject, trial) {
      const own = {
        ...subject,
        learner: trial.dice.uniform() < 0.5 && hinge.suits!(subject.model) === true ? hinge : ncll,
      }
      const rows = rowsOf(subject, trial)
      const isComponent = (name: string): boolean => !labelsOf(subject.model).includes(name)
      const start = (await fit(subject.model, rows, { learner: em({ maxIterations: 3 }) })).describe()
      const found = await probe(subject.model, rows, { scaling: "raw" })
      const [target] = targetsAt(own)
      const described = (from: Description): Description => {
        const counts = found.problem.start.adopt(from).map(value => value * found.problem.data.weight)
        const course = { ...plainCourse(own.learner.regime!(target)), prior: 1 }
        const moving = found.problem.moments.moving(counts, course)
        for (let step = 0; step < 4; step++) moving.step(found.blocks[0], 0.03, undefined)
        moving.settle()
        return found.root.describe(found.problem.theta.solve(moving.stats(), 0).params, 0)
      }
      const turned = described(turn(start, isComponent) as Description)
      sameDescription(turn(turned, isComponent), described(start), 1e-8)
    },
  },
  {
    id: "A10.order",
    name: "the order of the columns does not matter to sdEM",
    applies: ({ model }) => targetsFor(model, "ncll").length > 0 || "a bag of words cannot be a target",
    effort: 0.34,
    async check(subject, trial) {
      const own = { ...subject, learner: ncll }
      const rows = rowsOf(subject, trial)
      const turned = rows.map(row => Object.fromEntries(Object.entries(row).reverse()))
      const learned = (data: readonly LooseRow[]) =>
        fit(subject.model, data, { learner: ncll.make({}, subject.model) })
      const [one, other] = [await learned(rows), await learned(turned)]
      sameDescription(other.describe(), one.describe(), 0)
      same(answers(own, other, rows), answers(own, one, rows), "answers")
    },
  },
  ...[ncll, hinge].flatMap(specimen =>
    symmetryLaws
      .filter(({ id }) => id === "A10.levels" || id === "A10.affine")
      .map(law => learnedBy(law, specimen, specimen === ncll ? "ncll" : "hinge")),
  ),
]
