/** Unlabelled groups of rows or of sequences: the part of a subject in `cluster`. */
import type { Columns } from "suffice"
import type { CandidateAnswer, Card, DataAnswer } from "./answers.ts"
import type { DataOptions } from "./data.ts"
import type { LooseFitted, LooseModel } from "./loose.ts"
import type { SequenceOptions } from "./sequences/options.ts"
import { type ColumnSource, rowCount } from "./tabular.ts"
import type { TextChoice } from "./text.ts"

/** Options of `cluster`. */
export interface GroupOptions
  extends DataOptions,
    TextChoice,
    Pick<SequenceOptions, "sequence" | "order" | "states"> {
  readonly k?: readonly number[]
  readonly criterion?: "aic" | "bic" | "icl" | "evidence"
  readonly covariance?: "full" | "tied" | "diag" | "spherical" | "identity"
  readonly text?: readonly string[]
  readonly except?: readonly string[]
  readonly restarts?: number
  readonly assign?: string
  readonly output?: string
  readonly report?: string
  readonly seed?: number
}

/** The data to be grouped, and the mixture for each number of groups. */
export interface Grouping {
  readonly data: DataAnswer
  readonly text: string
  /** Read once. */
  columns(): Promise<Columns | ColumnSource>
  /** Numbers of groups, and starts of each, if no option says. */
  readonly tried: readonly number[]
  readonly restarts: number
  mixture(groups: number): LooseModel
  /** True if a note says that more groups may fit better. */
  readonly suggestsMore: boolean
  groups(fitted: LooseFitted, count: number): Groups
}

/** The groups that were found. */
export interface Groups {
  /** "3 groups in 344 rows" */
  readonly heading: string
  /** Paragraphs for each group. */
  readonly paragraphs: readonly string[]
  readonly answer: object
  /** The group of each row or sequence. */
  readonly assigned: { readonly columns: readonly string[]; readonly batches: ColumnSource }
  /** "row" or "sequence" */
  readonly unit: string
  readonly title: string
  /** "a mixture model in 344 rows" */
  readonly method: string
  /** "344 rows" */
  readonly size: string
  sections(): Partial<Card>
}

/** The name of the hidden column. */
export const NAME = "cluster"

/** Columns named by --except are left out. */
export function readAs({ as, except = [] }: GroupOptions): NonNullable<DataOptions["as"]> {
  return { ...as, ...Object.fromEntries(except.map(column => [column, "ignore" as const])) }
}

/** The most probable group of each row, and its probability. */
export function mostProbable(
  fitted: LooseFitted,
  columns: Columns,
  count: number,
): { readonly groups: number[]; readonly probability: number[] } {
  const chances = fitted.responsibilities(columns, { of: NAME as `mixture(${string})` })
  const groups = Array.from({ length: rowCount(columns) }, (_, i) => {
    let best = 0
    for (let c = 1; c < count; c++) if (chances[i * count + c] > chances[i * count + best]) best = c
    return best
  })
  return { groups, probability: groups.map((group, i) => chances[i * count + group]) }
}

/** A number of groups as the answer has it. */
export function candidateOf({
  model,
  criteria,
  score,
}: {
  readonly model: string
  readonly criteria?: { readonly aic: number; readonly bic: number; readonly icl: number }
  readonly score: number
}): CandidateAnswer {
  if (!criteria) return { k: Number(model), evidence: -score }
  const { aic, bic, icl } = criteria
  return { k: Number(model), aic, bic, icl }
}
