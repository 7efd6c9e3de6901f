/** Checks that several doers make of their options. */
import { SufficeError, show } from "../errors.ts"

/** An option that is left out, or fine. */
export function expected(
  where: string,
  option: string,
  value: unknown,
  fine: boolean,
  what: string,
  example: string,
): void {
  if (fine || value === undefined) return
  throw new SufficeError(
    "option",
    `${where}: ${option} is ${show(value)}. It must ${what}. Write for example ${example}.`,
    { option, value },
  )
}

export function checkSeed(where: string, seed: number | undefined): void {
  if (seed === undefined || Number.isFinite(seed)) return
  throw new SufficeError(
    "option",
    `${where}: seed is ${show(seed)}. The dice need a finite number. Give any, or leave it out for 0.`,
    { option: "seed", value: seed },
  )
}
