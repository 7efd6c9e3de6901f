/** The kinds of families that `suffice` exports. */
import * as suffice from "suffice"

export const families: readonly suffice.FamilyKind[] = Object.values(suffice).filter(
  (value): value is suffice.FamilyKind => typeof value === "object" && value !== null && "specimens" in value,
)
