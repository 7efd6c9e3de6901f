/** The suite in a few seconds: few subjects, one throw each, those first that notice most. */
import type { FamilyKind } from "../../contract.ts"
import { familySubjects } from "../bound.ts"
import { familyLaws, matrixLaws, modelLaws } from "../index.ts"
import { checkLaw, type Law, LawBroken, type Subject } from "../law.ts"
import { modelsOf, nested } from "../models.ts"
import { matrixSubjects, modelSubjects } from "../subjects.ts"

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
    (await first(familyLaws, familySubjects(families))) ??
    (await first(matrixLaws.slice(0, 2), matrixSubjects(named(MATRIX)))) ??
    (await first(fast, models)) ??
    (await first(matrixLaws, matrixSubjects(named(MATRIX)))) ??
    (await first(slow, models.slice(0, 8))) ??
    (await first(fast, alone))
  )
}

async function first<S extends Subject>(laws: readonly Law<S>[], subjects: readonly S[]): Promise<Verdict> {
  for (const law of laws) {
    for (const subject of subjects) {
      try {
        await checkLaw(law, subject, { seed: 7, shrink: false })
      } catch (error) {
        if (!(error instanceof LawBroken)) throw error
        return { law: error.law, subject: error.subject, message: error.message }
      }
    }
  }
  return undefined
}
