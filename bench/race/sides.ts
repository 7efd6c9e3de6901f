/** A side of the race: a process that stays, answers line by line, and is measured by its own clock. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"

/** Seconds by the clock, and of all threads of the processor. */
export interface Clock {
  readonly seconds: number
  readonly cpu: number
}

export async function clocked<T>(work: () => Promise<T>): Promise<{ clock: Clock; value: T }> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  const value = await work()
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { clock: { seconds, cpu: (user + system) / 1e6 }, value }
}

export interface Side {
  round(): Promise<Clock>
  result(): Promise<readonly number[]>
  /** Ends it; its peak memory in MiB. */
  end(): Promise<number>
}

export async function side(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Side> {
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...env },
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const hear = async <Answer>(): Promise<Answer> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error(`${command} ${args[0]} ended without an answer.`)
      // some peers print a word of their own
      if (value.startsWith("{")) return JSON.parse(value) as Answer
    }
  }
  const say = <Answer>(line: string): Promise<Answer> => {
    child.stdin.write(`${line}\n`)
    return hear<Answer>()
  }
  await hear()
  return {
    round: () => say<Clock>("round"),
    result: async () => (await say<{ result: number[] }>("result")).result,
    async end() {
      const { memory } = await say<{ memory: number }>("end")
      child.stdin.end()
      return memory
    },
  }
}
