/** Bytes per call, measured in a Node that runs with the flags of `still` (child.ts). */
const CALLS = 2000

/** All that a call allocates, its answer included, once the engine has compiled it. */
export function allocated(call: () => unknown): number {
  const calls = (count: number) => {
    for (let i = 0; i < count; i++) call()
  }
  calls(10 * CALLS)
  return growth(() => calls(CALLS))
}

/** The size of its answer: what a collection leaves while all answers are kept. */
export function kept(call: () => unknown): number {
  const answers = new Array<unknown>(CALLS).fill(undefined)
  const hold = () => {
    for (let i = 0; i < CALLS; i++) answers[i] = call()
    globalThis.gc?.()
  }
  return growth(hold, () => void answers.fill(undefined))
}

/** The least of five rounds: the engine itself allocates now and then. */
function growth(done: () => void, prepare = () => {}): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round++) {
    prepare()
    globalThis.gc?.()
    const before = process.memoryUsage()
    done()
    const after = process.memoryUsage()
    const grown = after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers
    least = Math.min(least, grown / CALLS)
  }
  return least
}

export interface Meter {
  readonly allocated: typeof allocated
  readonly kept: typeof kept
}
