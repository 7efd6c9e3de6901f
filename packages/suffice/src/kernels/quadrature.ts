// ∫_0^1 f(t) dt of a function with values in R^n, by Gauss–Legendre panels that are halved until the caller is content.
//
//   ∫_a^b f ≈ (b − a)/2 Σ_i w_i f( (a + b)/2 ± x_i (b − a)/2 )       exact for polynomials of degree 23
//
// Twelve points: the roots of the Legendre polynomial P_12 and their weights; the test checks both.

const NODES = [
  0.9815606342467192, 0.9041172563704749, 0.7699026741943047, 0.5873179542866175, 0.3678314989981802,
  0.1252334085114689,
]
const WEIGHTS = [
  0.04717533638651183, 0.10693932599531843, 0.16007832854334622, 0.20316742672306592, 0.2334925365383548,
  0.24914704581340277,
]

/** Panels are no narrower than 2^−40, and at most this many, even if the caller is never content. */
const DEPTH = 40
const PANELS = 4096

/** `f` adds weight · f(t) to out. `content`: is the integral over [from, to] by two halves good enough, the whole panel having given `coarse`? */
export function integrate(
  size: number,
  f: (t: number, weight: number, out: Float64Array) => void,
  content: (coarse: Float64Array, halves: Float64Array, from: number, to: number) => boolean,
): Float64Array {
  const total = new Float64Array(size)
  let panels = 0

  function panel(from: number, to: number): Float64Array {
    const out = new Float64Array(size)
    const centre = 0.5 * (from + to)
    const half = 0.5 * (to - from)
    NODES.forEach((node, i) => {
      f(centre - half * node, half * WEIGHTS[i], out)
      f(centre + half * node, half * WEIGHTS[i], out)
    })
    panels++
    return out
  }

  function refine(from: number, to: number, coarse: Float64Array, depth: number): void {
    const middle = 0.5 * (from + to)
    const left = panel(from, middle)
    const right = panel(middle, to)
    const halves = left.map((value, j) => value + right[j])
    if (depth === 0 || panels > PANELS || content(coarse, halves, from, to)) {
      for (let j = 0; j < size; j++) total[j] += halves[j]
      return
    }
    refine(from, middle, left, depth - 1)
    refine(middle, to, right, depth - 1)
  }

  refine(0, 1, panel(0, 1), DEPTH)
  return total
}
