/** The options of `structure`, checked. */
import type { Family } from "../contract/family.ts"
import { list, refuseUnknown, SufficeError, wrongOption } from "../errors.ts"
import { checkSeed, expected } from "../option-checks.ts"
import { checkFamilies } from "./columns.ts"
import type { KnownArrows } from "./constraints.ts"
import type { ScoreName } from "./scores.ts"

/** How networks are searched. */
export type Search = "orders" | "tabu" | "tree" | "tan" | "pc"

export interface StructureOptions extends KnownArrows {
  /**
   * "orders" (the default) searches orders of the columns after "tabu", which changes one arrow at a time; "tree" gives every column at most one parent; "tan" does so below
   * a target; "pc" tests independences.
   */
  readonly search?: Search
  /** What a network is judged by: "bic" by default. "tree" and "tan" go by the likelihood alone, unless one is named; "pc" by tests. */
  readonly score?: ScoreName
  /** For "tan": the label, of which every other column depends. */
  readonly target?: string
  /** The families of columns, by name. Others: levels for text, booleans and up to ten different whole numbers, else gaussian. */
  readonly families?: Readonly<Record<string, Family>>
  /** Columns to leave out. */
  readonly except?: readonly string[]
  /** At most so many parents: 4 by default, 6 for "tabu", 1 for "tan" beside the target. For "pc" the largest set that may separate two columns, 3. */
  readonly maxParents?: number
  /** How often "orders" begins again, from the best it found: 20. */
  readonly restarts?: number
  /** The weight of the prior of "bdeu", in rows: 1. */
  readonly ess?: number
  /** "pc" takes two columns for independent where p is above: 0.05. */
  readonly significance?: number
  /** The column of row weights. */
  readonly weight?: string
  readonly seed?: number
  readonly signal?: AbortSignal
}

export const SEARCHES: readonly Search[] = ["orders", "tabu", "tree", "tan", "pc"]
const SCORES: readonly ScoreName[] = ["bic", "aic", "bdeu", "evidence"]

export const OPTIONS: readonly string[] = [
  ...["search", "score", "target", "families", "except", "require", "forbid", "tiers", "maxParents"],
  ...["restarts", "ess", "significance", "weight", "seed", "signal"],
]

export function checkOptions(options: StructureOptions, more: readonly string[] = []): void {
  refuseUnknown("structure", options, [...OPTIONS, ...more])
  const {
    search,
    score,
    target,
    families,
    except,
    maxParents,
    restarts,
    ess,
    significance,
    weight,
    seed,
    signal,
  } = options
  checkSeed("structure", seed)
  const oneOf = (option: string, value: unknown, all: readonly string[]): void => {
    if (value === undefined || all.includes(value as string)) return
    throw wrongOption("structure", option, value, `It is one of ${list(all)}. Leave it out for the default.`)
  }
  oneOf("search", search, SEARCHES)
  oneOf("score", score, SCORES)
  const isText = (value: unknown): boolean => typeof value === "string"
  expected("structure", "target", target, isText(target), "name a column", '{ target: "y" }')
  expected("structure", "weight", weight, isText(weight), "name a column", '{ weight: "count" }')
  if (families !== undefined) checkFamilies(families)
  const isList = Array.isArray(except) && except.every(isText)
  expected("structure", "except", except, isList, "list columns", '{ except: ["id"] }')
  const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
  const whole = "be a whole number ≥ 0"
  expected("structure", "maxParents", maxParents, isCount(maxParents), whole, "{ maxParents: 3 }")
  expected("structure", "restarts", restarts, isCount(restarts), whole, "{ restarts: 20 }")
  const isAmount = Number.isFinite(ess) && ess! > 0
  expected("structure", "ess", ess, isAmount, "be a number above 0", "{ ess: 1 }")
  const isShare = typeof significance === "number" && significance > 0 && significance < 1
  expected("structure", "significance", significance, isShare, "be between 0 and 1", "{ significance: 0.05 }")
  const aborts = typeof signal?.throwIfAborted === "function"
  expected("structure", "signal", signal, aborts, "be an AbortSignal", "{ signal: controller.signal }")
  checkCombination(options)
}

/** Options that exclude or need each other. */
function checkCombination({ search, target, score }: StructureOptions): void {
  if (search === "tan" && target === undefined) {
    throw new SufficeError(
      "option",
      'structure: the search is "tan", and there is no target. Its tree stands below a label, which every column depends on. Write for example { search: "tan", target: "y" }.',
      { option: "target" },
    )
  }
  if (search !== "tan" && target !== undefined) {
    throw new SufficeError(
      "option",
      `structure: the target is ${JSON.stringify(target)}, and the search is ${JSON.stringify(search ?? "orders")}, for which all columns are alike. Leave the target out and ask the fitted network, as in predict(rows, { target }); or search by "tan".`,
      { option: "target" },
    )
  }
  if (search === "pc" && score !== undefined) {
    throw new SufficeError(
      "option",
      'structure: the search is "pc", which tests independences and has no score. Leave the score out, or search by "orders".',
      { option: "score" },
    )
  }
}
