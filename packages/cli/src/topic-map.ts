/**
 * Topics as places on a map: near each other if their words are alike.
 *
 *     distance² = Jensen–Shannon divergence of their words (its root is a metric: Endres & Schindelin 2003)
 *     places    = the two largest principal axes of −½ J D² J, J = 1 − 11ᵀ/n: classical scaling (Torgerson 1952)
 */

/** √JSD between every two distributions over the same words. */
export function distancesOf(phi: readonly (readonly number[])[]): number[][] {
  return phi.map(p => phi.map(q => Math.sqrt(Math.max(divergence(p, q), 0))))
}

function divergence(p: readonly number[], q: readonly number[]): number {
  let sum = 0
  for (let w = 0; w < p.length; w++) {
    const m = (p[w] + q[w]) / 2
    if (p[w] > 0) sum += (p[w] * Math.log(p[w] / m)) / 2
    if (q[w] > 0) sum += (q[w] * Math.log(q[w] / m)) / 2
  }
  return sum
}

/** Places in the plane whose distances are as near to these as two axes allow. */
export function scaled(distances: readonly (readonly number[])[]): [number, number][] {
  const n = distances.length
  const squares = distances.map(row => row.map(d => d * d))
  const means = squares.map(row => row.reduce((a, b) => a + b, 0) / n)
  const mean = means.reduce((a, b) => a + b, 0) / n
  const gram = squares.map((row, i) => row.map((square, j) => -(square - means[i] - means[j] + mean) / 2))
  const first = principal(gram)
  const rest = gram.map((row, i) =>
    row.map((value, j) => value - first.value * first.axis[i] * first.axis[j]),
  )
  const second = principal(rest)
  const along = ({ value, axis }: Principal, i: number): number => Math.sqrt(Math.max(value, 0)) * axis[i]
  return distances.map((_, i) => [along(first, i), along(second, i)])
}

/** How much of two radii lies between circles that touch each other; of two numbers in them, how far apart they are read. */
const CLEAR = 0.7
const READ = 17
const ROUNDS = 200

/** Circles that would hide each other are pushed apart, half of it each, inside a frame. */
export function spread(
  places: readonly (readonly [number, number])[],
  radii: readonly number[],
  frame: readonly [number, number],
): [number, number][] {
  const moved = places.map(([x, y]): [number, number] => [x, y])
  for (let round = 0; round < ROUNDS; round++) {
    let least = 0
    for (let i = 0; i < moved.length; i++) {
      for (let j = 0; j < i; j++) {
        const [dx, dy] = [0, 1].map(a => moved[i][a] - moved[j][a])
        const distance = Math.hypot(dx, dy)
        const lack = Math.max(CLEAR * (radii[i] + radii[j]), READ) - distance
        if (lack <= 0) continue
        least = Math.max(least, lack)
        // circles at one place go along the diagonal
        const [ux, uy] = distance > 0 ? [dx / distance, dy / distance] : [Math.SQRT1_2, Math.SQRT1_2]
        for (const [t, sign] of [
          [i, 1],
          [j, -1],
        ]) {
          moved[t] = [ux, uy].map((u, a) => {
            const to = moved[t][a] + (sign * u * lack) / 2
            return Math.min(Math.max(to, radii[t] + 1), frame[a] - radii[t] - 1)
          }) as [number, number]
        }
      }
    }
    if (least < 0.5) break
  }
  return moved
}

interface Principal {
  readonly value: number
  readonly axis: readonly number[]
}

/** The largest eigenvalue of a symmetric matrix and its axis, whose largest entry is positive: by powers of the matrix, which is made positive first. */
function principal(matrix: readonly (readonly number[])[]): Principal {
  const shift = matrix.reduce(
    (most, row) =>
      Math.max(
        most,
        row.reduce((a, b) => a + Math.abs(b), 0),
      ),
    0,
  )
  let axis = matrix.map((_, i) => 1 + i / (matrix.length + 1))
  for (let step = 0; step < 500; step++) {
    const next = matrix.map((row, i) => row.reduce((sum, value, j) => sum + value * axis[j], shift * axis[i]))
    const length = Math.sqrt(next.reduce((sum, x) => sum + x * x, 0))
    if (!(length > 0)) return { value: 0, axis: matrix.map(() => 0) }
    axis = next.map(x => x / length)
  }
  const value = matrix.reduce((sum, row, i) => sum + axis[i] * row.reduce((a, b, j) => a + b * axis[j], 0), 0)
  const far = axis.reduce((most, x) => (Math.abs(x) > Math.abs(most) + 1e-9 ? x : most), 0)
  return { value, axis: far < 0 ? axis.map(x => -x) : axis }
}
