/** Checks of options that learners share. */
import { wrongOption } from "../errors.ts"

export function option(where: string, name: string, value: unknown, fine: boolean, range: string): void {
  if (fine) return
  throw wrongOption(where, name, value, `It must be ${range}. Leave it out for the default.`)
}

/** A plain object: not a list, a Map or a Date. */
export function isRecord(value: unknown): boolean {
  return Object.prototype.toString.call(value) === "[object Object]"
}

/** A whole number ≥ 1. */
export function counted(where: string, name: string, value: number): number {
  option(where, name, value, Number.isSafeInteger(value) && value >= 1, "a whole number ≥ 1")
  return value
}

/** A finite number ≥ 0. */
export function positive(where: string, name: string, value: number): number {
  option(where, name, value, Number.isFinite(value) && value >= 0, "a finite number ≥ 0")
  return value
}

/** Between 0 and 1. */
export function share(where: string, name: string, value: number): number {
  option(where, name, value, Number.isFinite(value) && value >= 0 && value <= 1, "between 0 and 1")
  return value
}
