/**
 * A positive number whose logarithm is normal, mean and variance unknown: as a normal column (beliefs/gaussian.ts) of logarithms.
 *
 *     κ = κ₀ + n      m = ( κ₀m₀ + Σw ln x ) / κ      ν = ν₀ + n      S = S₀ + Σw(ln x − mean)² + κ₀n/κ·(mean − m₀)²
 *     p(x | rows) = Student's t of ln x, ν degrees, centre m, scale² S(κ + 1)/(κν), divided by x
 *
 * By default S₀ = 3T, ν₀ = 2, κ₀ = 0.1 around the pooled mean: T the variance of the logarithms of all rows, as for an estimate.
 * The predictive has no mean, as the tails of a t of logarithms are too long for one: what is said is the mean of a log-normal with that centre and scale.
 */
import type { BeliefKind } from "../contract/belief.ts"
import { aboveZero, pooledOf } from "../families/natural.ts"
import { exp, expm1 } from "../kernels/exp.ts"
import { log, log1p } from "../kernels/log.ts"
import { logOnePlusSquare, studentBelow, studentQuantile } from "../kernels/student.ts"
import { growUnset } from "../kernels/workspace.ts"
import { amount, checkReach, DEGREES, priorOf, SPREAD, STRENGTH } from "./elicited.ts"
import { expectedTop, heldSpread, LN_2PI, logSpread } from "./spreads.ts"
import { beliefOf, held } from "./stand-in.ts"
import { putStudent, STUDENT } from "./student.ts"

/** Statistics of a slot: n, Σw ln x, Σw ln² x; numbers: κ, m, ν, S, n, Σw ln x. */
const STATISTICS = 3
const WIDTH = 6
/** A smaller variance of logarithms is rounding error. */
const LEAST = 1e-14
/** e^σ² and its square are still finite. */
const WIDEST = 300

export const logNormalBelief: BeliefKind = {
  family: "logNormal",
  of(plain, about) {
    const { slots } = plain.shape
    const [place] = about.places
    const { logMean, logVariance, scale } = pooledOf(about.columns[0])
    const logScale = log(scale)
    const { factor, given } = priorOf(about, ["logMean", "strength", "logSd", "degrees"])
    const own = given && {
      kappa: amount(about, given, "strength", 0, STRENGTH),
      mean:
        amount(about, given, "logMean", -Infinity, "It is where the mean of ln x is expected.") - logScale,
      degrees: amount(about, given, "degrees", 0, DEGREES),
      sd: amount(about, given, "logSd", 0, SPREAD),
    }
    if (own) checkReach(about, [own.mean], [own.degrees * own.sd * own.sd])
    const total = logVariance > LEAST ? logVariance : 1
    const prior = own
      ? { kappa: own.kappa, mean: own.mean, nu: own.degrees, scatter: own.degrees * own.sd * own.sd }
      : { kappa: 0.1 * factor, mean: logMean, nu: 2 * factor, scatter: 3 * factor * total }
    const logsOf = growUnset()

    /** ln x; NaN if it is missing. */
    function logs(x: Float64Array, rows: number): Float64Array {
      const out = logsOf(rows)
      for (let i = 0; i < rows; i++) out[i] = log(x[i])
      return out
    }

    /** The plain parameters of a normal of logarithms. */
    function put(params: Float64Array, p: number, m: number, variance: number): void {
      params[p * 2] = m / variance - 1
      params[p * 2 + 1] = -0.5 / variance
    }

    return beliefOf(
      plain,
      {
        numbers: slots * WIDTH,
        posterior(stats, strength, _spread, q) {
          for (let p = 0; p < slots; p++) {
            const [count, sum, squares] = stats.subarray(p * STATISTICS, p * STATISTICS + STATISTICS)
            const n = Math.max(count, 0)
            const mean = n > 0 ? sum / n : prior.mean
            const off = mean - prior.mean
            const kappa0 = strength * prior.kappa
            const kappa = kappa0 + n
            const scatter = strength * prior.scatter + Math.max(squares - sum * mean, 0)
            const numbers = [
              kappa,
              prior.mean + (n / kappa) * off,
              strength * prior.nu + n,
              scatter + ((kappa0 * n) / kappa) * off * off,
              n,
              sum,
            ]
            q.set(numbers, p * WIDTH)
          }
        },

        logNormaliser(q) {
          let sum = 0
          for (let at = 0; at < q.length; at += WIDTH) {
            const [kappa, , nu, s, n, logs] = q.subarray(at, at + WIDTH)
            sum += logSpread(nu, s) - 0.5 * log(kappa) - n * (0.5 * LN_2PI + logScale) - logs
          }
          return sum
        },

        draw(q, dice, params) {
          for (let p = 0; p < slots; p++) {
            const [kappa, m, nu, s] = q.subarray(p * WIDTH, p * WIDTH + WIDTH)
            const variance = s / (2 * dice.gamma(0.5 * nu))
            put(params, p, m + dice.normal() * Math.sqrt(variance / kappa), variance)
          }
        },

        interval(q, slot, probability) {
          const [kappa, m, nu, s] = q.subarray(slot * WIDTH, slot * WIDTH + WIDTH)
          const off = studentQuantile(0.5 + 0.5 * probability, nu) * Math.sqrt(s / nu / kappa)
          const centre = logScale + m
          return {
            logMean: held(centre, centre - off, centre + off),
            logSd: heldSpread(1, s, nu, probability),
          }
        },
      },
      {
        // the plain parameters; then slot by slot m, ν/S and the expected log-density at m
        expected: {
          shape: { parameters: slots * 5 },
          fill(q, params) {
            for (let p = 0; p < slots; p++) {
              const [kappa, m, nu, s] = q.subarray(p * WIDTH, p * WIDTH + WIDTH)
              put(params, p, m, s / nu)
              params.set([m, nu / s, expectedTop(nu, s, kappa) - logScale], slots * 2 + p * 3)
            }
          },
          score(block, params, out) {
            const { rows } = block
            const x = logs(block.cells[place] as Float64Array, rows)
            for (let p = 0; p < slots; p++) {
              const [m, precision, top] = params.subarray(slots * 2 + p * 3, slots * 2 + p * 3 + 3)
              for (let i = 0; i < rows; i++) {
                const off = x[i] - m
                if (off === off) out[p * rows + i] += top - 0.5 * precision * off * off - x[i]
              }
            }
            return undefined
          },
          value(stats, params) {
            let total = 0
            for (let p = 0; p < slots; p++) {
              const [n, sum, squares] = stats.subarray(p * STATISTICS, p * STATISTICS + STATISTICS)
              const [m, precision, top] = params.subarray(slots * 2 + p * 3, slots * 2 + p * 3 + 3)
              total += n * top - 0.5 * precision * (squares - 2 * m * sum + n * m * m) - sum
            }
            return total
          },
        },
        // the plain parameters; then those of Student's t
        predictive: {
          shape: { parameters: slots * (2 + STUDENT) },
          fill(q, params) {
            for (let p = 0; p < slots; p++) {
              const [kappa, m, nu, s] = q.subarray(p * WIDTH, p * WIDTH + WIDTH)
              put(params, p, m, s / nu)
              putStudent(params, slots * 2 + p * STUDENT, m, (s / nu) * ((kappa + 1) / kappa), nu, logScale)
            }
          },
          score(block, params, out) {
            const { rows } = block
            const x = logs(block.cells[place] as Float64Array, rows)
            for (let p = 0; p < slots; p++) {
              const own = slots * 2 + p * STUDENT
              const [m, unit, half, top] = params.subarray(own, own + STUDENT)
              for (let i = 0; i < rows; i++) {
                const off = x[i] - m
                if (off === off) out[p * rows + i] += top - half * logOnePlusSquare(off * unit) - x[i]
              }
            }
            return undefined
          },
          sample(params, slot, block, dice) {
            const x = block.cells[place] as Float64Array
            if (!Number.isNaN(x[0])) return
            const [m, unit, , , nu] = params.subarray(
              slots * 2 + slot * STUDENT,
              slots * 2 + (slot + 1) * STUDENT,
            )
            const drawn = m + dice.normal() / (unit * Math.sqrt(2 * dice.gamma(0.5 * nu)))
            x[0] = aboveZero(exp(Math.min(drawn, WIDEST)))
          },
          numbers: {
            expect(_block, params, slot, _place, mean, variance, freedom) {
              const [m, unit, , , nu] = params.subarray(
                slots * 2 + slot * STUDENT,
                slots * 2 + (slot + 1) * STUDENT,
              )
              const square = Math.min(1 / unit / unit / nu, WIDEST)
              const centre = exp(m + 0.5 * square)
              mean.fill(centre)
              variance.fill(centre * centre * expm1(square))
              freedom?.fill(nu)
            },

            cdf(x, mean, variance, nu = 1) {
              const square = log1p(variance / (mean * mean))
              return x > 0 ? studentBelow((log(x) - log(mean) + 0.5 * square) / Math.sqrt(square), nu) : 0
            },
          },
        },
      },
    )
  },
}
