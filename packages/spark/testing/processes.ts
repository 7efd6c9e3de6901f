/** The processes below a server, as `ps` lists them: executors, and the workers that sweep. */
import { execFileSync } from "node:child_process"

export interface Process {
  readonly pid: number
  readonly command: string
}

/** All descendants of a process. */
export function below(pid: number): Process[] {
  const all = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8", maxBuffer: 1 << 26 })
    .split("\n")
    .flatMap(line => {
      const parts = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)
      return parts ? [{ pid: Number(parts[1]), parent: Number(parts[2]), command: parts[3] }] : []
    })
  const found: Process[] = []
  const of = new Set([pid])
  // a child may be listed before its parent
  for (let before = -1; before !== of.size; ) {
    before = of.size
    for (const each of all) {
      if (!of.has(each.parent) || of.has(each.pid)) continue
      of.add(each.pid)
      found.push(each)
    }
  }
  return found
}

/** Workers that run now, by what they are asked. */
export function workers(server: number, mode = ""): Process[] {
  return below(server).filter(
    ({ command }) => command.includes("suffice-worker-") && command.includes(`.mjs ${mode}`),
  )
}

/** Waits until it is true; how long, the limits of the test say. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(resolve => setTimeout(resolve, 20))
}

/** Ends a process at once. False: it was gone. */
export function killed(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL")
    return true
  } catch {
    return false
  }
}
