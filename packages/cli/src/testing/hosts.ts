/**
 * The command, run again and again by processes that stay: what a process costs to begin is most of what a short command takes. Each run has its
 * own folder, arguments, output and exit code. What ends with a process (signals, pipes, whether it ends at all) is asked of
 * `run` in built.ts, which begins one each time.
 */
import { type ChildProcess, fork } from "node:child_process"
import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Built, Ran } from "./built.ts"

/** Runs in the child. */
const HOST = `
import { main } from "./dist/main.js"
const home = process.cwd()
// every run listens for errors of the streams, and does not leave
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0)
process.on("message", async ({ cwd, args }) => {
  const said = { stdout: "", stderr: "" }
  const own = {}
  for (const name of ["stdout", "stderr"]) {
    own[name] = process[name].write
    process[name].write = (text, encoding, done = encoding) => {
      said[name] += text
      if (typeof done === "function") process.nextTick(done)
      return true
    }
  }
  process.chdir(cwd)
  process.exitCode = undefined
  try {
    await main(args)
  } finally {
    for (const name of ["stdout", "stderr"]) process[name].write = own[name]
  }
  // out of the folder, which may be removed
  process.chdir(home)
  process.send({ ...said, exit: process.exitCode, signal: null })
})
`

export interface HostedRun {
  readonly cwd: string
  readonly args: readonly string[]
}

export interface Hosts {
  run(options: HostedRun): Promise<Ran>
  end(): void
}

/** So many processes, each with one run at a time. */
export function hostsOf({ bin }: Built, count: number): Hosts {
  const program = join(dirname(bin), "../host.js")
  writeFileSync(program, HOST)
  const all = Array.from({ length: count }, () =>
    fork(program, { cwd: dirname(program), stdio: ["ignore", "inherit", "inherit", "ipc"] }),
  )
  const free = [...all]
  const waiting: ((host: ChildProcess) => void)[] = []
  return {
    async run(options) {
      const host = free.pop() ?? (await new Promise<ChildProcess>(resolve => waiting.push(resolve)))
      try {
        return await ask(host, options)
      } finally {
        const next = waiting.shift()
        if (next) next(host)
        else free.push(host)
      }
    },
    end: () => {
      for (const host of all) host.kill()
    },
  }
}

function ask(host: ChildProcess, options: HostedRun): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const died = (code: number | null): void =>
      reject(new Error(`the command ended its process with ${code}: ${options.args.join(" ")}`))
    if (host.exitCode !== null) {
      died(host.exitCode)
      return
    }
    host.once("exit", died)
    host.once("message", said => {
      host.off("exit", died)
      resolve(said as Ran)
    })
    host.send(options)
  })
}
