/** Every mutant of `npx tsx checks/mutants/run.ts` can be planted: its text is in the sources, and its tests exist. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { mutants } from "./list.ts"
import { planted } from "./mutant.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))

test.each(mutants.map(mutant => [`${mutant.file}: ${mutant.about}`, mutant] as const))(
  "%s",
  (_name, mutant) => {
    const text = readFileSync(join(ROOT, mutant.file), "utf8")
    expect(planted(text, mutant)).not.toBe(text)
    expect(mutant.tests.filter(file => !existsSync(join(ROOT, file)))).toEqual([])
    expect(mutant.tests.length).toBeGreaterThan(0)
  },
)

test("none is there twice", () => {
  const texts = mutants.map(({ file, find, replace }) => `${file}\n${find}\n${replace}`)
  expect(new Set(texts).size).toBe(mutants.length)
  expect(new Set(mutants.map(({ about }) => about)).size).toBe(mutants.length)
})

test("a text that is gone is told, with what to do", () => {
  const gone = { about: "gone", file: "a.ts", find: "no such text", replace: "", tests: [] }
  expect(() => planted("some text", gone)).toThrowErrorMatchingInlineSnapshot(
    `[Error: a.ts holds the text of the mutant 0 times, not once: "no such text". The code has changed: let the mutant in checks/mutants/list.ts change with it.]`,
  )
})
