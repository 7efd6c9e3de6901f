/**
 * Every family, every model × every state of the data × every learner, every law. `npm test` makes one trial on all families, every
 * sixth model and every 26th subject of the matrix and of the posteriors, starting one later with each law. test:all adds the others of
 * every third model and every 13th subject. Thirteen divides neither the number of states nor that of learners, so a law meets every pair
 * of them. The TypeScript kernels take every eleventh model and every 29th subject. `npm run laws` (LAWS=all) makes three trials on all
 * subjects. LAWS_RUNS=200 multiplies the trials; LAWS_SEED changes the seed.
 */
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { FamilyKind } from "suffice"
import { afterAll, describe, expect, test } from "vitest"
import { isDue, isEverything } from "../../../checks/tiers/share.ts"
import {
  checkFamily,
  checkLaw,
  familyLaws,
  familySubjects,
  type Law,
  LawBroken,
  lawsOf,
  learners,
  matrixLaws,
  matrixSubjects,
  modelLaws,
  modelSubjects,
  modelsOf,
  nested,
  posteriorLaws,
  posteriorSubjects,
  type Skip,
  type Subject,
  variants,
} from "./index.ts"
import { families } from "./testing/families.ts"
import { differences, skipsFromText, skipsToText } from "./testing/skips.ts"

const { LAWS_RUNS = 1, LAWS_SEED = 0, SUFFICE_KERNELS } = process.env
const runs = (isEverything ? 3 : 1) * Number(LAWS_RUNS)
const seed = Number(LAWS_SEED)
const isTypeScript = SUFFICE_KERNELS === "typescript"
const FIRST = isTypeScript ? 3 : 0
const MODELS = isTypeScript ? 11 : 3
const MATRIX = isTypeScript ? 29 : 13
const PAIRS = variants.length * learners.length
/** Only to end what hangs: far more than a busy machine needs. */
const TIMEOUT = 600_000 * runs

const specimens = [...nested, ...families.flatMap(modelsOf)]
const table: { law: string; name: string; held: number; skipped: number; left: number; seconds: number }[] =
  []
const RECORD = fileURLToPath(new URL("testing/skips.tsv", import.meta.url))
const names = {
  models: specimens.map(({ name }) => name),
  states: variants.map(({ name }) => name),
  learners: learners.map(({ name }) => name),
}

const verdicts = new Map<object, Map<Subject, true | string>>()

/** `law.applies(subject)`, computed once. */
function applies<S extends Subject>(law: Law<S>, subject: S): true | string {
  const ofLaw = verdicts.get(law) ?? new Map<Subject, true | string>()
  verdicts.set(law, ofLaw)
  const verdict = ofLaw.get(subject) ?? law.applies(subject)
  ofLaw.set(subject, verdict)
  return verdict
}

function skipsOf<S extends Subject>(laws: readonly Law<S>[], subjects: readonly S[]): Skip[] {
  return laws.flatMap(law =>
    subjects.flatMap(subject => {
      const reason = applies(law, subject)
      return reason === true ? [] : [{ law: law.id, subject: subject.name, reason }]
    }),
  )
}

/** True if this tier tries law `l` on subject `s` of one of the strides above, or on every subject. */
type Due = (s: number, l: number) => boolean
const everyFamily: Due = (s, l) => isDue(s + l, 1, 1)
const someModels: Due = (s, l) => isDue(s + l + FIRST, 2 * MODELS, MODELS)
const someOfMatrix: Due = (s, l) => {
  const at = s + l + FIRST
  // twice the stride and the number of pairs are even: the other half of the pairs comes a round later
  const round = Math.floor(at / (MATRIX * PAIRS))
  return isDue(at + MATRIX * round, 2 * MATRIX, MATRIX)
}

function walk<S extends Subject>(
  title: string,
  laws: readonly Law<S>[],
  subjects: readonly S[],
  due: Due,
): void {
  describe(title, () => {
    for (const [l, law] of laws.entries()) {
      test(
        `${law.id}: ${law.name}`,
        async () => {
          const line = { law: law.id, name: law.name, held: 0, skipped: 0, left: 0, seconds: 0 }
          const begin = performance.now()
          const broken: string[] = []
          const applying: { readonly subject: S; readonly isNow: boolean }[] = []
          for (const [s, subject] of subjects.entries()) {
            if (applies(law, subject) === true) applying.push({ subject, isNow: due(s, l) })
            else line.skipped++
          }
          // a law that applies to a few subjects only may fall between the strides: it takes the first of them
          const now = applying.filter(({ isNow }) => isNow)
          const tried = now.length > 0 ? now : applying.slice(0, 1)
          line.left = applying.length - tried.length
          for (const { subject } of tried) {
            try {
              await checkLaw(law, subject, { runs, seed, shrink: broken.length === 0 })
              line.held++
            } catch (error) {
              if (!(error instanceof LawBroken)) throw error
              broken.push(error.message)
            }
          }
          line.seconds = (performance.now() - begin) / 1000
          table.push(line)
          expect(broken).toEqual([])
          expect(line.held, "the law was tried on nothing").toBeGreaterThan(0)
        },
        TIMEOUT,
      )
    }
  })
}

const alone = familySubjects(families)
const models = modelSubjects(specimens)
const matrix = matrixSubjects(specimens)
walk("families", familyLaws, alone, everyFamily)
walk("models", modelLaws, models, someModels)
walk("models × states of the data × learners", matrixLaws, matrix, someOfMatrix)
walk("posteriors", posteriorLaws, posteriorSubjects(specimens), someOfMatrix)

test("the sample meets every pair of a state of the data and a learner, with every law", () => {
  for (const l of matrixLaws.keys()) {
    const met = new Set(matrix.flatMap((_, s) => (someOfMatrix(s, l) ? [s % PAIRS] : [])))
    expect(met.size, matrixLaws[l].id).toBe(PAIRS)
  }
})

describe("the record of skips", () => {
  test("laws have names of their own", () => {
    const ids = [...familyLaws, ...modelLaws, ...matrixLaws].map(law => law.id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test("the recorded skips were made, and no others", async () => {
    // posteriors repeat laws of models with another learner
    const made = [
      ...skipsOf(familyLaws, alone),
      ...skipsOf(modelLaws, models),
      ...skipsOf(matrixLaws, matrix),
    ]
    const recorded = existsSync(RECORD) ? skipsFromText(readFileSync(RECORD, "utf8"), names) : []
    try {
      // npm run laws -- -u writes the record
      await expect(skipsToText(made, names)).toMatchFileSnapshot(RECORD)
    } catch (error) {
      expect(differences(recorded, made)).toEqual({ silent: [], stale: [] })
      throw error
    }
  })
})

describe("the suite as users call it", () => {
  test("a family that is in no list of ours is checked alone and inside models", async () => {
    const [kind] = families
    const coin: FamilyKind = {
      ...kind,
      name: "coin",
      make: options => ({ ...kind.make(options), name: "coin" }),
    }
    const report = await checkFamily(coin, { seed: 4 })
    expect(report.held).toBeGreaterThan(150)
    expect(report.byLaw.A14).toBeGreaterThan(0)
    expect(Object.values(report.byLaw).reduce((sum, count) => sum + count, 0)).toBe(report.held)
    expect(report.skipped.every(({ reason }) => reason.length > 0)).toBe(true)
    const laws = new Set([...report.skipped.map(({ law }) => law), ...Object.keys(report.byLaw)])
    const [family] = familySubjects([coin])
    const [model] = modelSubjects(modelsOf(coin))
    expect(laws).toEqual(new Set([...lawsOf(family), ...lawsOf(model)].map(law => law.id)))
  })

  test("a family whose score forgets the normalisation is told which law it breaks", async () => {
    const [kind] = families.filter(({ name }) => name === "gaussian")
    const careless: FamilyKind = {
      ...kind,
      make(options) {
        const family = kind.make(options)
        return {
          ...family,
          bind(columns, places, slots) {
            const leaf = family.bind(columns, places, slots)
            return {
              ...leaf,
              score(block, params, out) {
                leaf.score(block, params, out)
                for (let at = 0; at < out.length; at++) out[at] += 0.5
              },
            }
          },
        }
      },
    }
    await expect(checkFamily(careless)).rejects.toThrow(
      /A1\.family, "a family's probabilities add up to one", is broken by gaussian: the total probability of slot 0: 1\.64.* and 1 differ/,
    )
  })
})

afterAll(() => {
  const sumOf = (of: "held" | "skipped" | "left"): number => table.reduce((sum, line) => sum + line[of], 0)
  const counts = (law: string, numbers: readonly number[]): string =>
    [law.padEnd(16), ...numbers.map(number => String(number).padStart(8))].join(" ")
  const lines = table.map(
    ({ law, name, held, skipped, left, seconds }) =>
      `${counts(law, [held, skipped, left])} ${seconds.toFixed(1).padStart(8)}  ${name}`,
  )
  console.log(
    [
      `${"law".padEnd(16)}     held  skipped     left  seconds`,
      ...lines,
      counts("all", [sumOf("held"), sumOf("skipped"), sumOf("left")]),
    ].join("\n"),
  )
})
