/** Checks of options that several functions share. */
import { wrongOption } from "./errors.ts"

/** Throws unless the option is left out or valid. */
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
