/** The parts of a fitted model, with their parameters in the units of the data: what `fitted.parts()` lists. */
import type { Description } from "./report.ts"

/** A value of a switch, of a parent or of a chain above a part. */
export interface Above {
  readonly name: string
  readonly level: string
}

/** The probabilities of the values of a label or of a component. */
export interface DescribedSwitch {
  readonly part: "probabilities"
  readonly name: string
  readonly above: readonly Above[]
  readonly probabilities: Readonly<Record<string, number>>
}

/** The parameters of a family on its columns. */
export interface DescribedLeaf {
  readonly part: "parameters"
  /** Its columns, as `describe()` names them. */
  readonly name: string
  readonly columns: readonly string[]
  readonly family: string
  readonly options: Description
  readonly above: readonly Above[]
  readonly parameters: Description
}

/** The transitions of a chain. */
export interface DescribedChain {
  readonly part: "transitions"
  /** The column of its steps. */
  readonly name: string
  readonly above: readonly Above[]
  readonly initial: Readonly<Record<string, number>>
  /** p(next state | state), by state. */
  readonly transitions: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** p(end | state), where the end is modelled. */
  readonly ends?: Readonly<Record<string, number>>
  /** Mean number of steps in a state; null: it is never left. */
  readonly stay: Readonly<Record<string, number | null>>
  /** The long-run share of each state, where the end is not modelled. */
  readonly stationary?: Readonly<Record<string, number>>
}

/** A part of a fitted model: the probabilities of a switch, the parameters of a leaf, or the transitions of a chain. */
export type DescribedPart = DescribedSwitch | DescribedLeaf | DescribedChain
