/** The laws of Suffice, for its own families, models and learners, and for those of users. */
import type { FamilyKind } from "suffice"
import { answerHabits } from "./answer-habits.ts"
import { answerLaws } from "./answer-laws.ts"
import { beliefLaws } from "./belief-laws.ts"
import { type FamilySubject, familySubjects } from "./bound.ts"
import { decisionLaws } from "./decision-laws.ts"
import { degenerateLaws } from "./degenerate-laws.ts"
import { densityLaws } from "./density-laws.ts"
import { explainLaws } from "./explain-laws.ts"
import { familyLaws as dualityLaws } from "./family-laws.ts"
import { fillLaws } from "./fill-laws.ts"
import { gradientLaws } from "./gradient-laws.ts"
import { habits } from "./habits.ts"
import { labelLaws } from "./label-laws.ts"
import { type CheckOptions, checkAll, type Law, type Report, together } from "./law.ts"
import { limitLaws } from "./limit-laws.ts"
import { matrixLaws as everyLearner } from "./matrix-laws.ts"
import { type ModelSpecimen, modelsOf } from "./models.ts"
import { posteriorLaws } from "./posterior-laws.ts"
import { refusals } from "./refusals.ts"
import { sampleLaws } from "./sample-laws.ts"
import { statisticsLaws } from "./statistics-laws.ts"
import { stochasticLaws, stochasticMatrixLaws } from "./stochastic-laws.ts"
import { stochasticSymmetryLaws } from "./stochastic-symmetry-laws.ts"
import { type ModelSubject, matrixSubjects, minding, modelSubjects, posteriorSubjects } from "./subjects.ts"
import { symmetryLaws } from "./symmetry-laws.ts"
import { updateLaws } from "./update-laws.ts"

/** What every family must satisfy. */
export const familyLaws: readonly Law<FamilySubject>[] = [...dualityLaws, ...statisticsLaws, ...beliefLaws]

/** What every model must satisfy on complete rows. */
export const modelLaws: readonly Law<ModelSubject>[] = minding([
  ...densityLaws,
  ...limitLaws,
  ...labelLaws,
  ...symmetryLaws,
  ...stochasticLaws,
  ...stochasticSymmetryLaws,
  ...sampleLaws,
  ...answerLaws,
  ...fillLaws,
  ...decisionLaws,
  ...explainLaws,
  ...updateLaws,
  ...habits,
  ...answerHabits,
  ...refusals,
  ...degenerateLaws,
])

/** What every model must satisfy with every learner, in every state of the data. */
export const matrixLaws: readonly Law<ModelSubject>[] = [
  ...everyLearner,
  ...gradientLaws,
  ...stochasticMatrixLaws,
]

/** The laws for a subject. Those that do not apply to it say why. */
export function lawsOf(subject: FamilySubject): readonly Law<FamilySubject>[]
export function lawsOf(subject: ModelSubject): readonly Law<ModelSubject>[]
export function lawsOf(
  subject: FamilySubject | ModelSubject,
): readonly Law<FamilySubject>[] | readonly Law<ModelSubject>[] {
  return "family" in subject ? familyLaws : [...modelLaws, ...matrixLaws]
}

/** Try every law on a family of your own, alone and inside models. Throws at the first that is broken. */
export async function checkFamily(kind: FamilyKind, options: CheckOptions = {}): Promise<Report> {
  const family = await checkAll(familyLaws, familySubjects([kind]), options)
  return together([family, ...(await modelReports(modelsOf(kind), options))])
}

/** Try every law on a model of your own, with every learner and every state of the data. */
export async function checkModel(specimen: ModelSpecimen, options: CheckOptions = {}): Promise<Report> {
  return together(await modelReports([specimen], options))
}

async function modelReports(specimens: readonly ModelSpecimen[], options: CheckOptions): Promise<Report[]> {
  return [
    await checkAll(modelLaws, modelSubjects(specimens), options),
    await checkAll(matrixLaws, matrixSubjects(specimens), options),
    await checkAll(posteriorLaws, posteriorSubjects(specimens), options),
  ]
}

export { type FamilySubject, familySubjects } from "./bound.ts"
export {
  type CheckOptions,
  checkAll,
  checkLaw,
  type Law,
  LawBroken,
  type Report,
  type Skip,
  type Subject,
  type Trial,
  together,
} from "./law.ts"
export { type LearnerSpecimen, learners } from "./learners.ts"
export { type ModelSpecimen, modelOf, modelsOf, nested } from "./models.ts"
export { posteriorLaws } from "./posterior-laws.ts"
export { type ModelSubject, matrixSubjects, modelSubjects, posteriorSubjects } from "./subjects.ts"
export { type Variant, variants } from "./variants.ts"
