/** Checks that several doers make of their options. */
import { wrongOption } from "../errors.ts"

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
  throw wrongOption(where, option, value, `It must ${what}. Write for example ${example}.`)
}

export function checkSeed(where: string, seed: number | undefined): void {
  if (seed === undefined || Number.isFinite(seed)) return
  throw wrongOption(where, "seed", seed, "The dice need a finite number. Give any, or leave it out for 0.")
}
