/** Processor seconds of this process, its threads and the processes it has waited for. */
import { existsSync, readFileSync } from "node:fs"

const STAT = "/proc/self/stat"
/** Clock ticks per second, as Linux reports them to programs. */
const TICKS = 100

export function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + childSeconds()
}

/** Zero where there is no Linux. */
function childSeconds(): number {
  if (!existsSync(STAT)) return 0
  const text = readFileSync(STAT, "utf8")
  // the name of the program, in parentheses, may hold blanks; then come the state and the other fields
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const [user, system] = [fields[13], fields[14]].map(Number)
  return (user + system) / TICKS
}
