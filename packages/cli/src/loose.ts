/** Models whose columns are known only at run time: any name, any cell. */
import type { Cell, Fitted } from "suffice"

export type { LooseModel } from "suffice"
export type LooseFitted = Fitted<Record<string, Cell>, string>
