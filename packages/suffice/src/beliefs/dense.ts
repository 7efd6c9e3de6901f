/**
 * Correlated normal columns, a matrix per slot ("full") or one for all ("tied"): normal–inverse-Wishart (Murphy 2007; Bishop 2006, 10.2).
 *
 *     κ = κ₀ + n      m = ( κ₀m₀ + Σwx ) / κ      ν = ν₀ + n      S = S₀ + M + κ₀n/κ·(x̄ − m₀)(x̄ − m₀)ᵀ      M: the scatter of the slot; tied: Σ over slots
 *     E[Σ⁻¹] = ν S⁻¹      E[ln p(x)] = ln N(x | m, S/ν) + u      u = ½( Σ_{j<d} ψ(½(ν − j)) − d ln(ν/2) ) − ½ d/κ
 *     B = ln Γ_d(ν/2) + ½νd ln 2 − ½ν ln|S| − ½d ln κ − ½nd ln 2π
 *     p(x | rows) = Student's t, ν − d + 1 degrees, centre m, scale S(κ + 1)/(κ(ν − d + 1))      (beliefs/dense-student.ts)
 *
 * By default S₀ = (d + 2)V, ν₀ = 2d, κ₀ = 0.1·d/Σ(T_j/v_j); V: the variation within slots, v its diagonal, T in total.
 * Missing cells are hidden values: given E[Σ⁻¹] and m they are normal, and the constant u stays. A row without any of the cells says nothing.
 */
import type { About, Belief } from "../contract/belief.ts"
import type { Leaf } from "../contract/leaf.ts"
import {
  denseNumbers,
  draw,
  interval,
  logNormaliser,
  matrixAt,
  posterior,
  slotAt,
} from "./dense-posterior.ts"
import { absorbExpected, fillExpected, putPoint, scoreExpected, valueExpected } from "./dense-predictive.ts"
import { denseStudent } from "./dense-student.ts"
import { beliefOf } from "./stand-in.ts"

export function denseBelief(plain: Leaf, about: About): Belief {
  const belief = denseNumbers(plain, about)
  const { matrices, layout, slots } = belief

  return beliefOf(
    plain,
    {
      numbers: matrixAt(belief, matrices),
      posterior: (stats, strength, spread, q) => posterior(belief, stats, strength, spread, q),
      logNormaliser: q => logNormaliser(belief, q),
      draw: (q, dice, params) => draw(belief, q, dice, params),
      interval: (q, slot, probability) => interval(belief, q, slot, probability),
    },
    {
      // the plain parameters of N(m, S/ν), then u slot by slot
      expected: {
        shape: { parameters: layout.parameters + slots },
        fill: (q, params) => fillExpected(belief, q, params),
        score: (block, params, out, upToConstant, reuse) =>
          scoreExpected(belief, block, params, out, upToConstant, reuse),
        absorb: (block, params, weights, stats, work) =>
          absorbExpected(belief, block, params, weights, stats, work),
        value: (stats, params) => valueExpected(belief, stats, params),
      },
      predictive: denseStudent(layout, {
        fill: (q, params) => putPoint(belief, q, params),
        of(q, p) {
          const matrix = layout.matrixOf(p)
          return {
            kappa: q[slotAt(belief, p)],
            mean: slotAt(belief, p) + 2,
            nu: q[matrixAt(belief, matrix)],
            scatter: matrixAt(belief, matrix) + 1,
          }
        },
      }),
    },
  )
}
