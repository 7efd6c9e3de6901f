/**
 * Forward over the steps, and back. I_t is what is missing of the carried columns of step t.
 *
 *     α_t(I_t) = p(I_t | steps up to t) ∝ Σ_{I_{t−1}} α_{t−1}(I_{t−1}) p(step t, I_t | I_{t−1})
 *     β_t(I_t) ∝ p(steps after t | I_t)          β_{t−1} = p(I_{t−1} | all) / α_{t−1}
 *
 * Both are borders of the program of a step, which sums over everything else (the interface algorithm; Murphy 2002, Dynamic Bayesian Networks, 3.4). Kept as logarithms.
 */
import { placeIn } from "../../../blocks/encoded.ts"
import type { Block } from "../../../contract/block.ts"
import type { Work } from "../../../contract/leaf.ts"
import { SufficeError } from "../../../errors.ts"
import { log } from "../../../kernels/log.ts"
import { grow } from "../../../kernels/workspace.ts"
import type { Group } from "../numbers.ts"
import type { Program } from "../program.ts"
import type { Alphas, Reading, Seen, TemplateLayout } from "./slices.ts"

/** Told of everything that is missing in a row of a slice; see Inference.posteriors. */
export interface Visitor {
  entries(side: Seen, v: number, row: number, places: Int32Array, base: number, shares: Float64Array): void
  group(side: Seen, group: Group, row: number, shares: Float64Array): void
}

export class Passes {
  readonly #slots: number
  readonly #zeros = grow()
  readonly #beta = [grow(), grow()]
  readonly #scores = [grow(), grow()]
  readonly #works: readonly Work[][] = [[], []]

  constructor({ slots }: TemplateLayout) {
    this.#slots = slots
  }

  /** α of every step, and told[p·steps + t] = ln p(step t | those before it, p), if that is asked for. */
  up(reading: Reading, params: Float64Array, alphas: Alphas, told: Float64Array): void {
    const P = this.#slots
    const { sizes } = reading
    const S = sizes.length
    alphas.reserve(sizes)
    ;[reading.first, reading.later].forEach((side, which) => {
      const rows = side.steps.length
      if (rows === 0) return
      const out = this.#scores[which](P * rows)
      const { inference, before, after, steps } = side
      inference.scoreObserved(params, out, this.#works[which] as Work[])
      const visit = (program: Program, r: number): void => {
        const t = steps[r]
        if (sizes[t] === 0 || !program.families.has(inference.borderId(after))) return
        program.down()
        this.#shares(program, inference.borderId(after), alphas.of(t))
      }
      for (let r = 0; r < rows; r++) {
        const t = steps[r]
        if (before >= 0 && sizes[t - 1] > 0) inference.setBorder(before, alphas.of(t - 1))
        if (sizes[t] > 0) inference.setBorder(after, this.#zeros(sizes[t]))
        inference.sumOut(r, params, out, visit)
        if (sizes[t] > 0) this.#recover(side, r, params, after, alphas.of(t), this.#zeros(sizes[t]))
        for (let p = 0; p < P; p++) told[p * S + t] = out[p * rows + r]
      }
    })
  }

  /** out ← ln p of the border, in a program that has been passed both ways. */
  #shares(program: Program, id: number, out: Float64Array): void {
    const P = this.#slots
    const { map, posterior } = program.family(id)
    out.fill(0)
    for (let e = 0, j = 0; e < map.length; e++) for (let p = 0; p < P; p++) out[map[e] + p] += posterior[j++]
    for (let s = 0; s < out.length; s++) out[s] = log(out[s])
  }

  /**
   * Fills what underflowed, as states do that the steps so far speak against: where nothing else can follow, they are all there is. Each is summed out alone. `logs` are relative to
   * what the border adds up to with the factor `against`, of which 0 stays 0.
   */
  #recover(
    side: Seen,
    r: number,
    params: Float64Array,
    border: number,
    logs: Float64Array,
    against: Float64Array,
  ): void {
    if (!logs.includes(-Infinity)) return
    const P = this.#slots
    const { inference } = side
    const id = inference.borderId(border)
    const rows = side.steps.length
    const told = new Float64Array(P)
    const alone = (own: Float64Array): void => {
      inference.setBorder(border, own)
      inference.sumOut(r, params, new Float64Array(P * rows), program => {
        if (program.families.has(id)) told.set(program.logZ)
      })
    }
    alone(against)
    const total = told.slice()
    for (let s = 0; s < logs.length; s += P) {
      let isLost = false
      for (let p = 0; p < P && !isLost; p++) isLost = logs[s + p] === -Infinity && against[s + p] > -Infinity
      if (!isLost) continue
      alone(new Float64Array(logs.length).fill(-Infinity).fill(0, s, s + P))
      for (let p = 0; p < P; p++)
        if (logs[s + p] === -Infinity && total[p] > -Infinity) logs[s + p] = told[p] - total[p]
    }
  }

  /**
   * Visits what is missing in every step, last steps first. `isAsked`: of a row; the steps of others are left out. `alphas`: absent, neighbouring steps say nothing of each
   * other: there are no parameters yet.
   */
  down(
    reading: Reading,
    params: Float64Array,
    alphas: Alphas | undefined,
    isAsked: (t: number, p: number) => boolean,
    { entries, group }: Visitor,
  ): void {
    const P = this.#slots
    const { first, later, sizes, nested } = reading
    const isLast = new Uint8Array(sizes.length)
    for (let i = 1; i < nested.offsets.length; i++)
      if (nested.offsets[i] > nested.offsets[i - 1]) isLast[nested.offsets[i] - 1] = 1
    let which = 0
    /** β of the step that comes next, going back. */
    let beta = this.#beta[0](0)
    const pass = (side: Seen, r: number): void => {
      const { inference, before, after, steps } = side
      const t = steps[r]
      if (!this.#isAny(t, isAsked)) return
      if (sizes[t] > 0) inference.setBorder(after, isLast[t] || !alphas ? this.#zeros(sizes[t]) : beta)
      const hasBefore = before >= 0 && sizes[t - 1] > 0
      if (hasBefore) inference.setBorder(before, alphas?.of(t - 1) ?? this.#beta[which](sizes[t - 1]))
      const visitProgram = (program: Program): void => {
        if (!alphas) return
        for (let p = 0; p < P; p++)
          if (!(program.logZ[p] > -Infinity) && isAsked(t, p)) throw impossible(nested.block, t)
        const id = inference.borderId(before)
        if (!hasBefore || !program.families.has(id)) return
        which = 1 - which
        beta = this.#beta[which](sizes[t - 1])
        this.#shares(program, id, beta)
        const alpha = alphas.of(t - 1)
        for (let s = 0; s < beta.length; s++) if (beta[s] > -Infinity) beta[s] -= alpha[s]
      }
      inference.posteriorsOf(
        r,
        params,
        (v, row, places, base, shares) => entries(side, v, row, places, base, shares),
        (own, row, shares) => group(side, own, row, shares),
        visitProgram,
      )
      if (hasBefore && alphas) this.#recover(side, r, params, before, beta, alphas.of(t - 1))
    }
    // every row from its last step to its first, which is a row of the other network
    if (later.steps.length > 0) later.inference.prepare(params)
    if (first.steps.length > 0) first.inference.prepare(params)
    let r = later.steps.length - 1
    for (let f = first.steps.length - 1; f >= 0; f--) {
      for (; r >= 0 && later.steps[r] > first.steps[f]; r--) pass(later, r)
      pass(first, f)
    }
  }

  #isAny(t: number, isAsked: (t: number, p: number) => boolean): boolean {
    for (let p = 0; p < this.#slots; p++) if (isAsked(t, p)) return true
    return false
  }
}

function impossible(block: Block, t: number): SufficeError {
  const { row, step } = placeIn(block, t)
  return new SufficeError(
    "data",
    `row ${row}, step ${step}: what is seen there and in the steps around it has probability 0. No values of what is missing explain it. Correct the row, or take a prior above 0.`,
    { row, step },
  )
}
