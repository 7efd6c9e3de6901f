/** The states of chains for people: how much of the time each takes, how long it lasts, what follows, and what is seen there. */
import { type DescribedChain, directlyBelow, STATE } from "suffice/describe"
import { linesOf } from "../described.ts"
import { clipped, many, percent, plain } from "../format.ts"
import type { LooseFitted } from "../loose.ts"
import { shown } from "../terminal/shown.ts"
import { textTable } from "../terminal/table.ts"

export interface StateAnswer {
  readonly state: string
  /** p(the first step is in this state) */
  readonly initial: number
  /** How much of the time it takes in the long run; absent where ends are modelled. */
  readonly share?: number
  /** Steps on average; null: it is never left. */
  readonly stay: number | null
  /** p(a sequence ends here), where that is modelled. */
  readonly ends?: number
  readonly next: Readonly<Record<string, number>>
  readonly parts: readonly { readonly column: string; readonly summary: string }[]
}

export interface ChainAnswer {
  /** "gender = female"; empty where nothing stands above. */
  readonly of: string
  readonly states: readonly StateAnswer[]
}

export function chainsAnswer(fitted: LooseFitted): ChainAnswer[] {
  const parts = fitted.parts()
  const chains = parts.filter((part): part is DescribedChain => part.part === "transitions")
  return chains.map(({ above, initial, stationary, stay, ends, transitions }) => ({
    of: above.map(({ name, level }) => `${name} = ${level}`).join(", "),
    states: Object.keys(initial).map(state => {
      const leaves = directlyBelow(parts, [...above, { name: STATE, level: state }])
      return {
        state,
        initial: initial[state],
        ...(stationary && { share: stationary[state] }),
        stay: stay[state],
        ...(ends && { ends: ends[state] }),
        next: transitions[state],
        parts: leaves.flatMap(linesOf),
      }
    }),
  }))
}

/** States of a chain that are listed, and columns of each. */
const LISTED = 12
const COLUMNS = 3

export function chainsText(chains: readonly ChainAnswer[]): string {
  return chains.slice(0, LISTED).map(chainText).join("\n\n")
}

function chainText({ of, states }: ChainAnswer): string {
  const some = states.slice(0, LISTED)
  // where ends are modelled there is no long run
  const hasShare = states.some(({ share }) => share !== undefined)
  const table = textTable(
    [
      { title: "state" },
      { title: "begins", align: "right" },
      ...(hasShare ? [{ title: "in the long run", align: "right" as const }] : []),
      { title: "stays (steps)", align: "right" },
      { title: "then" },
      { title: "seen there" },
    ],
    some.map(one => [
      clipped(one.state, 20),
      percent(one.initial),
      ...(hasShare ? [one.share === undefined ? "" : percent(one.share)] : []),
      one.stay === null ? "for ever" : plain(one.stay, 3),
      nextText(one),
      clipped(
        one.parts
          .slice(0, COLUMNS)
          .map(({ column, summary }) => `${column}: ${summary}`)
          .join("; "),
        90,
      ),
    ]),
  )
  const left = states.length - some.length
  const more = left > 0 ? `\n\n  … ${many(left, "more state")}: see --report or --json` : ""
  return `${of === "" ? "" : `${shown(of)}: `}${many(states.length, "state")}\n\n${table}${more}`
}

/** What follows when a state is left: the two most probable. */
export function nextText({ state, next, ends }: StateAnswer): string {
  const others = Object.entries(next).filter(([name]) => name !== state)
  const all = [...others, ...(ends === undefined ? [] : [["the end", ends] as const])]
  const leaving = all.reduce((sum, [, p]) => sum + p, 0)
  return all
    .filter(([, p]) => p > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 2)
    .map(([name, p]) => `${clipped(name, 14)} ${percent(p / leaving, 0)}`)
    .join(", ")
}
