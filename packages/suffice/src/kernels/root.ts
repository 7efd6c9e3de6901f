/**
 * The root of an increasing function by Newton's steps. Every value narrows the bracket; a step that would leave it halves it instead
 * (Press et al. 2007, 9.4: rtsafe), so that it converges from anywhere. Ends where a step is below 1e-14 of x.
 */
export function increasingRoot(
  value: (x: number) => number,
  slope: (x: number) => number,
  low: number,
  high: number,
  start: number,
): number {
  let x = start > low && start < high ? start : 0.5 * (low + high)
  for (let k = 0; k < 200; k++) {
    const f = value(x)
    if (f < 0) low = x
    else high = x
    let next = x - f / slope(x)
    if (!(next >= low && next <= high)) next = 0.5 * (low + high)
    if (Math.abs(next - x) <= 1e-14 * Math.abs(next)) return next
    x = next
  }
  return x
}
