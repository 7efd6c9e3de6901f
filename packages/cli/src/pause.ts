/** Lets everything else that waits have its turn: signals, messages, a progress bar; and waits while someone holds the work. */

let held: (() => Promise<void> | undefined) | undefined

/** Work waits at its next pause until what this returns has come; without it, it never waits. */
export function holdWith(until: typeof held): void {
  held = until
}

export async function pause(): Promise<void> {
  await turn()
  await held?.()
}

/** Timers of browsers would wait for milliseconds. */
function turn(): Promise<void> {
  if (typeof setImmediate === "function") return new Promise(resolve => setImmediate(resolve))
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
