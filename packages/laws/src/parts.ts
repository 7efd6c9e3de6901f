import type { Part } from "suffice/contract"

/** Names of the modelled columns of a part. */
export function namesOf({ columns }: Pick<Part, "columns">): string[] {
  return columns.map(({ name }) => name)
}
