/** What the pages promise beside their examples: links that lead somewhere, options and defaults as in the source, a page for everything. */
import { existsSync, readdirSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import ts from "typescript"
import { describe, expect, test } from "vitest"
import { guideOf, guides } from "../../packages/suffice/src/describe.ts"
import { families } from "../../packages/suffice/src/families/list.ts"
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

/** Families that are used only on request, with the page that tables their options. */
function askedFamilies(): [name: string, page: string][] {
  const names = Object.keys(guides).filter(name => guideOf(name).onRequest)
  const tables = pages().filter(({ path }) => path.startsWith("docs/models/"))
  return names.map(name => {
    const page = tables.find(({ path }) => read(path).includes(`\n| \`${name}(`))
    return [name, page?.path.slice("docs/".length) ?? `no page tables ${name}`]
  })
}

/** families/log-normal.ts */
function familyFile(name: string): string {
  return `families/${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}.ts`
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Where the options of a function are tabled, and where they are declared. */
const TABLED: readonly (readonly [name: string, page: string, source: string, options: string])[] = [
  ["bernoulli", "models/levels.md", "families/bernoulli.ts", "BernoulliOptions"],
  ["categorical", "models/levels.md", "families/categorical.ts", "CategoricalOptions"],
  ["gaussian", "models/numbers.md", "families/gaussian.ts", "GaussianOptions"],
  ["poisson", "models/numbers.md", "families/poisson.ts", "PoissonOptions"],
  ...askedFamilies().map(
    ([name, page]) => [name, page, familyFile(name), `${capitalised(name)}Options`] as const,
  ),
  ["normal", "models/normal.md", "families/normal/normal.ts", "NormalOptions"],
  ["multinomial", "models/bags-of-words.md", "families/multinomial.ts", "MultinomialOptions"],
  ["wordSet", "models/bags-of-words.md", "families/word-set.ts", "WordSetOptions"],
  ["topics", "models/topics.md", "families/topics/topics.ts", "TopicsOptions"],
  ["words of either", "models/bags-of-words.md", "families/bag.ts", "BagOptions"],
  ["linear", "models/linear.md", "families/linear/linear.ts", "LinearLeafOptions"],
  ["classes", "models/structures.md", "structures/classes.ts", "ClassesOptions"],
  ["mixture", "models/structures.md", "structures/classes.ts", "MixtureOptions"],
  ["em", "learners/em.md", "learners/em.ts", "EmOptions"],
  ["onlineEm", "learners/online-em.md", "learners/online-em.ts", "OnlineEmOptions"],
  ["bayes", "learners/bayes.md", "learners/bayes.ts", "BayesOptions"],
  ["sdem", "learners/sdem.md", "learners/sdem-options.ts", "SdemOptions"],
  [
    "logisticRegression",
    "learners/baselines.md",
    "baselines/logistic-regression.ts",
    "LogisticRegressionOptions",
  ],
  ["linearSvm", "learners/baselines.md", "baselines/linear-svm.ts", "LinearSvmOptions"],
]

describe("the options of", () => {
  const source = (path: string): string => `packages/suffice/src/${path}`

  // a page may be written before what it describes
  for (const [name, page, path, options] of TABLED.filter(([, , path]) =>
    existsSync(join(ROOT, source(path))),
  )) {
    test(`${name}: all are tabled, with the defaults of the source`, () => {
      const tree = ts.createSourceFile(path, read(source(path)), ts.ScriptTarget.ESNext, true)
      const rows = tableOf(read(`docs/${page}`), name)
      const declared = membersOf(tree, options)
      expect(declared.length).toBeGreaterThan(0)
      expect(declared.filter(option => !(option in rows))).toEqual([])
      for (const [option, value] of defaultsOf(tree, options)) {
        expect(rows[option], `${name}: ${option}`).toMatch(new RegExp(`^${escaped(`\`${value}\``)}`))
      }
    })
  }
})

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** The table whose head begins with `name(…)`, or with the name alone: what stands in the second column, by option. */
function tableOf(text: string, name: string): Record<string, string> {
  const table = new RegExp(`^\\| (?:\`${name}\\(|${name} \\|).*\\n((?:\\|.*\\n)+)`, "m").exec(text)?.[1] ?? ""
  const rows = table.split("\n").map(line => /^\| `(\w+)` \| (.*?) \|/.exec(line))
  return Object.fromEntries(rows.filter(row => row !== null).map(([, option, value]) => [option, value]))
}

function membersOf(tree: ts.SourceFile, name: string): string[] {
  const found = tree.statements.find(
    (node): node is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(node) && node.name.text === name,
  )
  return found?.members.map(member => member.name!.getText()) ?? []
}

/** The defaults in the parameter of this type: { prior = 1 }: Options = {}. */
function defaultsOf(tree: ts.SourceFile, type: string): [string, string][] {
  const found: [string, string][] = []
  const visit = (node: ts.Node): void => {
    if (
      ts.isParameter(node) &&
      node.type?.getText().replace(/<.*/, "") === type &&
      ts.isObjectBindingPattern(node.name)
    ) {
      for (const { name, initializer } of node.name.elements) {
        // what depends on another option is told in words
        if (initializer && !ts.isConditionalExpression(initializer))
          found.push([name.getText(), initializer.getText()])
      }
    }
    // of a table of options: the first argument of each
    if (ts.isSatisfiesExpression(node) && node.type.getText() === `Table<${type}>`) {
      for (const entry of (node.expression as ts.ObjectLiteralExpression).properties) {
        if (!ts.isPropertyAssignment(entry) || !ts.isCallExpression(entry.initializer)) continue
        const { expression, arguments: given } = entry.initializer
        // records have no default
        if (expression.getText() === "record" || given[0].getText() === "undefined") continue
        found.push([entry.name.getText(), given[0].getText()])
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

test("every family, structure and learner has its table of options", () => {
  const index = ["index", "learn"].map(name => read(`packages/suffice/src/${name}.ts`)).join("\n")
  const learners = [...index.matchAll(/\b(\w+) \} from "\.\/learners\//g)].map(match => match[1])
  expect(learners).toContain("em")
  const names = [...families.map(({ name }) => name), ...learners.filter(name => /^[a-z]/.test(name))]
  expect(names.filter(name => !TABLED.some(([tabled]) => tabled === name))).toEqual([])
})
