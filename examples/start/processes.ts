/** Processes of this program, which end with it on Ctrl-C. */
import type { ChildProcess } from "node:child_process"

/** Ended by a signal, as a shell counts it. */
export const STOPPED = 130

let running = 0
let stopped = false
// a terminal sends Ctrl-C to the command too: it tidies up and says so, and then this ends
process.on("SIGINT", () => {
  stopped = true
  if (running === 0) process.exit(STOPPED)
})

/** Wait for the end of a process. What it prints goes to `onPrinted`, if this program reads it. */
export function ended(child: ChildProcess, onPrinted: (chunk: Buffer) => void): Promise<number> {
  running++
  return new Promise<number>((resolve, reject) => {
    child.stdout?.on("data", onPrinted)
    child.stderr?.on("data", onPrinted)
    child.on("error", reject)
    child.on("close", code => resolve(stopped ? STOPPED : (code ?? STOPPED)))
  }).finally(() => {
    running--
  })
}
