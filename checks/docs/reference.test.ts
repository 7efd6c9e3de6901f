import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { ROOT, read } from "./pages.ts"
import { entries, MODULES, reference } from "./reference.ts"

describe("docs/api.md", () => {
  const all = entries()

  test("every public name is there and says what it is", () => {
    const page = read("docs/api.md")
    const missing = all.filter(({ name }) => !page.includes(`\n### ${name}\n`)).map(({ name }) => name)
    expect(missing, "npm run docs:api").toEqual([])
    const silent = all.filter(({ says }) => says === "").map(({ module, name }) => `${module}: ${name}`)
    expect(silent, "write a comment above the declaration").toEqual([])
  })

  test("is what the source says: npm run docs:api writes it", () => {
    expect(read("docs/api.md") === reference(all), "npm run docs:api").toBe(true)
  })

  test("covers whatever the packages export", () => {
    const exported = ["suffice", "laws", "files", "spark"].flatMap(folder => {
      const { name, exports } = JSON.parse(
        readFileSync(join(ROOT, "packages", folder, "package.json"), "utf8"),
      )
      return Object.keys(exports).map(path => `${name}${path.slice(1)}`)
    })
    expect(Object.keys(MODULES).sort()).toEqual(exported.sort())
  })
})
