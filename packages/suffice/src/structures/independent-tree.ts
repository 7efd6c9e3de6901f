/** The declaration of independent parts. */
import type { Description } from "../contract/report.ts"
import { key } from "../families/guide.ts"
import { listIn, type StructureGuide, type StructureTree } from "./tree.ts"

export const independentTree: StructureTree = {
  children: spec => listIn(spec, "parts"),
  with: (spec, children) => ({ ...spec, parts: children }),
  columns: (spec, below) => listIn(spec, "parts").flatMap(below),
  arrows(spec, { visit }) {
    for (const part of listIn(spec, "parts")) visit(part)
  },
  parts(spec, description, visitor) {
    for (const part of listIn(spec, "parts")) visitor.visit(part, description)
  },
}

/** Independent parts, declared. */
export function productSpec(parts: readonly Description[]): Description {
  return { kind: "independent", parts }
}

export const independentGuide: StructureGuide = {
  title: () => "independent",
  makers: ["independent"],
  groups: true,

  // neighbouring columns of single families share a record
  code(spec, { indent, model, family }) {
    const inner = `${indent}  `
    const records: { text: string; isOpen: boolean }[] = []
    for (const part of listIn(spec, "parts")) {
      const columns = (part.columns ?? []) as readonly string[]
      const own = typeof part.family === "string" && columns.length === 1 ? family(part as never) : undefined
      const last = records.at(-1)
      const line = `${inner}  ${key(columns[0] ?? "")}: ${own},\n`
      if (own === undefined) records.push({ text: model(part, true), isOpen: false })
      else if (last?.isOpen) last.text += line
      else records.push({ text: `{\n${line}`, isOpen: true })
    }
    const written = records.map(({ text, isOpen }) => (isOpen ? `${text}${inner}}` : text))
    return productCode([`${written.map(one => `\n${inner}${one}`).join(",")},\n${indent}`])
  },
}

export function productCode(parts: readonly string[]): string {
  return `independent(${parts.join(", ")})`
}
