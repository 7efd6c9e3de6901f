/** How long timers, aborts and the page wait for their turn, in milliseconds. */
const PATIENCE = 10

let last = 0

/** Let timers, aborts and the page have their turn, if they have not had it for a while. */
export async function pause(): Promise<void> {
  if (performance.now() - last < PATIENCE) return
  await turn()
  last = performance.now()
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
