/** Does every one of the rows weigh 1? */
export function allOnes(weight: Float64Array, rows: number): boolean {
  for (let i = 0; i < rows; i++) if (weight[i] !== 1) return false
  return true
}
