/**
 * A normal column: mean and variance unknown (normal–inverse-gamma; Murphy 2007, "Conjugate Bayesian analysis of the Gaussian distribution").
 *
 *     κ = κ₀ + n      m = ( κ₀m₀ + Σwx ) / κ      ν = ν₀ + n      S = S₀ + Σw(x − x̄)² + κ₀n/κ·(x̄ − m₀)²      (tied: one ν and S over all slots)
 *     E[1/σ²] = ν/S      E[ln p(x)] = ½( ψ(ν/2) + ln 2 − ln S ) − ½ ln 2π − ½/κ − ½ (ν/S)(x − m)²
 *     B = ln Γ(ν/2) + ½ν ln 2 − ½ν ln S − ½ ln κ − ½n ln 2π
 *     p(x | rows) = Student's t, ν degrees, centre m, scale² S(κ + 1)/(κν)
 *
 * By default S₀ = 3v, ν₀ = 2, κ₀ = 0.1·v/T: v the variance within slots (families/within.ts), T in total. Measured beside others in bench/studies/bayes.md.
 */
import type { BeliefKind } from "../contract/belief.ts"
import type { NumberColumn } from "../families/gaussian-bank.ts"
import { log } from "../kernels/log.ts"
import { studentQuantile } from "../kernels/student.ts"
import { amount, checkReach, DEGREES, priorOf, SPREAD, STRENGTH } from "./elicited.ts"
import { expectedTop, heldSpread, LN_2PI, logSpread } from "./spreads.ts"
import { beliefOf, held } from "./stand-in.ts"
import { putStudent, STUDENT, studentColumn } from "./student.ts"

const WIDTH = 5
/** Places of κ, m, ν, S and n in the numbers of a slot. */
const [KAPPA, M, NU, S, N] = [0, 1, 2, 3, 4]

export const gaussianBelief: BeliefKind = {
  family: "gaussian",
  of(plain, about) {
    const [column] = about.columns as [NumberColumn]
    const [place] = about.places
    const { slots } = plain.shape
    const tied = about.options.variance === "tied"
    const width = tied ? 2 : 3
    const { factor, given } = priorOf(about, ["mean", "strength", "sd", "degrees"])
    const own = given && {
      kappa: amount(about, given, "strength", 0, STRENGTH),
      mean:
        (amount(about, given, "mean", -Infinity, "It is where the mean is expected.") - column.shift) /
        column.scale,
      degrees: amount(about, given, "degrees", 0, DEGREES),
      sd: amount(about, given, "sd", 0, SPREAD) / column.scale,
    }
    if (own) checkReach(about, [own.mean], [own.degrees * own.sd * own.sd])
    const total = column.variance > 0 && column.variance < Infinity ? column.variance : 1
    const centre = own?.mean ?? column.within?.mean ?? 0
    const logScale = log(column.scale)
    const spreadAt = tied ? (_: number) => 0 : (slot: number) => slot

    function posterior(stats: Float64Array, strength: number, [within]: Float64Array, q: Float64Array): void {
      const s = strength * factor
      const kappa0 = s * (own?.kappa ?? (0.1 * within) / total)
      const nu0 = s * (own?.degrees ?? 2)
      const s0 = s * (own ? own.degrees * own.sd * own.sd : 3 * within)
      let nu = nu0
      let scatter = s0
      for (let p = 0; p < slots; p++) {
        const n = stats[p * width]
        const sum = stats[p * width + 1]
        const kappa = kappa0 + n
        const mean = n > 0 ? sum / n : centre
        const off = mean - centre
        if (!tied) {
          nu = nu0 + n
          scatter = s0 + Math.max(stats[p * 3 + 2] - sum * mean, 0)
        } else {
          nu += n
          scatter -= sum * mean
        }
        scatter += kappa > 0 ? ((kappa0 * n) / kappa) * off * off : 0
        q[p * WIDTH + KAPPA] = kappa
        q[p * WIDTH + M] = centre + (n / kappa) * off
        q[p * WIDTH + NU] = nu
        q[p * WIDTH + S] = scatter
        q[p * WIDTH + N] = n
      }
      if (!tied) return
      scatter = Math.max(scatter + stats[slots * 2], s0)
      for (let p = 0; p < slots; p++) {
        q[p * WIDTH + NU] = nu
        q[p * WIDTH + S] = scatter
      }
    }

    return beliefOf(
      plain,
      {
        numbers: slots * WIDTH,
        posterior,

        logNormaliser(q) {
          let sum = 0
          for (let p = 0; p < slots; p++) {
            const at = p * WIDTH
            if (!tied || p === 0) sum += logSpread(q[at + NU], q[at + S])
            sum -= 0.5 * log(q[at + KAPPA]) + q[at + N] * (0.5 * LN_2PI + logScale)
          }
          return sum
        },

        draw(q, dice, params) {
          let variance = 0
          for (let p = 0; p < slots; p++) {
            const at = p * WIDTH
            if (spreadAt(p) === p) variance = q[at + S] / (2 * dice.gamma(0.5 * q[at + NU]))
            params[p * 3] = q[at + M] + dice.normal() * Math.sqrt(variance / q[at + KAPPA])
            params[p * 3 + 1] = 1 / variance
            params[p * 3 + 2] = -0.5 * (LN_2PI + log(variance)) - logScale
          }
        },

        interval(q, slot, probability) {
          const at = slot * WIDTH
          const { shift, scale } = column
          const [kappa, m, nu, s] = q.subarray(at, at + WIDTH)
          const off = studentQuantile(0.5 + 0.5 * probability, nu) * Math.sqrt(s / nu / kappa)
          return {
            mean: held(shift + scale * m, shift + scale * (m - off), shift + scale * (m + off)),
            sd: heldSpread(scale, s, nu, probability),
          }
        },
      },
      {
        // in the layout of the plain leaf: m, ν/S, and the expected log-density at m
        expected: {
          fill(q, params) {
            for (let p = 0; p < slots; p++) {
              const [kappa, m, nu, s] = q.subarray(p * WIDTH, p * WIDTH + WIDTH)
              params[p * 3] = m
              params[p * 3 + 1] = nu / s
              params[p * 3 + 2] = expectedTop(nu, s, kappa) - logScale
            }
          },
        },
        // the plain parameters, then those of Student's t
        predictive: {
          shape: { parameters: slots * (3 + STUDENT) },
          fill(q, params) {
            for (let p = 0; p < slots; p++) {
              const [kappa, m, nu, s] = q.subarray(p * WIDTH, p * WIDTH + WIDTH)
              params[p * 3] = m
              params[p * 3 + 1] = nu / s
              params[p * 3 + 2] = -0.5 * (LN_2PI + log(s / nu)) - logScale
              putStudent(params, slots * 3 + p * STUDENT, m, (s / nu) * ((kappa + 1) / kappa), nu, logScale)
            }
          },
          ...studentColumn(place, slots, slots * 3),
        },
      },
    )
  },
}
