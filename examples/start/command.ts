/** The real command: shown as it can be typed, run as a process of its own. */
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { ended, STOPPED } from "./processes.ts"
import { Refusal } from "./refusal.ts"

const CLI = dirname(createRequire(import.meta.url).resolve("suffice-cli/package.json"))

export const ROOT = join(CLI, "../..")
export const BIN = join(CLI, "bin/suffice.js")

const PIPE_CLOSED = 141

/** As it is typed. */
export function typed(args: readonly string[]): string {
  return `npx suffice ${args.join(" ")}`
}

/** Run the command and show what it prints, which is returned too. Notes and progress go where this program's go. */
export async function suffice(bin: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [bin, ...args], { stdio: ["ignore", "pipe", "inherit"] })
  const chunks: Buffer[] = []
  const code = await ended(child, chunk => {
    chunks.push(chunk)
    process.stdout.write(chunk)
  })
  if (code === STOPPED) throw new Refusal("stopped by Ctrl-C.", code)
  if (code === PIPE_CLOSED) throw new Refusal("", code)
  if (code !== 0)
    throw new Refusal(
      `the command ended with code ${code}. The line above says why. To see it alone: ${typed(args)}`,
      code,
    )
  return Buffer.concat(chunks).toString("utf8")
}
