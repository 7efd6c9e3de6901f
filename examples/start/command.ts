/** The real command: built if it is not, shown as it can be typed, run as a process of its own. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Refusal } from "./refusal.ts"

const CLI = dirname(createRequire(import.meta.url).resolve("suffice-cli/package.json"))
const ROOT = join(CLI, "../..")
/** What the command consists of, and the file that says that it is built. */
const BUILT = [
  ["packages/suffice", "index.js"],
  ["packages/files", "index.js"],
  ["packages/cli", "main.js"],
] as const

export const BIN = join(CLI, "bin/suffice.js")

/** Ended by a signal, as a shell counts it. */
const STOPPED = 130
const PIPE_CLOSED = 141

let running = false
let stopped = false
// a terminal sends Ctrl-C to the command too: it tidies up and says so, and then this ends
process.on("SIGINT", () => {
  stopped = true
  if (!running) process.exit(STOPPED)
})

/** So that `npx suffice` works, now and afterwards. */
export async function build(say: (text: string) => Promise<void>): Promise<void> {
  if (BUILT.every(([folder, file]) => isCurrent(join(ROOT, folder), file))) return
  await say("$ npm run build\n\n")
  const { code } = await ended(spawn("npm run -s build", { cwd: ROOT, shell: true, stdio: "inherit" }))
  if (code === STOPPED) throw new Refusal("stopped by Ctrl-C.", code)
  if (code !== 0)
    throw new Refusal(
      "the packages could not be built. What the compiler says stands above. Try again after: npm ci",
      code,
    )
}

/** Built, and not before its source was last changed. */
function isCurrent(folder: string, file: string): boolean {
  const built = join(folder, "dist", file)
  if (!existsSync(built)) return false
  const { mtimeMs } = statSync(built)
  return readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" })
    .filter(name => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .every(name => statSync(join(folder, "src", name)).mtimeMs <= mtimeMs)
}

/** As it is typed. */
export function typed(args: readonly string[]): string {
  return `npx suffice ${args.join(" ")}`
}

/** Run the command. What it prints is returned, or with `show` printed; notes and progress go where this program's go. */
export async function suffice(bin: string, args: readonly string[], { show = false } = {}): Promise<string> {
  const child = spawn(process.execPath, [bin, ...args], {
    stdio: ["ignore", show ? "inherit" : "pipe", "inherit"],
  })
  const { code, printed } = await ended(child)
  if (code === STOPPED) throw new Refusal("stopped by Ctrl-C.", code)
  if (code === PIPE_CLOSED) throw new Refusal("", code)
  if (code !== 0)
    throw new Refusal(
      `the command ended with code ${code}. The line above says why. To see it alone: ${typed(args)}`,
      code,
    )
  return printed
}

function ended(child: ChildProcess): Promise<{ code: number; printed: string }> {
  running = true
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk))
    child.on("error", reject)
    child.on("close", code => {
      running = false
      resolve({
        code: stopped ? STOPPED : (code ?? STOPPED),
        printed: Buffer.concat(chunks).toString("utf8"),
      })
    })
  })
}
