/** The declaration of `plate`. */
import type { Description } from "../contract/report.ts"
import { type StructureGuide, type StructureTree, withoutArrows } from "./tree.ts"

export const plateTree: StructureTree = {
  children: spec => [spec.body as Description],
  with: (spec, [body]) => ({ ...spec, body }),
  columns: spec => [spec.column as string],
  arrows: withoutArrows,
  parts(spec, description, visitor) {
    visitor.visit(spec.body as Description, description[spec.column as string] as Description)
  },
}

export const plateGuide: StructureGuide = {
  title: spec => `steps of ${spec.column}`,
  makers: ["plate"],
  code: ({ column, body }, { model }) => `plate(${JSON.stringify(column)}, ${model(body as Description)})`,
}
