/** What the pages promise beside their examples: links that lead somewhere, options and defaults as in the source, a page for everything. */
import { existsSync, readdirSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { describe, expect, test } from "vitest"
import { families } from "../../packages/suffice/src/families/list.ts"
import { declaredOptions, flagsFile, TABLED, withOptions } from "./option-tables.ts"
import { pages, ROOT, read } from "./pages.ts"

/** As GitHub names the anchor of a heading. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-")
}

function anchorsOf(text: string): Set<string> {
  return new Set([...text.matchAll(/^#+ (.*)$/gm)].map(match => anchor(match[1])))
}

const withoutFences = (text: string): string =>
  text.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "")

/** Where the repository is read, file by file: what is installed links there. */
const ONLINE = "https://github.com/suffice-js/suffice/blob/main/"

const linksOf = (text: string): string[] =>
  [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)].map(match => match[1])

/** Does a link of this page lead to no file or heading of the repository? Of other sites nothing is known. */
function isDead(path: string, link: string): boolean {
  if (/^https?:/.test(link) && !link.startsWith(ONLINE)) return false
  const [file, heading] = link.replace(ONLINE, "").split("#")
  const from = link.startsWith(ONLINE) ? "" : dirname(path)
  const target = file === "" ? path : normalize(join(from, file))
  if (!existsSync(join(ROOT, target))) return true
  return heading !== undefined && !anchorsOf(read(target)).has(heading)
}

test("every link leads to a file and a heading", () => {
  const dead = pages().flatMap(({ path, text }) =>
    linksOf(text)
      .filter(link => isDead(path, link))
      .map(link => `${path}: ${link}`),
  )
  expect(dead).toEqual([])
})

test("packages link to pages that can be read without the repository", () => {
  for (const folder of readdirSync(join(ROOT, "packages"))) {
    const { homepage } = JSON.parse(read(`packages/${folder}/package.json`))
    expect(homepage).toContain(ONLINE)
    expect(isDead("", homepage), homepage).toBe(false)
    const links = linksOf(read(`packages/${folder}/README.md`))
    expect(links.filter(link => !/^(https:|#)/.test(link))).toEqual([])
    expect(links.filter(link => link.startsWith(`${ONLINE}docs/`)).length).toBeGreaterThan(0)
  }
})

test("every page of docs/ is in its index", () => {
  const index = read("docs/README.md")
  const lost = pages()
    .map(({ path }) => path)
    .filter(path => path.startsWith("docs/") && path !== "docs/README.md")
    .filter(path => !index.includes(`(${path.slice("docs/".length)})`))
  expect(lost).toEqual([])
})

describe("options", () => {
  for (const page of new Set(TABLED.map(([, page]) => page)))
    test(`docs/${page} has those of the source, with their defaults: npm run docs:api writes them`, () => {
      expect(withOptions(page, read(`docs/${page}`))).toBe(read(`docs/${page}`))
    })

  test("the flags of learners are those of the tables: npm run docs:api writes them", () => {
    expect(read("packages/cli/src/learner-flags.ts")).toBe(flagsFile())
  })

  test("every table declares options", () => {
    for (const [name, , source, type] of TABLED)
      expect(declaredOptions(source, type).length, name).toBeGreaterThan(0)
    const em = declaredOptions("learners/em.ts", "EmOptions")
    expect(em.map(({ name, fallback }) => [name, fallback])).toEqual([
      ["maxIterations", undefined],
      ["tolerance", "1e-6"],
      ["restarts", "0"],
      ["prior", "1"],
      ["start", undefined],
      ["unlabelled", undefined],
    ])
  })

  test("a page with another default, a missing option or a removed one is rewritten", () => {
    const page = "learners/em.md"
    const text = read(`docs/${page}`)
    const changed = text
      .replace("| `tolerance` | `1e-6` |", "| `tolerance` | `1e-3` |")
      .replace(/^\| `prior` .*\n/m, "")
      .replace("| `restarts` | `0` |", "| `formerOption` | `2` | gone |\n| `restarts` | `0` |")
    const written = withOptions(page, changed)
    expect(written).toContain("| `tolerance` | `1e-6` |")
    expect(written).toContain("| `prior` | `1` | Strength of the prior: 0 = maximum likelihood,")
    expect(written).not.toContain("formerOption")
  })
})

test("every family, structure and learner has its table of options", () => {
  const index = ["index", "learn"].map(name => read(`packages/suffice/src/${name}.ts`)).join("\n")
  const learners = [...index.matchAll(/\b(\w+) \} from "\.\/learners\//g)].map(match => match[1])
  expect(learners).toContain("em")
  const names = [...families.map(({ name }) => name), ...learners.filter(name => /^[a-z]/.test(name))]
  expect(names.filter(name => !TABLED.some(([tabled]) => tabled === name))).toEqual([])
})
