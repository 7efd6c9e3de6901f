/** Files that are written from the list of families: names without code, for programs that load families only when they need them. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Guide, guides } from "suffice/describe"

export const ROOT = join(fileURLToPath(import.meta.url), "../../..")

/** The text of each file, by its path. */
export function generated(): Record<string, string> {
  const all = Object.entries(guides) as [string, Guide][]
  const levels = all.filter(([, { columns }]) => columns.includes("level"))
  const asked = all.filter(([, guide]) => guide.onRequest)
  return {
    "packages/suffice/src/families/names.ts": [
      "/** Names of the families of list.ts, without their code. Written by `npm run docs:api`. */",
      "",
      setOf("FAMILY_NAMES", all),
      "",
      "/** Families of a column of levels: a parent in a network that has rows in a table. */",
      setOf("LEVEL_FAMILIES", levels),
      "",
    ].join("\n"),
    "packages/cli/src/families-asked.ts": [
      "/** Families that a column is read as on request, without their code. Written by `npm run docs:api`. */",
      "export const FAMILIES_ASKED = [",
      ...linesOf(asked),
      "] as const",
      "",
    ].join("\n"),
  }
}

function setOf(name: string, families: readonly [string, Guide][]): string {
  const start = `export const ${name}: ReadonlySet<string> = /* @__PURE__ */ new Set([`
  const line = `${start}${families.map(([family]) => JSON.stringify(family)).join(", ")}])`
  // as the formatter breaks lines
  return line.length <= 110 ? line : `${start}\n${linesOf(families).join("\n")}\n])`
}

function linesOf(families: readonly [string, Guide][]): string[] {
  return families.map(([name]) => `  ${JSON.stringify(name)},`)
}
