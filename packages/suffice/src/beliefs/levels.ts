/**
 * Probabilities of levels, and of the values of a switch (Dirichlet).
 *
 *     a_l = α_l + n_l      E[ln p_l] = ψ(a_l) − ψ(Σa)      B = Σ ln Γ(a_l) − ln Γ(Σa)      p(l | rows) = a_l / Σa
 *
 * α = 1 by default: (n_l + 1)/(n + L), Laplace's rule of succession.
 */
import type { About, BeliefKind } from "../contract/belief.ts"
import type { Column } from "../contract/columns.ts"
import type { Leaf } from "../contract/leaf.ts"
import { log } from "../kernels/log.ts"
import { digamma, logGamma } from "../kernels/log-gamma.ts"
import { betaQuantile } from "../kernels/student.ts"
import { amount, priorOf, SHARE, STRENGTH, shares } from "./elicited.ts"
import { described, normalisedMoments } from "./level-probabilities.ts"
import { beliefOf, held } from "./stand-in.ts"
import { sticksBelief } from "./sticks.ts"

type LevelColumn = Extract<Column, { kind: "level" }>

/** α of each level. */
function pseudoCounts(about: About, levels: number): Float64Array {
  const names = (about.columns[0] as LevelColumn).levels.map(String)
  const isYesNo = about.family === "bernoulli"
  const fields = isYesNo ? ["probability", "strength"] : ["probabilities", "strength"]
  const { factor, given } = priorOf(about, fields)
  if (!given) return new Float64Array(levels).fill(factor)
  const strength = amount(about, given, "strength", 0, STRENGTH)
  if (!isYesNo) return shares(about, given, names).map(share => share * strength)
  const yes = amount(about, given, "probability", 0, SHARE, 1)
  return Float64Array.of(strength * (1 - yes), strength * yes)
}

/** The probability of one level: a of a total. */
function heldLevel(a: number, total: number, levels: number, probability: number) {
  if (levels < 2) return held(1, 1, 1)
  const beyond = 0.5 * (1 - probability)
  return held(a / total, betaQuantile(beyond, a, total - a), betaQuantile(1 - beyond, a, total - a))
}

function levelBelief(plain: Leaf, about: About) {
  const { slots } = plain.shape
  const levels = (about.columns[0] as LevelColumn).levels.length
  const size = levels * slots
  const alpha = pseudoCounts(about, levels)
  const sumOf = (a: Float64Array, p: number): number => {
    let sum = 0
    for (let l = 0; l < levels; l++) sum += a[l * slots + p]
    return sum
  }
  const fill = (q: Float64Array, params: Float64Array, of: (a: number) => number): void => {
    for (let p = 0; p < slots; p++) {
      const top = of(sumOf(q, p))
      for (let l = 0; l < levels; l++) params[l * slots + p] = of(q[l * slots + p]) - top
    }
  }
  return beliefOf(
    plain,
    {
      numbers: size,
      posterior(stats, strength, _spread, q) {
        for (let l = 0; l < levels; l++)
          for (let p = 0; p < slots; p++)
            q[l * slots + p] = Math.max(stats[l * slots + p], 0) + strength * alpha[l]
      },
      logNormaliser(q) {
        let sum = 0
        for (let j = 0; j < size; j++) sum += logGamma(q[j])
        for (let p = 0; levels > 0 && p < slots; p++) sum -= logGamma(sumOf(q, p))
        return sum
      },
      draw(q, dice, params) {
        const drawn = new Float64Array(levels)
        for (let p = 0; p < slots; p++) {
          dice.dirichlet(
            Float64Array.from(drawn, (_, l) => q[l * slots + p]),
            drawn,
          )
          for (let l = 0; l < levels; l++) params[l * slots + p] = log(drawn[l])
        }
      },
      interval(q, slot, probability) {
        const total = sumOf(q, slot)
        return described(plain, about, slot, l => heldLevel(q[l * slots + slot], total, levels, probability))
      },
    },
    {
      expected: {
        fill: (q, params) => fill(q, params, digamma),
        moments: (params, mass, stats) => normalisedMoments(params, slots, levels, mass, stats),
      },
      predictive: { fill: (q, params) => fill(q, params, log) },
    },
  )
}

export const categoricalBelief: BeliefKind = {
  family: "categorical",
  of: (plain, about) =>
    about.options.weights === "sticks" ? sticksBelief(plain, about) : levelBelief(plain, about),
}

export const bernoulliBelief: BeliefKind = { family: "bernoulli", of: levelBelief }
