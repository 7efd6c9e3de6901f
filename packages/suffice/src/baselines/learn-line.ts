/** From data to a linear classifier: through the door, into a matrix, to the solver, one problem after another. */
import type { Block } from "../contract/block.ts"
import type { Level } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import type { Description, Diagnostic } from "../contract/report.ts"
import { discover } from "../data/discover.ts"
import { encodeForLearning } from "../data/encode.ts"
import type { Data } from "../data/read.ts"
import { checkClasses, weightingOf } from "../data/weigh.ts"
import { refuseUnknown, SufficeError, show, wrongOption } from "../errors.ts"
import { paced, pause } from "../pause.ts"
import { dice } from "../random.ts"
import { chooseC, type Solve } from "./choose-c.ts"
import { type DesignMatrix, sizeOf } from "./design-matrix.ts"
import { designOf, featuresOf } from "./features.ts"
import type { Head, LearnedLine, Optimum, SolvedProblem } from "./linear-classifier.ts"
import type { C } from "./options.ts"
import { inFeatures, inRowSpace, isWiderThanLong } from "./row-space.ts"

export interface BaselineFitOptions {
  /** The column of row weights. */
  readonly weight?: string
  /** Factors on the weight of labelled rows, by level of the label. */
  readonly classWeights?: Readonly<Record<string, number>>
  readonly signal?: AbortSignal
  /** Draws the folds, if C is chosen by cross-validation. */
  readonly seed?: number
}

/** Rows with a label, as solvers take them. */
export interface Examples {
  readonly x: DesignMatrix
  /** Indices into `met`. */
  readonly labels: Int32Array
  /** Row weights. */
  readonly weights: Float64Array
  /** The levels that some row holds: two or more. */
  readonly met: readonly Level[]
}

/** A solution: weights of all outputs, w[f·outputs + output]. */
export interface Solution {
  readonly weights: Float64Array
  readonly outputs: number
  readonly problems: readonly SolvedProblem[]
  /** Where each problem ended, to start a similar one from: w, or α of the dual. */
  readonly states: readonly Float64Array[]
  /** States are α, a number per row. */
  readonly isDual?: boolean
}

export interface SolveHow {
  readonly c: number
  /** Only as accurate as ranking values of C requires: the final weights are then learned from scratch. */
  readonly loose?: true
  /** The solution for the same rows and another C, to start from. */
  readonly from?: Solution
}

/** Yields once per pass over the rows. */
export type Solver = (examples: Examples, how: SolveHow) => Generator<undefined, Solution, void>

/** The starting point of a problem: where it ended with another C, if known. */
export function warm({ from }: SolveHow, problem: number): { readonly from?: Float64Array } {
  return from ? { from: from.states[problem] } : {}
}

export interface Line {
  readonly learner: { readonly name: string; readonly options: Description }
  readonly intercept: boolean
  readonly link: (classes: number) => LearnedLine["link"]
  readonly solver: Solver
}

export async function learnLine(
  model: Model,
  data: Data,
  options: BaselineFitOptions,
  { learner, intercept, link, solver }: Line,
): Promise<LearnedLine> {
  const { signal, seed = 0 } = checked(options)
  const target = labelOf(model, learner.name)
  const read = await readExamples(model, data, options, target, { learner, intercept })
  const { examples, schema, levels, present } = read
  const linked = link(present.length)
  const solve: Solve = (some, how) => paced(solver(some, how), signal)
  const { c: requested, folds } = learner.options as { c: C; folds?: number }
  const isChosen = requested === "cv" && present.length > 1
  const short = isChosen ? await shortened(examples, signal) : examples
  const chosen = isChosen ? await chooseC(short, linked, folds!, dice(seed), solve) : undefined
  const c = chosen?.c ?? (requested === "cv" ? 1 : requested)
  // the solution in fewer features is the start of the full problem, which certifies it
  const near = short === examples ? undefined : lengthened(examples, short, await solve(short, { c }))
  const solution =
    present.length === 1
      ? nothingToLearn(examples.x)
      : await solve(examples, { c, ...(near && { from: near }) })
  const optimum = summed(solution.problems)
  return {
    model,
    schema,
    features: read.features,
    levels,
    heads: levels.map((_, code) => headOf(present.indexOf(code), solution.outputs)),
    outputs: solution.outputs,
    intercept,
    weights: solution.weights,
    link: linked,
    optimum,
    learner: { ...learner, options: { ...learner.options, c } },
    ...(chosen && { chosen }),
    rows: examples.x.rows,
    weight: examples.weights.reduce((sum, weight) => sum + weight, 0),
    diagnostics: [...read.diagnostics, ...unconverged(learner.name, optimum)],
  }
}

/** The labelled rows as a matrix of features, with what the first pass found. */
async function readExamples(
  model: Model,
  data: Data,
  options: BaselineFitOptions,
  target: string,
  { learner, intercept }: Pick<Line, "learner" | "intercept">,
) {
  const { signal } = options
  const weighting = weightingOf(model, options)
  // documents are scaled as for a discriminative learner, unless the model declares a scaling
  const { schema, rows, diagnostics } = await discover(
    model.uses,
    data,
    weighting,
    signal,
    undefined,
    "tfidf",
  )
  checkClasses(weighting, schema)
  const { columns } = schema
  const place = columns.findIndex(({ name }) => name === target)
  const blocks: Block[] = []
  for await (const chunk of encodeForLearning(schema, data, weighting, rows, signal)) blocks.push(...chunk)
  const labelled = (block: Block, i: number): boolean => (block.cells[place] as Int32Array)[i] >= 0
  const features = featuresOf(columns, place, blocks, labelled)
  await pause()
  const x = designOf(features, blocks, intercept, labelled)
  await pause()
  if (x.rows === 0) throw noLabels(learner.name, target)
  const { levels } = columns[place] as Extract<Column, { kind: "level" }>
  const { codes, weights } = labelsOf(blocks, place, x.rows)
  // codes of the levels that occur
  const present = [...levels.keys()].filter(code => codes.includes(code))
  const labels = codes.map(code => present.indexOf(code))
  const examples: Examples = { x, labels, weights, met: present.map(code => levels[code]) }
  return { examples, schema, levels, present, features, diagnostics }
}

function noLabels(learner: string, target: string): SufficeError {
  return new SufficeError(
    "label",
    `${learner}: ${show(target)} is missing in every row. A classifier learns from labels alone. Bring labelled rows, or fit the model itself, which learns without.`,
    { column: target },
  )
}

function unconverged(learner: string, { converged, iterations }: LearnedLine["optimum"]): Diagnostic[] {
  if (converged) return []
  const message = `${learner} ended after ${iterations} iterations and did not meet its tolerance. Give it more iterations, or a larger tolerance.`
  return [{ code: "not-converged", message }]
}

/** The same problems in fewer features, where there are more features than rows: C takes many fits. */
async function shortened(examples: Examples, signal: AbortSignal | undefined): Promise<Examples> {
  const { x } = examples
  return isWiderThanLong(x) ? { ...examples, x: await paced(inRowSpace(x), signal) } : examples
}

/** The solution of such a problem, to start from with all features. */
function lengthened({ x }: Examples, short: Examples, solution: Solution): Solution {
  if (solution.isDual) return solution
  const states = solution.states.map(v => inFeatures(x, short.x, v, v.length / sizeOf(short.x)))
  return { ...solution, states }
}

function labelsOf(
  blocks: readonly Block[],
  place: number,
  rows: number,
): { codes: Int32Array; weights: Float64Array } {
  const codes = new Int32Array(rows)
  const weights = new Float64Array(rows)
  let row = 0
  for (const { cells, weight } of blocks) {
    ;(cells[place] as Int32Array).forEach((code, i) => {
      if (code < 0) return
      codes[row] = code
      weights[row++] = weight[i]
    })
  }
  return { codes, weights }
}

/** A single class is always predicted, whatever the row. */
function nothingToLearn(x: DesignMatrix): Solution {
  return { weights: new Float64Array(sizeOf(x)), outputs: 1, problems: [], states: [] }
}

function headOf(met: number, outputs: number): Head {
  if (met < 0) return undefined
  return outputs === 1 ? { output: 0, sign: met === 0 ? -1 : 1 } : { output: met, sign: 1 }
}

function summed(problems: readonly SolvedProblem[]): Optimum {
  const sum = (of: (problem: SolvedProblem) => number): number =>
    problems.reduce((total, problem) => total + of(problem), 0)
  const dual = problems.some(({ dualityGap }) => dualityGap !== undefined)
  return {
    objective: sum(({ objective }) => objective),
    ...(dual
      ? { dualityGap: sum(({ dualityGap = 0 }) => dualityGap) }
      : { gradientNorm: Math.sqrt(sum(({ gradientNorm = 0 }) => gradientNorm * gradientNorm)) }),
    iterations: sum(({ iterations }) => iterations),
    converged: problems.every(({ converged }) => converged),
    problems,
  }
}

/** Two classes are one problem, the second against the first; more are one problem each, against all others. */
export function* oneVersusRest(
  { x, labels, met }: Examples,
  solve: (
    signs: Float64Array,
    problem: number,
  ) => Generator<undefined, SolvedProblem & { readonly w: Float64Array; readonly state: Float64Array }, void>,
): Generator<undefined, Solution, void> {
  const outputs = met.length === 2 ? 1 : met.length
  const size = sizeOf(x)
  const weights = new Float64Array(size * outputs)
  const problems: SolvedProblem[] = []
  const states: Float64Array[] = []
  for (let output = 0; output < outputs; output++) {
    const positive = outputs === 1 ? 1 : output
    const signs = Float64Array.from(labels, label => (label === positive ? 1 : -1))
    const { w, state, ...solved } = yield* solve(signs, output)
    for (let f = 0; f < size; f++) weights[f * outputs + output] = w[f]
    problems.push({ level: met[positive], ...solved })
    states.push(state)
  }
  return { weights, outputs, problems, states }
}

function labelOf(model: Model, where: string): string {
  if (typeof model?.lay !== "function" || !Array.isArray(model.uses)) {
    throw new SufficeError(
      "model",
      `${where}: the model is ${show(model)}. It says which columns are features and which is the label. Write for example fit(classes("y", independent({ x: gaussian() })), rows).`,
    )
  }
  const steps = model.uses.find(({ need }) => need.kind === "steps")
  if (steps) {
    throw new SufficeError(
      "model",
      `${where}: the column ${show(steps.column)} holds steps, of which a row has as many as it likes. A line needs the same features in every row. Sum the steps up in columns of the row, or use classes(${show(model.target)}, plate(…)) with fit().`,
      { column: steps.column },
    )
  }
  if (model.target !== undefined) return model.target
  throw new SufficeError(
    "model",
    `${where}: the model has no label. A classifier needs a column to predict. Put the model in classes(column, body).`,
  )
}

function checked(options: BaselineFitOptions): BaselineFitOptions {
  refuseUnknown("fit", options, ["weight", "classWeights", "signal", "seed"])
  const { weight, signal, seed } = options
  if (seed !== undefined && !Number.isFinite(seed)) {
    throw wrongOption("fit", "seed", seed, "The dice need a finite number. Give any, or leave it out for 0.")
  }
  if (weight !== undefined && typeof weight !== "string") {
    throw wrongOption(
      "fit",
      "weight",
      weight,
      'It must name a column. Write for example { weight: "count" }.',
    )
  }
  if (signal !== undefined && typeof signal?.throwIfAborted !== "function") {
    throw wrongOption(
      "fit",
      "signal",
      signal,
      "It must be an AbortSignal. Write for example { signal: controller.signal }.",
    )
  }
  return options
}
