/** What a column is to be read as: a kind of cells, or a family that is used only on request. */
import { type Guide, guideOf, guides } from "suffice/describe"

type Guides = typeof guides

/** Families that are used only on request. */
export type FamilyAsked = {
  [Name in keyof Guides]: Guides[Name] extends { readonly onRequest: true } ? Name : never
}[keyof Guides]

const FAMILIES_ASKED = (Object.entries(guides) as [FamilyAsked, Guide][])
  .filter(([, { onRequest }]) => onRequest)
  .map(([name]) => name)

/** The cells of a family that is requested. */
export function kindAsked(family: FamilyAsked): "number" | "count" {
  return guideOf(family).columns[0] === "count" ? "count" : "number"
}

/** "parts": of dates, the columns that dates.ts makes of them. */
const CELLS = ["number", "category", "text", "count", "parts", "ignore"] as const
type Cells = (typeof CELLS)[number]

/** What to read a column as, whatever it looks like. */
export type As = Cells | FamilyAsked

/** Everything a column can be read as. */
export const AS: readonly As[] = [...CELLS, ...FAMILIES_ASKED]

/** What a column is requested as; own properties only: every object has a "constructor". */
export function askedOf(as: Readonly<Record<string, As>>, column: string): As | undefined {
  return Object.hasOwn(as, column) ? as[column] : undefined
}

/** The kind of cells that is requested. */
export function cellsAsked(as: Readonly<Record<string, As>>, column: string): Cells | undefined {
  const asked = askedOf(as, column)
  return asked === undefined || !isFamily(asked) ? asked : kindAsked(asked)
}

export function isFamily(as: As): as is FamilyAsked {
  return (FAMILIES_ASKED as readonly As[]).includes(as)
}
