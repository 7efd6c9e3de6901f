/** The page that a bench writes: title, tables, and at its end the date, the versions and the machine. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"

/** Load average before the bench begins. */
export const LOAD = loadavg()[0]

export const mean = (xs: readonly number[]) => xs.reduce((a, b) => a + b, 0) / xs.length

export function median(xs: readonly number[]): number {
  const sorted = xs.toSorted((a, b) => a - b)
  return (sorted[Math.floor((xs.length - 1) / 2)] + sorted[Math.ceil((xs.length - 1) / 2)]) / 2
}

/** A share as a percentage. */
export const percent = (share: number, digits = 1) => (100 * share).toFixed(digits)

/** A difference, with its sign. */
export const signed = (x: number, digits = 2) => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(digits)}`

export const verdict = (isMet: boolean) => (isMet ? "yes" : "**no**")

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n")
}

/** The text below this line of a page is written by hand and stays. */
const KEPT = "\n<!-- kept: the rest of this page is written by hand -->\n"

/** Writes bench/<file>.md and prints it. */
export function writePage(
  bench: string,
  title: string,
  parts: readonly string[],
  versions: Readonly<Record<string, string>>,
  file = bench,
): void {
  const manifest = readFileSync(new URL("../packages/suffice/package.json", import.meta.url), "utf8")
  const { version } = JSON.parse(manifest) as { version: string }
  const others = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const made = [
    new Date().toISOString().slice(0, 10),
    `suffice ${version}, node ${process.versions.node}`,
    ...(others.length > 0 ? [others.join(", ")] : []),
    `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown processor"}, ${process.platform} ${process.arch}`,
    `load average before: ${LOAD.toFixed(1)}`,
  ]
  const text = [
    `# ${title}`,
    `Written by \`npm run bench -- ${bench}\`; not edited by hand.`,
    ...parts.map(part => part.trim()),
    "## Made",
    `${made.join("; ")}.`,
  ].join("\n\n")
  const path = new URL(`${file}.md`, import.meta.url)
  const old = existsSync(path) ? readFileSync(path, "utf8") : ""
  const at = old.indexOf(KEPT)
  writeFileSync(path, `${text}\n${at < 0 ? "" : old.slice(at)}`)
  console.log(`\n${text}`)
}
