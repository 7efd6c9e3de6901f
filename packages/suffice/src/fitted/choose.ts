/** Choosing among models by an information criterion: how many components, which covariance. */
import type { Model } from "../contract/model.ts"
import { given, list, SufficeError, show, wrongOption } from "../errors.ts"
import type { InformationCriteria } from "../measure/criteria.ts"
import { type FitOptions, fit } from "./fit.ts"
import type { Fitted } from "./fitted.ts"
import type { DataFor } from "./types.ts"

export interface ChooseOptions extends Omit<FitOptions, "checkpoint"> {
  /** The lowest value wins. BIC finds the true number of components given enough rows; ICL prefers separated ones. */
  readonly criterion?: "aic" | "bic" | "icl"
}

export interface Choice<Value, Cells, Target extends string> {
  /** The chosen value and the model fitted with it. */
  readonly value: Value
  readonly fitted: Fitted<Cells, Target>
  /** Every candidate, in the order given. */
  readonly candidates: readonly ({
    readonly value: Value
    readonly fitted: Fitted<Cells, Target>
  } & InformationCriteria)[]
}

const CRITERIA = ["aic", "bic", "icl"] as const

/** Fit `make(value)` for each value and keep the one with the lowest criterion. */
export async function choose<Value, Cells, Target extends string, const Given>(
  make: (value: Value) => Model<Cells, Target>,
  values: readonly Value[],
  data: DataFor<Cells, Target, Given>,
  options: ChooseOptions = {},
): Promise<Choice<Value, Cells, Target>> {
  return chosen(make, values, data, given("choose", options))
}

async function chosen<Value, Cells, Target extends string, const Given>(
  make: (value: Value) => Model<Cells, Target>,
  values: readonly Value[],
  data: DataFor<Cells, Target, Given>,
  { criterion = "bic", ...options }: ChooseOptions,
): Promise<Choice<Value, Cells, Target>> {
  if (typeof make !== "function") {
    throw new SufficeError(
      "option",
      `choose: the maker is ${show(make)}. It makes a model of each value. Write for example k => mixture(k, body).`,
    )
  }
  if (!CRITERIA.includes(criterion)) {
    throw wrongOption(
      "choose",
      "criterion",
      criterion,
      `It must be one of ${list(CRITERIA)}. Leave it out for "bic".`,
    )
  }
  if (!Array.isArray(values) || values.length === 0) {
    throw new SufficeError(
      "option",
      `choose: the values are ${show(values)}. There must be something to choose from. Give a list, for example [1, 2, 3, 4].`,
    )
  }
  const candidates: Choice<Value, Cells, Target>["candidates"][number][] = []
  for (const value of values) {
    const fitted = await fit(make(value), data, options)
    candidates.push({ value, fitted, ...fitted.criteria() })
  }
  const best = candidates.reduce((best, other) => (other[criterion] < best[criterion] ? other : best))
  return { value: best.value, fitted: best.fitted, candidates }
}
