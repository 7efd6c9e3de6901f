/** The page a study writes: title, what was done, tables, and at the end the date, the versions and the machine. */
import { readFileSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import type { Versions } from "./peer.ts"

export const mean = (xs: readonly number[]) => xs.reduce((a, b) => a + b, 0) / xs.length

/** Of the sample, not of its mean. */
export function sd(xs: readonly number[]): number {
  const centre = mean(xs)
  return Math.sqrt(xs.reduce((sum, x) => sum + (x - centre) ** 2, 0) / (xs.length - 1))
}

export function median(xs: readonly number[]): number {
  const sorted = xs.toSorted((a, b) => a - b)
  return (sorted[Math.floor((xs.length - 1) / 2)] + sorted[Math.ceil((xs.length - 1) / 2)]) / 2
}

/** A share as a percentage. */
export const percent = (share: number, digits = 1) => (100 * share).toFixed(digits)

/** A difference, with its sign. */
export const signed = (x: number, digits = 2) => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(digits)}`

/** What a bar says: met, or not and then in bold. */
export const verdict = (met: boolean) => (met ? "yes" : "**no**")

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n")
}

/** The parts of a page as they stand there, by their headings. */
export function keptParts(study: string): Map<string, string> {
  const text = readFileSync(new URL(`${study}.md`, import.meta.url), "utf8")
  const parts = text.split(/^## /m).slice(1)
  return new Map(
    parts.map(part => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n")).trim()]),
  )
}

/** Writes bench/<study>.md and prints it. `earlier`: what the page says of how it was made, where parts of it stay; `isAll`: all that was measured. */
export function writePage(
  study: string,
  title: string,
  parts: readonly string[],
  { versions }: Versions,
  earlier?: { readonly made: string; readonly isAll: boolean },
): void {
  const manifest = readFileSync(new URL("../packages/suffice/package.json", import.meta.url), "utf8")
  const { version } = JSON.parse(manifest) as { version: string }
  const others = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const made = [
    new Date().toISOString().slice(0, 10),
    `suffice ${version}, node ${process.versions.node}`,
    ...(others.length > 0 ? [others.join(", ")] : []),
    `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown processor"}, ${process.platform} ${process.arch}`,
  ]
  const now = `${made.join("; ")}.`
  const text = [
    `# ${title}`,
    `Written by \`npm run bench:${study}\`; not edited by hand.`,
    ...parts.map(part => part.trim()),
    "## Made",
    !earlier ? now : earlier.isAll ? earlier.made : `${now} ${AGAIN}${withoutRun(earlier.made, now)}`,
  ].join("\n\n")
  writeFileSync(new URL(`${study}.md`, import.meta.url), `${text}\n`)
  console.log(`\n${text}`)
}

const AGAIN = "What was not measured again: "

/** What stands behind the same machine and versions is all that is still of an earlier run. */
function withoutRun(made: string, now: string): string {
  return made.startsWith(`${now} ${AGAIN}`) ? made.slice(now.length + 1 + AGAIN.length) : made
}
