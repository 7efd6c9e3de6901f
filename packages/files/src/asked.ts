import type { As } from "./table.ts"

/** What was asked of a column, by its own name only: every object has a "constructor". */
export function askedOf(as: Readonly<Record<string, As>>, column: string): As | undefined {
  return Object.hasOwn(as, column) ? as[column] : undefined
}
