/** A path over one sequence, for a picture: a column of its steps, the most probable states, and the true ones where they are known. */
import type { Cell, Columns, Row } from "suffice"
import type { LooseFitted } from "../loose.ts"
import { stepTargetOf } from "./model.ts"
import { type Cut, ROW, stepsOf } from "./table.ts"

export interface PathAnswer {
  /** Which sequence: "id = a", or "the whole series". */
  readonly name: string
  /** The column of `order`, or "step". */
  readonly order: string
  /** The column that is drawn; absent where the steps have no numbers. */
  readonly column?: string
  readonly steps: readonly {
    readonly at: number | string
    readonly value?: number
    /** Its words, where nothing is drawn. */
    readonly text?: string
    readonly state: string
    readonly probability: number
    readonly truth?: string
  }[]
  readonly states: readonly string[]
}

/** The longest series that is drawn, and the most steps of one without numbers. */
const DRAWN = 400
const LISTED = 60

/** The longest sequence that can be drawn whole; of longer ones the beginning. */
export function pathAnswer(
  fitted: LooseFitted,
  columns: Columns,
  steps: string,
  { sequence, order }: Cut,
): PathAnswer | undefined {
  const target = stepTargetOf(fitted)
  if (target === undefined) return undefined
  const cells = Array.from(columns[steps] as ArrayLike<Cell>, stepsOf)
  const places = cells.map((_, i) => i).filter(i => cells[i].length > 0)
  const longest = places.toSorted((a, b) => cells[b].length - cells[a].length)
  const number = numberIn(cells[longest[0]] ?? [], [order, target.column, ROW])
  const most = number === undefined ? LISTED : DRAWN
  const chosen = longest.find(i => cells[i].length <= most) ?? longest[0]
  if (chosen === undefined) return undefined
  const own = cells[chosen].slice(0, most)
  const bare = own.map(({ [target.column]: _, ...rest }) => rest)
  const row = {
    ...Object.fromEntries(Object.entries(columns).map(([name, all]) => [name, all[chosen]])),
    [steps]: bare,
  }
  const [path] = fitted.path([row] as never, target.isHidden ? { of: target.column } : {})
  const [answers] = fitted.predict([row] as never, { target: target.column } as never) as unknown as [
    { readonly probabilities: Readonly<Record<string, number>> }[],
  ]
  const id = sequence === undefined ? undefined : (columns[sequence]?.[chosen] as Cell)
  return {
    name: sequence === undefined ? "the whole series" : `${sequence} = ${String(id)}`,
    order: order ?? "step",
    ...(number !== undefined && { column: number }),
    states: [
      ...new Set([...path.values.map(String), ...own.flatMap(step => truthOf(step, target.column))]),
    ].sort(),
    steps: own.map((step, t) => ({
      at: order === undefined ? t + 1 : (step[order] as number | string),
      ...(number !== undefined && { value: step[number] as number }),
      ...(number === undefined && { text: wordOf(step, [order, target.column, ROW]) }),
      state: String(path.values[t]),
      probability: answers[t].probabilities[String(path.values[t])],
      ...(truthOf(step, target.column).length > 0 && { truth: truthOf(step, target.column)[0] }),
    })),
  }
}

function truthOf(step: Row, column: string): string[] {
  const cell = step[column]
  return cell === undefined || cell === null ? [] : [String(cell)]
}

/** The first column that has a number in most steps. */
function numberIn(steps: readonly Row[], except: readonly (string | undefined)[]): string | undefined {
  const names = Object.keys(steps[0] ?? {}).filter(name => !except.includes(name))
  const isNumber = (cell: Cell): boolean => typeof cell === "number" && Number.isFinite(cell)
  return names.find(name => steps.filter(step => isNumber(step[name])).length > steps.length / 2)
}

function wordOf(step: Row, except: readonly (string | undefined)[]): string {
  const name = Object.keys(step).find(name => !except.includes(name))
  return name === undefined ? "" : String(step[name] ?? "–")
}
