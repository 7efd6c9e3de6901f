/** The most memory this process has held, in MiB. What getrusage says counts the process that started it too. */
import { readFileSync } from "node:fs"

export function peak(): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))![1]) / 1024
  } catch {
    return process.resourceUsage().maxRSS / 1024
  }
}
