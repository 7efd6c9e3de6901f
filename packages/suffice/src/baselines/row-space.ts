/**
 * A table that is wider than it is long, in as many features as it has rows. Losses see a row only by x_i·w, and ½‖w‖² leaves nothing in w that is
 * orthogonal to all rows: the optimum depends on the rows only by their inner products. Any rows with the same ones give the same scores:
 *
 *     x_i·x_j = l_i·l_j        L·Lᵀ = X·Xᵀ   (Cholesky)        min over v of  ½‖v‖² + C Σ loss(l_i·v)  =  min over w of  ½‖w‖² + C Σ loss(x_i·w)
 *
 * The intercept stays a feature of its own. Whatever rows are taken, learned from or held out, have the same inner products still.
 */
import { type DesignMatrix, rowAdd, rowDot } from "./design-matrix.ts"

/** Is a row of as many numbers as there are rows shorter than it is now? */
export function isWiderThanLong({ rows, dense, indices }: DesignMatrix): boolean {
  return rows > 0 && rows < dense + indices.length / rows
}

/** L as a matrix of features. Yields once per row. */
export function* inRowSpace(x: DesignMatrix): Generator<undefined, DesignMatrix, void> {
  const { rows, width, intercept } = x
  const inner = { ...x, intercept: false }
  const values = new Float64Array(rows * rows)
  const row = new Float64Array(width)
  for (let i = 0; i < rows; i++) {
    row.fill(0)
    rowAdd(inner, i, 1, row)
    const at = i * rows
    for (let j = 0; j <= i; j++) values[at + j] = rowDot(inner, j, row)
    const square = values[at + i]
    // l_ij = ( x_i·x_j − Σ_m l_im l_jm ) / l_jj
    for (let j = 0; j <= i; j++) {
      const other = j * rows
      let left = values[at + j]
      for (let m = 0; m < j; m++) left -= values[at + m] * values[other + m]
      if (j < i) values[at + j] = values[other + j] > 0 ? left / values[other + j] : 0
      // a row that the rows before it span adds no direction
      else values[at + i] = left > ROUNDING * square ? Math.sqrt(left) : 0
    }
    yield
  }
  return {
    rows,
    dense: rows,
    values,
    offsets: new Int32Array(rows + 1),
    indices: new Int32Array(0),
    counts: new Float64Array(0),
    width: rows,
    intercept,
  }
}

/** The relative rounding error of an inner product, and some more. */
const ROUNDING = 1e-12
