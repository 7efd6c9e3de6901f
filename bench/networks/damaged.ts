/** Files of four networks in four formats, damaged at random: each is read, or refused with an error of ours. */
import { fuzz } from "../../packages/files/src/networks/testing/fuzz.ts"
import { tablesOf } from "./data.ts"

export interface Damaged {
  readonly read: number
  readonly refused: number
  /** Errors that are not ours; what hangs would end the part. */
  readonly others: number
}

export function damaged(): Damaged {
  let [read, refused, others] = [0, 0, 0]
  for (const name of ["asia", "cancer", "survey", "sachs"]) {
    try {
      const each = fuzz(tablesOf(name), 25_000, 11)
      read += each.read
      refused += each.refused
    } catch (error) {
      console.log(`  ${name}: ${(error as Error).message}`)
      others++
    }
    console.log(`  ${name}: ${read} read, ${refused} refused`)
  }
  return { read, refused, others }
}
