/** The parts of a described model: its switches, leaves and chains with the levels above them. */
import type { Above, DescribedPart } from "../contract/described.ts"
import type { Description } from "../contract/report.ts"
import { columnsIn, treeOf } from "./tree.ts"

/** `description`: as `describe()` returns it for a model of this spec. */
export function partsIn(
  spec: Description,
  description: Description,
  above: readonly Above[] = [],
): DescribedPart[] {
  const found: DescribedPart[] = []
  treeOf(spec).parts(spec, description, {
    columnsIn,
    part(part, levels = []) {
      found.push({ ...part, above: [...above, ...levels] } as DescribedPart)
    },
    visit(child, inner, name, level) {
      const here = name === undefined ? above : [...above, { name, level: level! }]
      found.push(...partsIn(child, inner, here))
    },
  })
  return found
}
