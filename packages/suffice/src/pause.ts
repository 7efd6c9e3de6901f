/** Let timers, aborts and the page have their turn: a message to oneself, which no browser delays as it delays timers. */
export function pause(): Promise<void> {
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
