/**
 * Lines of the shipped sources: every `src` of packages/ without tests and shared test code, by package and, in the core, by folder.
 *
 *     npx tsx checks/lines.ts [ROOT]
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Folders that a reader of the core must know; the others of `suffice` build on them. */
const CORE = [
  ...["contract", "families", "beliefs", "structures", "learners", "engine", "data", "blocks", "text"],
  ...["kernels", "fit", "answers", "saved"],
]

const root = process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url))
const isShipped = (path: string): boolean =>
  /\.(ts|svelte)$/.test(path) && !/\.test(-d)?\.ts$|(^|\/)(testing|dist|node_modules)\//.test(path)

function linesOf(path: string): number {
  return readFileSync(path, "utf8").split("\n").length - 1
}

let total = 0
for (const name of readdirSync(join(root, "packages")).sort()) {
  const src = join(root, "packages", name, "src")
  const folders = new Map<string, { files: number; lines: number }>()
  for (const path of readdirSync(src, { recursive: true, encoding: "utf8" }).filter(isShipped)) {
    const folder = path.includes("/") ? path.slice(0, path.indexOf("/")) : "."
    const { files, lines } = folders.get(folder) ?? { files: 0, lines: 0 }
    folders.set(folder, { files: files + 1, lines: lines + linesOf(join(src, path)) })
  }
  const sum = [...folders.values()].reduce((lines, folder) => lines + folder.lines, 0)
  total += sum
  console.log(`${name.padEnd(24)}${sum}`)
  if (name !== "suffice") continue
  const core = CORE.reduce((lines, folder) => lines + (folders.get(folder)?.lines ?? 0), 0)
  console.log(`  core ${core}, the rest ${sum - core}`)
  for (const [folder, { files, lines }] of [...folders].sort((a, b) => b[1].lines - a[1].lines)) {
    console.log(`  ${folder.padEnd(22)}${String(lines).padStart(6)} lines ${String(files).padStart(4)} files`)
  }
}
console.log(`${"all".padEnd(24)}${total}`)
