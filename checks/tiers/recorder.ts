/**
 * Writes the processor seconds of each file into checks/durations.json: `DURATIONS=write npm test`. They are the same on a busy machine,
 * as durations are not. checks/setup.ts measures them.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import type { Reporter, TestModule } from "vitest/node"
import { DURATIONS, type Durations } from "./longest-first.ts"
import { ROOT } from "./tiers.ts"

export class Recorder implements Reporter {
  readonly #seconds: Record<string, Record<string, number>> = {}

  onTestModuleEnd(module: TestModule): void {
    const { seconds } = module.meta() as { seconds?: number }
    if (seconds === undefined) return
    const path = relative(ROOT, module.moduleId).replaceAll("\\", "/")
    this.#seconds[module.project.name] ??= {}
    this.#seconds[module.project.name][path] = Math.round(10 * seconds) / 10
  }

  onTestRunEnd(): void {
    const before: Durations = existsSync(DURATIONS) ? JSON.parse(readFileSync(DURATIONS, "utf8")) : {}
    const names = [...new Set([...Object.keys(before), ...Object.keys(this.#seconds)])].sort()
    const merged = names.map(name => {
      const files = Object.entries({ ...before[name], ...this.#seconds[name] })
      const there = files.filter(([path]) => existsSync(join(ROOT, path)))
      return [name, Object.fromEntries(there.sort(([a], [b]) => (a < b ? -1 : 1)))]
    })
    writeFileSync(DURATIONS, `${JSON.stringify(Object.fromEntries(merged), null, 2)}\n`)
  }
}
