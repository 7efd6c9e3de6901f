/** What the tests of planted faults run: the suite in a few seconds, few subjects, one throw each, those first that notice most; or one law on one subject. */
import type { FamilyKind } from "suffice"
import { familySubjects } from "../bound.ts"
import { familyLaws, matrixLaws, modelLaws, posteriorLaws } from "../index.ts"
import { checkLaw, type Law, LawBroken, type Subject } from "../law.ts"
import { modelsOf, nested } from "../models.ts"
import { matrixSubjects, modelSubjects, posteriorSubjects } from "../subjects.ts"

const FEW = [
  "naive Bayes, mixed",
  "quadratic discriminant",
  "linear discriminant",
  "diagonal discriminant",
  "normal, full",
  "normal, diag",
  "mixture of normals",
  "latent classes",
  "named mixtures",
  "a body for each class",
  "classes inside a mixture",
  "classes inside classes",
  "independent mixtures",
]
const MATRIX = [
  "naive Bayes, mixed",
  "naive Bayes, words",
  "quadratic discriminant",
  "mixture of normals",
  "named mixtures",
  "mixture discriminant",
  "mixture of spheres",
  "mixture of tied normals",
]
const SLOW = ["A1.joint", "A9.likely", "A12"]

export type Verdict = { readonly law: string; readonly subject: string; readonly message: string } | undefined

/** The first law that is broken; `expected` is tried before the others. */
export async function quick(families: readonly FamilyKind[], expected?: string): Promise<Verdict> {
  const named = (names: readonly string[]) => nested.filter(specimen => names.includes(specimen.name))
  const models = modelSubjects(named(FEW))
  const alone = modelSubjects(families.flatMap(kind => modelsOf(kind).slice(0, 2)))
  const fast = modelLaws.filter(law => !SLOW.includes(law.id))
  const slow = modelLaws.filter(law => SLOW.includes(law.id))
  const isExpected = (law: { readonly id: string }): boolean => law.id === expected
  return (
    (await first(familyLaws.filter(isExpected), familySubjects(families))) ??
    (await first(modelLaws.filter(isExpected), [...models, ...alone])) ??
    (await first(matrixLaws.filter(isExpected), matrixSubjects(named(MATRIX)))) ??
    (await first(posteriorLaws.filter(isExpected), posteriorSubjects(named(FEW)))) ??
    (await first(familyLaws, familySubjects(families))) ??
    (await first(matrixLaws.slice(0, 2), matrixSubjects(named(MATRIX)))) ??
    (await first(fast, models)) ??
    (await first(matrixLaws, matrixSubjects(named(MATRIX)))) ??
    (await first(slow, models.slice(0, 8))) ??
    (await first(fast, alone))
  )
}

/** One law on one subject, by their names: where a fault is known to be noticed. */
export async function checkPair(
  families: readonly FamilyKind[],
  law: string,
  subject: string,
): Promise<Verdict | "not found"> {
  const isLaw = ({ id }: { readonly id: string }): boolean => id === law
  const isSubject = ({ name }: Subject): boolean => name === subject
  const specimens = [...nested, ...families.flatMap(modelsOf)].filter(({ name }) => subject.startsWith(name))
  const places = [
    () => pairs(familyLaws.filter(isLaw), familySubjects(families).filter(isSubject)),
    () => pairs(modelLaws.filter(isLaw), modelSubjects(specimens).filter(isSubject)),
    () => pairs(matrixLaws.filter(isLaw), matrixSubjects(specimens).filter(isSubject)),
    () => pairs(posteriorLaws.filter(isLaw), posteriorSubjects(specimens).filter(isSubject)),
  ]
  const found = places.flatMap(place => place())
  return found.length === 1 ? found[0]() : "not found"
}

function pairs<S extends Subject>(
  laws: readonly Law<S>[],
  subjects: readonly S[],
): (() => Promise<Verdict>)[] {
  return laws.flatMap(law => subjects.map(subject => () => tried(law, subject)))
}

async function first<S extends Subject>(laws: readonly Law<S>[], subjects: readonly S[]): Promise<Verdict> {
  for (const law of laws) {
    for (const subject of subjects) {
      const verdict = await tried(law, subject)
      if (verdict) return verdict
    }
  }
  return undefined
}

async function tried<S extends Subject>(law: Law<S>, subject: S): Promise<Verdict> {
  try {
    await checkLaw(law, subject, { seed: 7, shrink: false })
    return undefined
  } catch (error) {
    if (!(error instanceof LawBroken)) throw error
    return { law: error.law, subject: error.subject, message: error.message }
  }
}
