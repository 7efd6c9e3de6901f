/**
 * The action of least expected loss (not the most probable level, unless every mistake costs the same).
 *
 *     risk(a) = Σ_l p(l | row) · loss(l, a)        action = argmin_a risk(a)        reject where even that costs more than rejecting
 */
import type { Data } from "../data/read.ts"
import { list, refuseUnknown, SufficeError, show } from "../errors.ts"
import type { SolvedModel } from "./knowledge.ts"
import { posteriors } from "./posterior.ts"
import { OPTIONS, type PosteriorOptions, questionOf } from "./question.ts"
import { byRow } from "./target.ts"

/** What each action costs when the truth is this level: loss[level][action]. */
export type Loss<Action extends string = string> = Readonly<Record<string, Readonly<Record<Action, number>>>>

export interface DecideOptions<Action extends string = string, Name extends string = string>
  extends PosteriorOptions {
  /** Without it, every wrong level costs 1 and the actions are the levels. */
  readonly loss?: Loss<Action>
  /** The cost of declining to decide. */
  readonly reject?: number
  readonly target?: Name
}

export interface Decision<Action extends string = string> {
  /** The action of least risk, or "reject". */
  readonly action: Action | "reject"
  readonly risk: number
  readonly risks: Readonly<Record<string, number>>
}

export function decisions(
  solved: SolvedModel,
  data: Data,
  options: DecideOptions,
): Decision[] | Decision[][] {
  refuseUnknown("decide", options, ["loss", "reject", ...OPTIONS])
  const { levels, probabilities, offsets } = posteriors(solved, data, questionOf(solved, options, "decide"))
  const all = decided(levels.map(String), probabilities, options)
  return offsets ? byRow(all, offsets) : all
}

/** One decision per row of the probabilities, rows × levels. */
function decided(names: readonly string[], probabilities: Float64Array, options: DecideOptions): Decision[] {
  const { actions, costs } = lossMatrix(names, options)
  return Array.from({ length: probabilities.length / names.length }, (_, i) => {
    const risks = actions.map((_, a) => {
      let risk = 0
      names.forEach((_, l) => {
        // 0 · ∞ = 0 here: a cost of 0 stays 0, and an impossible level costs nothing, whatever its cost
        const p = probabilities[i * names.length + l]
        if (p > 0 && costs[l][a] !== 0) risk += p * costs[l][a]
      })
      return risk
    })
    let best = 0
    for (let a = 1; a < actions.length; a++) if (risks[a] < risks[best]) best = a
    return {
      action: actions[best],
      risk: risks[best],
      risks: Object.fromEntries(actions.map((name, a) => [name, risks[a]])),
    }
  })
}

/** Actions and costs[level][action]; rejecting is the last action, so that a tie decides. */
function lossMatrix(
  levels: readonly string[],
  { loss, reject }: DecideOptions,
): { actions: string[]; costs: number[][] } {
  const lossOf = (level: string): Readonly<Record<string, number>> =>
    loss && Object.hasOwn(loss, level) ? (loss[level] ?? {}) : {}
  const actions = loss ? [...new Set(levels.flatMap(level => Object.keys(lossOf(level))))] : levels.slice()
  const costs = levels.map(level =>
    actions.map(action => {
      if (!loss) return level === action ? 0 : 1
      const own = lossOf(level)
      return cost(Object.hasOwn(own, action) ? own[action] : undefined, level, action, levels)
    }),
  )
  for (const level of Object.keys(loss ?? {})) {
    if (levels.includes(level)) continue
    throw new SufficeError(
      "option",
      `decide: the loss names the level ${show(level)}. The target has ${list(levels)}. Correct the name, or leave it out.`,
      { level },
    )
  }
  if (actions.length === 0) {
    throw new SufficeError(
      "option",
      "decide: the loss names no action. There is nothing to choose from. Give the cost of each action for each level: { spam: { delete: 0, keep: 1 }, … }.",
    )
  }
  if (reject === undefined) return { actions, costs }
  if (actions.includes("reject")) {
    throw new SufficeError(
      "option",
      'decide: the loss has an action "reject" and the option `reject` is given too. One of them decides. Leave one out.',
    )
  }
  if (typeof reject !== "number" || !(reject > -Infinity)) {
    throw new SufficeError(
      "option",
      `decide: reject is ${show(reject)}. It is the cost of not deciding. Give a number above −∞.`,
      {
        option: "reject",
        value: reject,
      },
    )
  }
  return { actions: [...actions, "reject"], costs: costs.map(row => [...row, reject]) }
}

function cost(value: unknown, level: string, action: string, levels: readonly string[]): number {
  // −∞ would outweigh everything except +∞, and ∞ − ∞ is not a number
  if (typeof value === "number" && value > -Infinity) return value
  throw new SufficeError(
    "option",
    `decide: the loss of ${show(action)} when the truth is ${show(level)} is ${show(value)}. Every action needs a cost for each of ${list(levels)}. Give a number above −∞; a gain is a negative cost.`,
    { level, action, value },
  )
}
