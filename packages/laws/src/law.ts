/**
 * What a law is, and how it is tried: on subjects, with random rows and parameters, by fast-check.
 * A law that does not apply to a subject says why; nothing is skipped silently.
 */
import fc from "fast-check"
import { type Dice, dice } from "suffice"

export interface Subject {
  /** Its name in skips and messages. */
  readonly name: string
}

/** One random trial: dice, and a number of rows that shrinks when the law is broken. */
export interface Trial {
  readonly dice: Dice
  readonly rows: number
}

export interface Law<S extends Subject = Subject> {
  /** Letter and number of the law it belongs to, and which of its sentences: "A3", "A7.soft". */
  readonly id: string
  readonly name: string
  /** True, or the reason why not. */
  applies(subject: S): true | string
  /** Throws if the law is broken, with what was expected and what was found. */
  check(subject: S, trial: Trial): void | Promise<void>
  /** Trials per subject at `runs: 1`, if a law needs more or fewer than the others. */
  readonly effort?: number | ((subject: S) => number)
}

export interface CheckOptions {
  /** Trials per law and subject. */
  readonly runs?: number
  readonly seed?: number
  /** Look for a smaller number of rows that also breaks the law. */
  readonly shrink?: boolean
}

export interface Skip {
  readonly law: string
  readonly subject: string
  readonly reason: string
}

export interface Report {
  /** How many pairs of a law and a subject held, by law. */
  readonly held: number
  readonly byLaw: Readonly<Record<string, number>>
  readonly skipped: readonly Skip[]
}

/** A law that does not hold. */
export class LawBroken extends Error {
  override readonly name = "LawBroken"
  readonly law: string
  readonly subject: string

  constructor(law: string, subject: string, message: string, cause: unknown) {
    super(message, { cause })
    this.law = law
    this.subject = subject
  }
}

/** Rows of a trial: few enough for thousands of fits, enough that no class stays empty. */
const FEWEST = 24
const MOST = 90

/** Try one law on one subject: undefined if it held, the reason if it does not apply. */
export async function checkLaw<S extends Subject>(
  law: Law<S>,
  subject: S,
  { runs = 1, seed = 0, shrink = true }: CheckOptions = {},
): Promise<string | undefined> {
  const applies = law.applies(subject)
  if (applies !== true) return applies
  const thrown = fc.record({
    seed: fc.noShrink(fc.integer({ min: 0, max: 0x7fffffff })),
    rows: fc.integer({ min: FEWEST, max: MOST }),
  })
  const property = fc.asyncProperty(thrown, async ({ seed, rows }) => {
    await law.check(subject, { dice: dice(seed), rows })
  })
  const result = await fc.check(property, {
    numRuns: Math.max(1, Math.round(runs * effortOf(law, subject))),
    seed,
    endOnFailure: !shrink,
  })
  if (!result.failed) return undefined
  const cause = result.errorInstance as Error | undefined
  const found = result.counterexample?.[0]
  throw new LawBroken(
    law.id,
    subject.name,
    `${law.id}, "${law.name}", is broken by ${subject.name}: ${cause?.message ?? "no throw satisfied its conditions"} ${
      found ? `(thrown with seed ${found.seed}, ${found.rows} rows)` : ""
    }`,
    cause,
  )
}

function effortOf<S extends Subject>({ effort = 1 }: Law<S>, subject: S): number {
  return typeof effort === "number" ? effort : effort(subject)
}

/** Try every law on every subject; throws at the first that is broken. */
export async function checkAll<S extends Subject>(
  laws: readonly Law<S>[],
  subjects: readonly S[],
  options: CheckOptions = {},
): Promise<Report> {
  const byLaw: Record<string, number> = {}
  const skipped: Skip[] = []
  let held = 0
  for (const law of laws) {
    for (const subject of subjects) {
      const reason = await checkLaw(law, subject, options)
      if (reason !== undefined) {
        skipped.push({ law: law.id, subject: subject.name, reason })
        continue
      }
      held++
      byLaw[law.id] = (byLaw[law.id] ?? 0) + 1
    }
  }
  return { held, byLaw, skipped }
}

/** Several reports as one. */
export function together(reports: readonly Report[]): Report {
  const byLaw: Record<string, number> = {}
  for (const report of reports) {
    for (const [law, count] of Object.entries(report.byLaw)) byLaw[law] = (byLaw[law] ?? 0) + count
  }
  return {
    held: reports.reduce((sum, report) => sum + report.held, 0),
    byLaw,
    skipped: reports.flatMap(report => report.skipped),
  }
}
