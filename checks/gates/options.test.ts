/**
 * Every option of every public function, given invalid values: it is refused with one of our errors, or it works; and whatever was fitted can be
 * saved and loaded, and then answers to the same bits.
 * Long because it lists every option.
 */
import { describe, expect, test } from "vitest"
import { linearSvm, logisticRegression } from "../../packages/suffice/src/baselines.ts"
import { guideOf } from "../../packages/suffice/src/describe.ts"
import { families } from "../../packages/suffice/src/families/list.ts"
import {
  auto,
  before,
  bernoulli,
  bins,
  categorical,
  chain,
  classes,
  declare,
  dice,
  em,
  type Fitted,
  familyFor,
  fit,
  gaussian,
  given,
  hidden,
  independent,
  linear,
  linearScores,
  load,
  mixture,
  modelNamed,
  multinomial,
  nearest,
  network,
  normal,
  plate,
  poisson,
  SufficeError,
  sequences,
  specify,
  topics,
  window,
  wordSet,
} from "../../packages/suffice/src/index.ts"
import { kernelsInUse, useKernels } from "../../packages/suffice/src/kernels.ts"
import { bayes, learn, onlineEm, sdem } from "../../packages/suffice/src/learn.ts"
import {
  addOne,
  addOneBound,
  average,
  calibrate,
  candidates,
  candidatesOf,
  choose,
  coherence,
  completion,
  crossValidate,
  diversity,
  entropy,
  evaluate,
  evaluateSource,
  folds,
  hoeffdingBound,
  hoeffdingInterval,
  hoeffdingRows,
  learnersFor,
  pairedInterval,
  relativeEntropy,
  split,
  verdict,
  wilsonInterval,
} from "../../packages/suffice/src/measure.ts"
import { loadPredictor } from "../../packages/suffice/src/predict.ts"
import { arcStrengths, structure } from "../../packages/suffice/src/structure.ts"
import { sparse } from "../../packages/suffice/src/text.ts"
import { core } from "./testing/core.ts"

const WRONG: readonly unknown[] = [
  null,
  Number.NaN,
  -1,
  0,
  0.5,
  3,
  1e308,
  Number.POSITIVE_INFINITY,
  "",
  "y",
  "constructor",
  "__proto__",
  "a\0b",
  true,
  false,
  7n,
  Symbol("s"),
  [],
  [null],
  [Number.NaN],
  ["a", "a"],
  [1, "1"],
  [{}],
  [[]],
  ["constructor", "__proto__"],
  {},
  { kind: "decay" },
  { a: null },
  { a: "2" },
  { a: Number.NaN },
  { constructor: 1 },
  Object.create(null),
  JSON.parse('{ "__proto__": 2 }'),
  Object.prototype,
  Array.prototype,
  () => 1,
  new Date(Number.NaN),
  new Map([["a", 1]]),
  new Float64Array(2),
]

function shown(value: unknown): string {
  if (typeof value === "symbol") return "a symbol"
  if (typeof value === "bigint") return `${value}n`
  if (typeof value === "function") return "a function"
  if (value === Object.prototype) return "Object.prototype"
  if (typeof value === "number") return String(value)
  return JSON.stringify(value, (_, inner) => (typeof inner === "number" ? String(inner) : inner)) ?? "nothing"
}

const roll = dice(4)
const rows = Array.from({ length: 24 }, (_, i) => ({
  y: ["a", "b"][i % 2],
  x: (i % 2) + roll.normal(),
  z: roll.normal(),
  n: roll.integer(5),
  b: roll.uniform() < 0.3 + 0.4 * (i % 2),
  u: ["p", "q", "r"][roll.integer(3)],
  t: ["sun", "moon", "rain"].slice(roll.integer(3)).join(" "),
  w: 1 + roll.integer(2),
  s: (1 + ((7 * i) % 23)) / 25,
}))
/** What a structure is looked for in, again and again. */
const triples = rows.map(({ y, x, u }) => ({ y, x, u }))
const model = classes(
  "y",
  independent({ x: gaussian(), u: categorical(), t: multinomial({ scaling: "raw" }) }),
)

type Loose = (...args: unknown[]) => unknown
type Options = Readonly<Record<string, unknown>>

/** What was fitted must survive saving and loading. */
async function fits(of: unknown, options: Options = {}): Promise<void> {
  const fitted = (await (fit as Loose)(of, rows, options)) as Fitted<Record<string, never>, string>
  const loaded = reloaded(fitted, (options as Options | undefined)?.stemmers)
  expect(JSON.stringify(loaded)).toBe(JSON.stringify(fitted))
  if (fitted.model.target === undefined) return
  expect(loaded.posterior(rows as never)).toEqual(fitted.posterior(rows as never))
}

/** A saved model that cannot be loaded is our fault, however clear the message. */
function reloaded(fitted: unknown, stemmers: unknown) {
  try {
    return load(JSON.stringify(fitted), { ...(stemmers !== undefined && { stemmers: stemmers as never }) })
  } catch (error) {
    throw new Error(`cannot be loaded: ${(error as Error).message}`)
  }
}

/** The names of a table of options, by its error for an unknown one. */
function known(make: (options: unknown) => unknown): readonly string[] {
  try {
    make({ "no option": 1 })
  } catch (error) {
    const { known } = (error as SufficeError).details
    if (Array.isArray(known)) return known
  }
  throw new Error("an unknown option is not reported with the known ones")
}

const few = { learner: em({ maxIterations: 3 }) }
/** Functions that make families, structures and learners: made with these options, and used. */
/** Families that are used only on request: one column each, by the options of their specimens. */
const ASKED = families
  .filter(({ name }) => guideOf(name).onRequest)
  .map(({ name }) => {
    const column = guideOf(name).columns[0] === "count" ? "n" : "s"
    const maker = (core as unknown as Record<string, Loose>)[name]
    const use = (o: unknown) => fits(classes("y", independent({ [column]: maker(o) as never })))
    return [name, { options: known(maker), use }] as const
  })

const MAKERS: Readonly<Record<string, { options: readonly string[]; use: (options: unknown) => unknown }>> = {
  ...Object.fromEntries(ASKED),
  gaussian: {
    options: known(gaussian as Loose),
    use: o => fits(classes("y", independent({ x: (gaussian as Loose)(o) as never }))),
  },
  poisson: {
    options: known(poisson as Loose),
    use: o => fits(classes("y", independent({ n: (poisson as Loose)(o) as never }))),
  },
  bernoulli: {
    options: known(bernoulli as Loose),
    use: o => fits(classes("y", independent({ b: (bernoulli as Loose)(o) as never }))),
  },
  categorical: {
    options: known(categorical as Loose),
    use: o => fits(classes("y", independent({ u: (categorical as Loose)(o) as never }))),
  },
  topics: {
    options: known(o => (topics as Loose)(2, "t", o)),
    use: o => fits((topics as Loose)(2, "t", o), few),
  },
  "number of topics": { options: [], use: o => fits((topics as Loose)(o, "t"), few) },
  "column of topics": { options: [], use: o => (topics as Loose)(2, o) },
  multinomial: {
    options: known(multinomial as Loose),
    use: o => fits(classes("y", independent({ t: (multinomial as Loose)(o) as never }))),
  },
  wordSet: {
    options: known(wordSet as Loose),
    use: o => fits(classes("y", independent({ t: (wordSet as Loose)(o) as never }))),
  },
  normal: {
    options: [...known(o => (normal as Loose)(["x"], o)), "priors"],
    use: o => fits(classes("y", (normal as Loose)(["x", "z"], o) as never)),
  },
  "columns of normal": { options: [], use: o => fits(classes("y", (normal as Loose)(o) as never)) },
  linear: {
    options: [...known(o => (linear as Loose)("z", ["x"], o)), "on"],
    use: o => fits(classes("y", independent(gaussians("x"), (linear as Loose)("z", ["x"], o) as never))),
  },
  "columns of linear": {
    options: [],
    use: o => fits(classes("y", independent(gaussians("x"), (linear as Loose)("z", o) as never))),
  },
  independent: { options: ["x", "u"], use: o => fits(classes("y", (independent as Loose)(o) as never)) },
  classes: {
    options: ["levels", "prior"],
    use: o => fits((classes as Loose)("y", gaussians("x"), o)),
  },
  "label of classes": { options: [], use: o => fits((classes as Loose)(o, gaussians("x"))) },
  "body of classes": { options: ["a", "b"], use: o => fits((classes as Loose)("y", o)) },
  mixture: {
    options: ["name", "prior"],
    use: o => fits((mixture as Loose)(2, gaussians("x"), o), few),
  },
  "components of mixture": {
    options: [],
    use: o => (o === 1e308 ? undefined : fits((mixture as Loose)(o, gaussians("x")), few)),
  },
  plate: { options: [], use: o => fits(classes("y", (plate as Loose)(o, gaussians("x")) as never)) },
  chain: {
    options: ["column", "name", "levels", "ends", "transitions", "initial", "prior"],
    use: o => (chain as Loose)(2, gaussians("x"), o),
  },
  sequences: {
    options: ["by", "order", "column", "keep", "gaps"],
    use: o =>
      (sequences as Loose)(
        [
          { x: 1, z: 2 },
          { x: 2, z: 2 },
        ],
        o,
      ),
  },
  window: {
    options: ["column", "family"],
    use: o => (chain as Loose)(2, (window as Loose)([{ of: "x" }], o)),
  },
  "part of window": {
    options: ["of", "as", "length", "at", "ngrams"],
    use: o => (chain as Loose)(2, (window as Loose)([{ of: "x", ...(o as object) }])),
  },
  "parts of window": { options: [], use: o => (window as Loose)(o) },
  network: { options: ["a", "b"], use: o => fits((network as Loose)(o)) },
  before: {
    options: [],
    use: o =>
      (network as Loose)({ a: (given as Loose)([(before as Loose)(o)], categorical()) }, { steps: "days" }),
  },
  given: { options: [], use: o => (network as Loose)({ a: gaussian(), b: (given as Loose)(o, gaussian()) }) },
  "family of given": {
    options: [],
    use: o => (network as Loose)({ a: gaussian(), b: (given as Loose)(["a"], o) }),
  },
  hidden: { options: ["prior"], use: o => (hidden as Loose)(2, o) },
  bins: { options: ["prior"], use: o => fits((independent as Loose)({ a: (bins as Loose)(2, o) })) },
  "count of bins": { options: [], use: o => (bins as Loose)(o) },
  "values of hidden": { options: [], use: o => (hidden as Loose)(o) },
  "states of chain": { options: [], use: o => (chain as Loose)(o, gaussians("x")) },
  "body of chain": { options: ["a", "b"], use: o => (chain as Loose)("tag", o) },
  "body of plate": { options: [], use: o => fits(classes("y", (plate as Loose)("s", o) as never)) },
  em: {
    options: known(em as Loose),
    use: o => fits(mixture(2, gaussians("x")), { learner: (em as Loose)(capped(o, "restarts")) }),
  },
  bayes: {
    options: known(bayes as Loose),
    use: o =>
      fits(mixture(2, gaussians("x")), {
        learner: (bayes as Loose)(capped(capped(o, "restarts"), "epochs")),
      }),
  },
  onlineEm: {
    options: known(onlineEm as Loose),
    use: o => fits(model, { learner: (onlineEm as Loose)(capped(o, "epochs")) }),
  },
  sdem: {
    options: known(sdem as Loose),
    use: o => fits(model, { learner: (sdem as Loose)(withEpochs(capped(o, "epochs"))) }),
  },
  logisticRegression: {
    options: ["c", "folds", "classes", "intercept", "tolerance", "maxIterations"],
    use: o => ((logisticRegression as Loose)(o) as ReturnType<typeof logisticRegression>).fit(model, rows),
  },
  linearSvm: {
    options: ["c", "folds", "hinge", "intercept", "tolerance", "maxIterations"],
    use: o => ((linearSvm as Loose)(o) as ReturnType<typeof linearSvm>).fit(model, rows),
  },
  dice: { options: [], use: o => ((dice as Loose)(o) as ReturnType<typeof dice>).uniform() },
  sparse: {
    options: ["offsets", "codes", "counts", "words"],
    use: o => (sparse as Loose)(isPlain(o) ? { offsets: [0, 1], codes: [0], words: ["a"], ...o } : o),
  },
}

function gaussians(...names: string[]) {
  return independent(Object.fromEntries(names.map(name => [name, gaussian()])))
}

/** An unlimited number of runs or epochs is legal, and never ends. */
function capped(options: unknown, name: string): unknown {
  const given = (options as Options | null)?.[name]
  return typeof given === "number" && Number.isSafeInteger(given) && given > 100 ? { [name]: 3 } : options
}

function isPlain(value: unknown): value is Options {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A thousand epochs say no more than two. */
function withEpochs(options: unknown): unknown {
  return isPlain(options) && !("epochs" in options) ? { epochs: 2, ...options } : options
}

const fitted = await fit(model, rows)
const documents = await fit(topics(2, "t"), rows, few)
const pair = await fit(classes("y", independent({ x: gaussian() })), rows)
const line = pair.toLinear()
const believed = await fit(classes("y", independent({ x: gaussian() })), rows, { learner: bayes() })
const averaged = average([believed, believed])
const baseline = await logisticRegression().fit(model, rows)

/** Functions that do something, with their options and arguments. */
const DOERS: Readonly<Record<string, { options: readonly string[]; use: (options: unknown) => unknown }>> = {
  fit: {
    options: [
      "learner",
      "seed",
      "weight",
      "classWeights",
      "threads",
      "signal",
      "onStep",
      "onRows",
      "checkpoint",
    ],
    use: o => (fit as Loose)(model, rows, o),
  },
  "model of fit": { options: ["lay", "uses"], use: o => (fit as Loose)(o, rows) },
  "data of fit": { options: ["x", "y", "length"], use: o => (fit as Loose)(model, o) },
  learn: {
    options: ["learner", "seed"],
    use: async o => {
      for await (const step of (learn as Loose)(model, rows, o) as ReturnType<typeof learn>) step.fitted()
    },
  },
  update: {
    options: ["learner", "seed", "weight", "classWeights", "forget"],
    use: o => fitted.update(rows, o as never),
  },
  load: { options: ["families", "stemmers"], use: o => (load as Loose)(JSON.stringify(fitted), o) },
  loadPredictor: {
    options: ["families", "stemmers"],
    use: o => (loadPredictor as Loose)(JSON.stringify(fitted), o),
  },
  "file of load": {
    options: ["format", "version", "model", "columns", "statistics"],
    use: o => (load as Loose)(o),
  },
  declare: {
    options: ["stemmers"],
    use: o => (declare as Loose)(JSON.parse(JSON.stringify(fitted)).model, o),
  },
  "spec of declare": { options: ["kind", "columns", "family"], use: o => (declare as Loose)(o) },
  specify: { options: ["levels"], use: o => (specify as Loose)(model, fitted.describe(), o) },
  "description of specify": { options: ["y", "x"], use: o => (specify as Loose)(model, o) },
  auto: {
    options: ["label", "except", "families"],
    use: o => (auto as Loose)(rows, o),
  },
  "data of auto": { options: ["x"], use: o => (auto as Loose)(o, {}) },
  predict: {
    options: ["target", "coverage", "calibrated"],
    use: o => fitted.predict(rows, o as never),
  },
  "rows of predict": { options: ["x", "u", "t", "length"], use: o => fitted.predict(o as never) },
  "cells of predict": {
    options: ["x", "u", "t"],
    use: o => fitted.predict([{ ...rows[0], ...(o as object) }] as never),
  },
  labels: { options: ["target", "calibrated"], use: o => fitted.labels(rows, o as never) },
  posterior: { options: ["target", "calibrated"], use: o => fitted.posterior(rows, o as never) },
  logDensity: { options: ["x"], use: o => fitted.logDensity(o as never) },
  decide: { options: ["loss", "reject", "target"], use: o => fitted.decide(rows, o as never) },
  impute: { options: ["draws", "seed"], use: o => fitted.impute(rows, capped(o, "draws") as never) },
  anomalies: { options: ["quantile", "usual", "by"], use: o => fitted.anomalies(rows, o as never) },
  explain: { options: ["target", "level", "against", "step"], use: o => fitted.explain(rows[0], o as never) },
  "row of explain": { options: ["x", "u", "t"], use: o => fitted.explain(o as never) },
  prototypes: { options: ["target", "count"], use: o => fitted.prototypes(rows, o as never) },
  toLinear: { options: ["target"], use: o => pair.toLinear(o as never) },
  calibrated: {
    options: ["target", "method", "temperature"],
    use: o => fitted.calibrated(o as never).predict(rows),
  },
  sample: { options: ["seed", "given", "words", "steps"], use: o => fitted.sample(2, o as never) },
  "count of sample": { options: [], use: o => (o === 1e308 ? undefined : fitted.sample(o as never)) },
  responsibilities: {
    options: ["of"],
    use: o => (fitted as unknown as { responsibilities: Loose }).responsibilities(rows, o),
  },
  linearScores: { options: ["stemmers"], use: o => (linearScores as Loose)(line, { x: 1 }, o) },
  "form of linearScores": { options: ["levels", "features"], use: o => (linearScores as Loose)(o, { x: 1 }) },
  "row of linearScores": { options: ["x"], use: o => (linearScores as Loose)(line, o) },
  average: { options: ["bounds"], use: o => (average as Loose)([believed, believed], o) },
  "models of average": { options: ["length", "0"], use: o => (average as Loose)(o) },
  "one of the models of average": { options: ["training"], use: o => (average as Loose)([o]) },
  "posterior of an average": { options: ["target"], use: o => averaged.posterior(rows, o as never) },
  "predict of an average": {
    options: ["target", "coverage"],
    use: o => averaged.predict(rows, o as never),
  },
  "rows of an average": { options: ["x", "length"], use: o => averaged.logDensity(o as never) },
  evaluate: {
    options: ["target", "weight", "curves", "bootstrap", "seed"],
    use: o => (evaluate as Loose)(fitted, rows, capped(o, "bootstrap")),
  },
  "model of evaluate": { options: ["predict"], use: o => (evaluate as Loose)(o, rows) },
  evaluateSource: {
    options: ["target", "weight", "curves", "seed", "signal"],
    use: o => (evaluateSource as Loose)(fitted, source(), o),
  },
  completion: {
    options: ["share", "seed", "column"],
    use: o => (completion as Loose)(documents, rows, o),
  },
  coherence: {
    options: ["measure", "top", "column"],
    use: o => (coherence as Loose)(documents, rows, o),
  },
  diversity: { options: ["top", "column"], use: o => (diversity as Loose)(documents, o) },
  "topics of a fitted model": {
    options: ["top", "relevance", "column"],
    use: o => documents.topics(o as never),
  },
  "proportions of a fitted model": {
    options: ["column"],
    use: o => documents.proportions(rows as never, o as never),
  },
  structure: {
    options: [
      ...["search", "score", "target", "families", "except", "require", "forbid", "tiers", "maxParents"],
      ...["restarts", "ess", "significance", "weight", "seed", "signal"],
    ],
    use: o => (structure as Loose)(triples, capped(o, "restarts")),
  },
  "data of structure": { options: ["x"], use: o => (structure as Loose)(o) },
  arcStrengths: {
    options: ["replicates", "search"],
    use: o => (arcStrengths as Loose)(triples, capped(o, "replicates")),
  },
  calibrate: { options: ["method", "target", "weight"], use: o => (calibrate as Loose)(fitted, rows, o) },
  crossValidate: {
    options: ["folds", "target", "learner", "seed", "stratify", "group", "time", "weight", "bootstrap"],
    use: o => (crossValidate as Loose)(model, rows, o),
  },
  choose: {
    options: [
      "learners",
      "criterion",
      "target",
      "folds",
      "group",
      "time",
      "budget",
      "calibrate",
      "onTrial",
      "seed",
    ],
    use: o => (choose as Loose)({ two: mixture(2, gaussians("x")) }, rows, o),
  },
  "models of choose": { options: ["a", "length"], use: o => (choose as Loose)(o, rows) },
  candidates: {
    options: ["label", "kind", "except", "families"],
    use: o => (candidates as Loose)(rows, typeof o === "object" && o ? { label: "y", ...o } : o),
  },
  candidatesOf: {
    options: ["label", "kind"],
    use: o => (candidatesOf as Loose)(auto(rows as never, { except: ["y"] }), o),
  },
  learnersFor: { options: ["model", "components", "by"], use: o => (learnersFor as Loose)(o) },
  modelNamed: {
    options: ["model", "components", "by"],
    use: o => (modelNamed as Loose)(o, "y", auto(rows as never, { except: ["y"] })),
  },
  verdict: { options: ["kind", "reliability"], use: o => (verdict as Loose)(o) },
  split: {
    options: ["test", "seed", "stratify", "group", "time"],
    use: o => (split as Loose)(rows, o),
  },
  "rows of split": { options: ["x"], use: o => (split as Loose)(o) },
  folds: { options: ["seed", "stratify", "group", "time"], use: o => (folds as Loose)(rows, 3, o) },
  "number of folds": { options: [], use: o => (folds as Loose)(rows, o) },
  pairedInterval: {
    options: ["coverage", "testPerTrain"],
    use: o => (pairedInterval as Loose)([1, 2, 3], o),
  },
  "differences of pairedInterval": { options: [], use: o => (pairedInterval as Loose)(o) },
  "fit of a baseline": {
    options: ["weight", "classWeights", "signal", "seed"],
    use: o => (logisticRegression().fit as Loose)(model, rows, o),
  },
  "predict of a baseline": { options: ["target"], use: o => baseline.predict(rows, o as never) },
  "posterior of a baseline": { options: ["target"], use: o => baseline.posterior(rows, o as never) },
  "rows of a baseline": { options: ["x", "u", "length"], use: o => baseline.scores(o as never) },
  useKernels: { options: [], use: o => (useKernels as Loose)(o) },
  kernelsInUse: { options: [], use: o => (kernelsInUse as Loose)(o) },
  familyFor: { options: ["kind", "numbers"], use: o => (familyFor as Loose)(o) },
  nearest: { options: [], use: o => (nearest as Loose)("a", ["a", String(typeof o)]) },
  addOne: { options: [], use: o => (addOne as Loose)(o, o) },
  addOneBound: { options: [], use: o => (addOneBound as Loose)(o) },
  entropy: { options: [], use: o => (entropy as Loose)(o) },
  hoeffdingBound: { options: [], use: o => (hoeffdingBound as Loose)(o, o) },
  hoeffdingInterval: { options: [], use: o => (hoeffdingInterval as Loose)(o, o, o) },
  hoeffdingRows: { options: [], use: o => (hoeffdingRows as Loose)(o, o) },
  relativeEntropy: { options: [], use: o => (relativeEntropy as Loose)(o, o) },
  wilsonInterval: { options: [], use: o => (wilsonInterval as Loose)(o, o, o) },
}

function source() {
  return {
    async *[Symbol.asyncIterator]() {
      yield rows
    },
  }
}

describe.each(Object.entries({ ...MAKERS, ...DOERS }))("%s", (_, { options, use }) => {
  test("works, or is refused with an error of ours", async () => {
    const faults: string[] = []
    for (const value of WRONG) {
      for (const [what, given] of [
        ["all options", value],
        ...options.map((option): [string, unknown] => [option, { [option]: value }]),
      ] as [string, unknown][]) {
        try {
          await use(given)
        } catch (error) {
          if (error instanceof SufficeError) continue
          const { name, message, stack = "" } = error as Error
          const at = stack.split("\n").find(line => line.includes("/src/") && !line.includes(".test.")) ?? ""
          faults.push(`${what} = ${shown(value)}: ${name}: ${message}${at.replace(/^.*\/src\//, " at ")}`)
        }
      }
    }
    useKernels("wasm")
    expect(faults).toEqual([])
  })
})

test("every public function is here", () => {
  const functions = Object.entries(core).flatMap(([name, value]) =>
    typeof value === "function" && !/^[A-Z]/.test(name) ? name : [],
  )
  const tested = [...Object.keys(MAKERS), ...Object.keys(DOERS)]
  expect(functions.filter(name => !tested.includes(name))).toEqual([])
})

test("what is refused says what it is, why, and what to do", async () => {
  const said = []
  for (const refused of [
    () => (em as Loose)(null),
    () => (gaussian as Loose)(7),
    () => (gaussian as Loose)({ variances: "tied" }),
    () => (categorical as Loose)({ levels: 5 }),
    () => (categorical as Loose)({ levels: [] }),
    () => (categorical as Loose)({ levels: ["a", null] }),
    () => (categorical as Loose)({ levels: ["a", Number.NaN] }),
    () => (categorical as Loose)({ levels: [{}] }),
    () => (categorical as Loose)({ levels: [1, "1"] }),
    () => (em as Loose)({ start: 3 }),
    () => (onlineEm as Loose)({ average: "yes" }),
    () => (sdem as Loose)({ target: 3 }),
    () => (sdem as Loose)({ classWeights: null }),
    () => (sdem as Loose)({ classWeights: { a: "2" } }),
    () => (sdem as Loose)({ classWeights: new Map([["a", 2]]) }),
    () => (fit as Loose)(model, rows, { classWeights: null }),
    // words move entry by entry, so their total is Infinity; moved all together it would be 0·Infinity
    () => (fit as Loose)(model, rows, { learner: onlineEm({ prior: 1e308 }) }),
    () => (dice as Loose)("7"),
    () => (sparse as Loose)(null),
    () => (auto as Loose)(rows, { label: 3 }),
    () => (auto as Loose)(rows, { except: "x" }),
    () => (auto as Loose)(rows, { families: ["gaussian"] }),
    () => (familyFor as Loose)({ rows: 3 }),
    () => (familyFor as Loose)(null),
    () => (choose as Loose)(3, rows),
    () => (pairedInterval as Loose)("abc"),
    () => (pairedInterval as Loose)([1, 2], { testPerTrain: "x" }),
    () => fitted.predict(rows, { target: 3 } as never),
    () => fitted.explain(rows[0], { level: {} } as never),
    () => (evaluate as Loose)({}, rows),
    () => (linearScores as Loose)({}, { x: 1 }),
    () => (linearScores as Loose)(line, null),
  ]) {
    said.push(
      await Promise.resolve()
        .then(refused)
        .then(
          () => "nothing",
          error => `${error.code} · ${error.message}`,
        ),
    )
  }
  expect(said.join("\n")).toMatchInlineSnapshot(`
    "option · em: the options are null. Each has a name, so they come as an object. Pass { name: value }, or leave them out.
    option · gaussian: the options are 7. Each has a name, so they come as an object. Pass { name: value }, or leave them out.
    option · gaussian: there is no option "variances". It knows "variance" and "prior". Did you mean "variance"?
    option · categorical: levels is 5. It lists text, booleans or finite numbers, at least one. Leave it out to take the levels of the data.
    option · categorical: levels is a list of 0. It lists text, booleans or finite numbers, at least one. Leave it out to take the levels of the data.
    option · categorical: levels has null at 1. It lists text, booleans or finite numbers, at least one. Leave it out to take the levels of the data.
    option · categorical: levels has NaN at 1. It lists text, booleans or finite numbers, at least one. Leave it out to take the levels of the data.
    option · categorical: levels has an object with 0 keys at 0. It lists text, booleans or finite numbers, at least one. Leave it out to take the levels of the data.
    option · categorical: levels has "1" twice. Each level stands once, and 1 is the same as "1". Remove the repetition.
    option · em: start is 3. It must be parameters by name, as describe() gives them. Leave it out for the default.
    option · onlineEm: average is "yes". It must be true or false. Leave it out for the default.
    option · sdem: target is 3. It must be the name of a column. Leave it out for the default.
    option · sdem: classWeights is null. It must be finite numbers ≥ 0 by level, such as { rare: 5 }. Leave it out for the default.
    option · sdem: classWeights is an object with 1 key. It must be finite numbers ≥ 0 by level, such as { rare: 5 }. Leave it out for the default.
    option · sdem: classWeights is a Map. It must be finite numbers ≥ 0 by level, such as { rare: 5 }. Leave it out for the default.
    option · fit: classWeights is null. It holds a factor for each level. Write for example { rare: 5 }.
    size · fit: statistic 20 came out as Infinity. Sums of weights, counts or pseudo-rows have left the range of numbers, which ends at 1.8e308. Give smaller weights, or a smaller prior.
    option · dice: the seed is "7". It is a finite number, or a list of them. Write for example dice(7).
    data · sparse: the argument is null. It must be an object. Pass offsets, codes and words, and counts unless all are 1.
    option · auto: label is 3. It names a column. The data has "y", "x", "z", "n", "b", "u", "t", "w" and 1 more.
    option · auto: except is "x". It is a list of columns to leave out. Leave it out for none.
    option · auto: families is a list of 1. It is a list of kinds of families, such as gaussianKind. Leave it out for all that are known.
    data · familyFor: the summary of the column is none: its missing is undefined. It holds what was counted in the cells. Take it from a reader, or call auto() with the rows.
    data · familyFor: the summary of the column is none: it is null. It holds what was counted in the cells. Take it from a reader, or call auto() with the rows.
    option · choose: the models are 3. There must be something to choose from. Give models by name, for example { two: mixture(2, body), three: mixture(3, body) }.
    data · pairedInterval: the differences are "abc". There is a number for each fold. Pass a list of numbers.
    option · pairedInterval: testPerTrain is "x". It is a finite number ≥ 0. Leave it out for that of cross-validation.
    target · the target is 3. It is a column, by its name. Write for example { target: "y" }, or leave it out for the label.
    option · explain: level is an object with 0 keys. It is a level of "y", which has "a" and "b".
    model · evaluate: the model is an object with 0 keys. It must have been learned. Pass what fit() or load() returned.
    data · linearScores: the linear form is an object with 0 keys. It has features, and for each level a bias and a weight for each feature. Pass what toLinear() returned.
    data · linearScores: the row is null. It holds a cell for each column. Pass for example { x: 1 }."
  `)
})
