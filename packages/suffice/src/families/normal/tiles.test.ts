import { expect, test } from "vitest"
import { triangle } from "../../kernels/triangle.ts"
import { dice } from "../../random.ts"
import { addSquares, LANES, MARGIN, squareTiles, whitenTiles } from "./tiles.ts"

const random = dice(3)
const numbers = (count: number) => Float64Array.from({ length: count }, () => random.normal())

test.each([1, 2, 3, 4, 5, 6, 7, 8, 13])("tiles = the plain sums, d = %i", d => {
  const tiles = 3
  const inverse = numbers(triangle(d) + 2)
  const centre = numbers(d + 1)
  const x = numbers(tiles * d * LANES)
  const z = new Float64Array(x.length)
  const squares = new Float64Array(tiles * LANES)
  whitenTiles(x, tiles, d, inverse, 2, centre, 1, new Float64Array(d * LANES), z)
  squareTiles(z, tiles, d, centre, 1, squares)
  for (let t = 0; t < tiles; t++) {
    for (let r = 0; r < LANES; r++) {
      const at = (k: number) => (t * d + k) * LANES + r
      let square = 0
      for (let k = 0; k < d; k++) {
        let sum = 0
        for (let j = 0; j <= k; j++) sum += inverse[2 + triangle(k) + j] * (x[at(j)] - centre[1 + j])
        expect(z[at(k)]).toBeCloseTo(sum, 12)
        square += (z[at(k)] - centre[1 + k]) * (z[at(k)] - centre[1 + k])
      }
      expect(squares[t * LANES + r]).toBeCloseTo(square, 10)
    }
  }
})

test.each([1, 2, 3, 4, 5, 6, 7, 8, 13])("addSquares = Σ wx xᵀ, d = %i", d => {
  for (const rows of [1, 2, 9]) {
    const x = numbers((d + MARGIN) * rows)
    const wx = numbers((d + MARGIN) * rows)
    const stats = new Float64Array(triangle(d) + 2).fill(1)
    addSquares(x, wx, d, rows, stats, 1)
    for (let j = 0; j < d; j++) {
      for (let k = 0; k <= j; k++) {
        let sum = 1
        for (let i = 0; i < rows; i++) sum += wx[j * rows + i] * x[k * rows + i]
        expect(stats[1 + triangle(j) + k]).toBeCloseTo(sum, 12)
      }
    }
    expect([stats[0], stats[stats.length - 1]]).toEqual([1, 1])
  }
})
