/**
 * Yields to the event loop from time to time: long computations check `isDue` between two pieces of work, and pause if it is. No number
 * depends on the clock: a pause computes nothing, and happens only where no state is half updated.
 */

/** The longest that timers, aborts and the page have to wait, in milliseconds. */
const PATIENCE = 10

let last = 0

/** Has the event loop been blocked for that long? */
export function isDue(): boolean {
  return performance.now() - last >= PATIENCE
}

/** Yields to the event loop, if it has been blocked for a while. */
export async function pause(): Promise<void> {
  if (!isDue()) return
  await turn()
  last = performance.now()
}

/** Runs a generator that yields between pieces of work to its end, and checks the signal at every pause. */
export async function paced<Made>(
  work: Generator<undefined, Made, void>,
  signal: AbortSignal | undefined,
): Promise<Made> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (!isDue()) continue
    await pause()
    signal?.throwIfAborted()
  }
}

/** One turn of the event loop, by a message to oneself: browsers delay timers, but not messages. */
function turn(): Promise<void> {
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
