import { expect, test } from "vitest"
import { families } from "../families/list.ts"
import {
  checkLaw,
  familyLaws,
  familySubjects,
  type Law,
  LawBroken,
  matrixLaws,
  matrixSubjects,
  modelLaws,
  modelSubjects,
  modelsOf,
  nested,
  type Subject,
} from "./index.ts"

const kinds = families.filter(k => k.name === "linear")
const specimens = [...nested.filter(s => /regression|experts/.test(s.name)), ...kinds.flatMap(modelsOf)]
const skipped = new Map<string, string[]>()
function walk<S extends Subject>(laws: readonly Law<S>[], subjects: readonly S[]) {
  for (const law of laws)
    test(law.id, async () => {
      const broken: string[] = []
      for (const subject of subjects) {
        try {
          const reason = await checkLaw(law, subject, {
            runs: Number(process.env.R ?? 2),
            seed: 0,
            shrink: false,
          })
          if (reason) {
            const k = `${law.id}: ${reason}`
            skipped.set(k, [...(skipped.get(k) ?? []), subject.name])
          }
        } catch (e) {
          if (!(e instanceof LawBroken)) throw e
          broken.push(e.message + (process.env.S ? String((e.cause as Error)?.stack) : ""))
        }
      }
      expect(broken.map(b => b.slice(0, 900))).toEqual([])
    }, 600000)
}
walk(familyLaws, familySubjects(kinds))
walk(modelLaws, modelSubjects(specimens))
walk(matrixLaws, matrixSubjects(specimens))
test("skips", () => {
  if (process.env.K)
    for (const [k, v] of skipped)
      console.log(k, "\n   ", [...new Set(v.map(x => x.split(" · ")[0]))].join(" | "))
})
