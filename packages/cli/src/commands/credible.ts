/** `suffice describe --credible 0.9`: every parameter of a posterior with an interval that holds it. */
import { guideOf } from "suffice/describe"
import { Failure } from "../failure.ts"
import { count, plain } from "../format.ts"
import type { LooseFitted } from "../loose.ts"
import type { Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"
import { textTable } from "../terminal/table.ts"

export async function credibleAnswer(
  session: Session,
  path: string,
  head: string,
  fitted: LooseFitted,
  probability: number,
): Promise<void> {
  if (!fitted.model.beliefs) {
    throw new Failure(
      "usage",
      `--credible asks for intervals of the parameters in ${path}, which holds an estimate of them. Only a posterior has intervals. Learn the model with --learner bayes.`,
    )
  }
  const parameters = fitted.credible({ probability })
  const evidence = evidenceOf(fitted)
  const lines = linesOf(parameters, [], "")
  const sections = new Map<string, string[][]>()
  for (const { given, name, held } of lines.slice(0, MOST)) {
    const row = [name, ...[held.value, ...held.interval].map(x => plain(x, 5))]
    sections.set(given, [...(sections.get(given) ?? []), row])
  }
  const tables = [...sections].map(
    ([given, rows]) => `${given === "" ? "" : `${shown(given)}:\n\n`}${textTable(COLUMNS, rows)}`,
  )
  await session.print(
    [
      evidence ? `${head}\n${saying(evidence)}` : head,
      `Intervals that hold each parameter with probability ${probability}:`,
      ...tables,
      ...(lines.length > MOST ? [`  … ${count(lines.length - MOST)} more: see --json`] : []),
    ].join("\n\n"),
  )
  await session.answer({
    command: "describe",
    model: path,
    probability,
    parameters,
    evidence: evidence ?? null,
  })
}

/** A wide model has thousands. */
const MOST = 60

const COLUMNS = [
  { title: "parameter" },
  { title: "value", align: "right" },
  { title: "from", align: "right" },
  { title: "to", align: "right" },
] as const

interface Held {
  readonly value: number
  readonly interval: readonly [number, number]
}

interface Line {
  /** The values of the switches above, or of the parents. */
  readonly given: string
  readonly name: string
  readonly held: Held
}

/** `of`: the column, or the switch. */
function linesOf(described: unknown, path: readonly string[], given: string, of = ""): Line[] {
  if (typeof described !== "object" || described === null) return []
  const { value, interval } = described as Partial<Held>
  if (typeof value === "number" && interval)
    return [{ given, name: nameOf(of, path), held: described as Held }]
  const { family, parents, given: below, ...fields } = described as Record<string, unknown>
  const own = Object.entries(fields).flatMap(([name, inner]) =>
    of === "" ? linesOf(inner, [], given, name) : linesOf(inner, [...path, name], given, of),
  )
  if (below === undefined) return own
  // below a switch there are columns; below the parents of a column of a network, its own parameters
  const isColumn = Array.isArray(parents)
  const slopes = isColumn && guideOf(String(family)).line ? slopesIn(below) : {}
  const above = isColumn ? (parents as string[]).filter(name => !Object.hasOwn(slopes, name)) : [of]
  return [...own, ...linesBelow(below, above, given, isColumn ? of : "")]
}

/** The coefficients of the first line: parents that are numbers have them, and no levels. */
function slopesIn(below: unknown): object {
  if (typeof below !== "object" || below === null) return {}
  const { coefficients } = below as { readonly coefficients?: object }
  return coefficients ?? slopesIn(Object.values(below)[0])
}

/** Under every combination of values of these. */
function linesBelow(
  described: unknown,
  [name, ...rest]: readonly string[],
  given: string,
  of: string,
): Line[] {
  return Object.entries(described as Record<string, unknown>).flatMap(([level, inner]) => {
    const above = given === "" ? `Given ${name} = ${level}` : `${given}, ${name} = ${level}`
    return rest.length > 0 ? linesBelow(inner, rest, above, of) : linesOf(inner, [], above, of)
  })
}

/** p(sex = male), height mean; a normal is named by its columns. */
function nameOf(of: string, [parameter, ...rest]: readonly string[]): string {
  if (parameter === "probabilities" || parameter === "words") return `p(${of} = ${rest.join(" ")})`
  if (parameter === "probability") return `p(${of})`
  if (parameter === "coefficients") return `${of} coefficient of ${rest.join(" ")}`
  const isOfSeveral = (parameter === "mean" || parameter === "sd") && rest.length > 0
  return isOfSeveral ? `${rest.join(" ")} ${parameter}` : [of, parameter, ...rest].join(" ")
}

/** A model that was learned from a stream has none. */
function evidenceOf(fitted: LooseFitted): LooseFitted["evidence"] | undefined {
  try {
    return fitted.evidence
  } catch {
    return undefined
  }
}

function saying({ value, exact }: LooseFitted["evidence"]): string {
  return exact
    ? `Its evidence, ln p(rows), is ${plain(value, 6)}.`
    : `Its evidence, ln p(rows), is at least ${plain(value, 6)}: something is hidden.`
}
