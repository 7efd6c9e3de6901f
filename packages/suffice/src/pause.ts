/**
 * The event loop gets its turn by the clock: whatever takes long asks `isDue` between two pieces of work, and pauses where it is. No number
 * depends on it: a pause computes nothing, and stands only where nothing is half done.
 */

/** How long timers, aborts and the page wait for their turn, in milliseconds. */
const PATIENCE = 10

let last = 0

/** Have they waited for a while? */
export function isDue(): boolean {
  return performance.now() - last >= PATIENCE
}

/** Let timers, aborts and the page have their turn, if they have not had it for a while. */
export async function pause(): Promise<void> {
  if (!isDue()) return
  await turn()
  last = performance.now()
}

/** Runs work out that yields between its pieces, with a look at the signal wherever it pauses. */
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

/** A message to oneself, which no browser delays as it delays timers. */
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
