// DOT, the language of Graphviz
import type { NetworkGraph } from "./fitted.ts"

/** The graph of a network for Graphviz: numbers in boxes, hidden columns dashed. */
export function dotOf(graph: readonly NetworkGraph[]): string {
  const quote = (text: string): string => `"${text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n")}"`
  const lines = ["digraph network {"]
  for (const { name, kind } of graph)
    lines.push(
      `  ${quote(name)}${kind === "levels" ? "" : ` [${kind === "number" ? "shape=box" : "style=dashed"}]`};`,
    )
  for (const { name, parents } of graph)
    for (const parent of parents) lines.push(`  ${quote(parent)} -> ${quote(name)};`)
  return `${[...lines, "}"].join("\n")}\n`
}
