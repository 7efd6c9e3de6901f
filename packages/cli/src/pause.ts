/** Lets everything else that waits have its turn: signals, messages, a progress bar. Timers of browsers would wait for milliseconds. */
export function pause(): Promise<void> {
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
