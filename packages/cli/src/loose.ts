/** Models whose columns are known only at run time: any name, any cell. */
import type { Cell, Fitted, Model } from "suffice"

export type LooseModel = Model<Record<string, Cell>, string>
export type LooseFitted = Fitted<Record<string, Cell>, string>
