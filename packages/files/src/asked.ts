/** What a column is to be read as: a kind of cells, or a family that is used only on request. */
export const FAMILIES_ASKED = {
  exponential: "number",
  gamma: "number",
  logNormal: "number",
  beta: "number",
  geometric: "count",
  negativeBinomial: "count",
} as const

/** "parts": of dates, the columns that dates.ts makes of them. */
const CELLS = ["number", "category", "text", "count", "parts", "ignore"] as const
type Cells = (typeof CELLS)[number]

/** What to read a column as, whatever it looks like. */
export type As = Cells | keyof typeof FAMILIES_ASKED

/** Everything a column can be read as. */
export const AS: readonly As[] = [
  ...CELLS,
  ...(Object.keys(FAMILIES_ASKED) as (keyof typeof FAMILIES_ASKED)[]),
]

/** What a column is requested as; own properties only: every object has a "constructor". */
export function askedOf(as: Readonly<Record<string, As>>, column: string): As | undefined {
  return Object.hasOwn(as, column) ? as[column] : undefined
}

/** The kind of cells that is requested. */
export function cellsAsked(as: Readonly<Record<string, As>>, column: string): Cells | undefined {
  const asked = askedOf(as, column)
  return asked === undefined || !isFamily(asked) ? asked : FAMILIES_ASKED[asked]
}

export function isFamily(as: As): as is keyof typeof FAMILIES_ASKED {
  return Object.hasOwn(FAMILIES_ASKED, as)
}
