/** Rows in the plane: along the two directions that tell the groups apart best (discriminant), or along which they differ most (principal). */
import { EigenvalueDecomposition, Matrix } from "ml-matrix"

export interface Plane {
  readonly how: string
  readonly points: readonly { readonly x: number; readonly y: number; readonly group: number }[]
  readonly outlines: readonly {
    readonly group: number
    readonly points: readonly { readonly x: number; readonly y: number }[]
  }[]
}

/** `rows`: cells without holes, each column standardised; `groups`: -1 for none. */
export function planeOf(
  rows: readonly (readonly number[])[],
  groups: ArrayLike<number>,
  count: number,
  names: readonly string[],
): Plane | undefined {
  const d = rows[0]?.length ?? 0
  if (d < 2 || rows.length < 3) return undefined
  const isDiscriminant = count > 2
  const [first, second] = isDiscriminant ? discriminant(rows, groups, count, d) : principal(rows, d)
  const project = (row: readonly number[], along: readonly number[]): number =>
    row.reduce((sum, x, j) => sum + x * along[j], 0)
  const points = rows.map((row, i) => ({ x: project(row, first), y: project(row, second), group: groups[i] }))
  const strongest = (along: readonly number[]): string =>
    names[along.reduce((best, value, j) => (Math.abs(value) > Math.abs(along[best]) ? j : best), 0)]
  return {
    how: `${isDiscriminant ? "the first two discriminant directions" : "the first two principal directions"}, mostly ${strongest(first)} and ${strongest(second)}`,
    points: points.filter(({ group }) => group >= 0),
    outlines: Array.from({ length: count }, (_, group) => ({
      group,
      points: ellipse(points.filter(one => one.group === group)),
    })).filter(one => one.points.length > 0),
  }
}

function covariance(rows: readonly (readonly number[])[], d: number, center: readonly number[]): Matrix {
  const found = Matrix.zeros(d, d)
  for (const row of rows)
    for (let a = 0; a < d; a++)
      for (let b = 0; b <= a; b++)
        found.set(a, b, found.get(a, b) + (row[a] - center[a]) * (row[b] - center[b]))
  for (let a = 0; a < d; a++) for (let b = a + 1; b < d; b++) found.set(a, b, found.get(b, a))
  return found
}

function meanOf(rows: readonly (readonly number[])[], d: number): number[] {
  return Array.from(
    { length: d },
    (_, j) => rows.reduce((sum, row) => sum + row[j], 0) / Math.max(rows.length, 1),
  )
}

/** The vectors of the two largest values. */
function largest(symmetric: Matrix): [number[], number[]] {
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(symmetric, {
    assumeSymmetric: true,
  })
  const order = [...realEigenvalues.keys()].sort((a, b) => realEigenvalues[b] - realEigenvalues[a])
  return [eigenvectorMatrix.getColumn(order[0]), eigenvectorMatrix.getColumn(order[1])]
}

function principal(rows: readonly (readonly number[])[], d: number): [number[], number[]] {
  return largest(covariance(rows, d, meanOf(rows, d)))
}

/** The directions v that maximise vᵀBv / vᵀWv: eigenvectors of B where W is the identity (Fisher 1936). */
function discriminant(
  rows: readonly (readonly number[])[],
  groups: ArrayLike<number>,
  count: number,
  d: number,
): [number[], number[]] {
  const center = meanOf(rows, d)
  const within = Matrix.eye(d, d).mul(1e-6 * rows.length)
  const between = Matrix.zeros(d, d)
  for (let g = 0; g < count; g++) {
    const own = rows.filter((_, i) => groups[i] === g)
    if (own.length === 0) continue
    const mean = meanOf(own, d)
    within.add(covariance(own, d, mean))
    for (let a = 0; a < d; a++)
      for (let b = 0; b < d; b++)
        between.set(a, b, between.get(a, b) + own.length * (mean[a] - center[a]) * (mean[b] - center[b]))
  }
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(within, {
    assumeSymmetric: true,
  })
  const whitening = eigenvectorMatrix.clone()
  for (let j = 0; j < d; j++)
    for (let a = 0; a < d; a++)
      whitening.set(a, j, whitening.get(a, j) / Math.sqrt(Math.max(realEigenvalues[j], 1e-12)))
  const white = whitening.transpose().mmul(between).mmul(whitening)
  const [u, v] = largest(white)
  const back = (w: number[]): number[] => {
    const along = whitening.mmul(Matrix.columnVector(w)).getColumn(0)
    const length = Math.hypot(...along)
    return along.map(x => x / length)
  }
  return [back(u), back(v)]
}

/** Two standard deviations around the mean. */
function ellipse(points: readonly { readonly x: number; readonly y: number }[]): { x: number; y: number }[] {
  const n = points.length
  if (n < 3) return []
  const mx = points.reduce((sum, { x }) => sum + x, 0) / n
  const my = points.reduce((sum, { y }) => sum + y, 0) / n
  const sx = Math.sqrt(points.reduce((sum, { x }) => sum + (x - mx) ** 2, 0) / n)
  if (!(sx > 0)) return []
  const slope = points.reduce((sum, { x, y }) => sum + (x - mx) * (y - my), 0) / n / sx
  const rest = Math.sqrt(Math.max(points.reduce((sum, { y }) => sum + (y - my) ** 2, 0) / n - slope ** 2, 0))
  return Array.from({ length: 61 }, (_, i) => {
    const [c, s] = [2 * Math.cos((i * Math.PI) / 30), 2 * Math.sin((i * Math.PI) / 30)]
    return { x: mx + sx * c, y: my + slope * c + rest * s }
  })
}
