/**
 * Options as the source declares them: in tables (packages/suffice/src/option-table.ts) and documented interfaces.
 * `npm run docs:api` writes their names and defaults into the tables of the pages, and the flags of the command.
 */
import ts from "typescript"
import { guideOf, guides } from "../../packages/suffice/src/describe.ts"
import { pages, read } from "./pages.ts"

/** Families that are used only on request, with the page that tables their options. */
function familiesOnRequest(): [name: string, page: string][] {
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

/** The name in the head of a table of a page, the page, the source, and the interface. */
export const TABLED: readonly (readonly [name: string, page: string, source: string, options: string])[] = [
  ["bernoulli", "models/levels.md", "families/bernoulli.ts", "BernoulliOptions"],
  ["categorical", "models/levels.md", "families/categorical.ts", "CategoricalOptions"],
  ["bins", "models/levels.md", "families/categorical.ts", "BinsOptions"],
  ["gaussian", "models/numbers.md", "families/gaussian.ts", "GaussianOptions"],
  ["poisson", "models/numbers.md", "families/poisson.ts", "PoissonOptions"],
  ...familiesOnRequest().map(
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

const CORE = "packages/suffice/src"
/** Tables outside the file of their interface. */
const ELSEWHERE: Readonly<Record<string, string>> = { "families/bag.ts": "families/bag-options.ts" }

export interface DeclaredOption {
  readonly name: string
  readonly comment: string
  /** The default in the words of the source; undefined if there is none, or none that is a constant. */
  readonly fallback: string | undefined
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, read(`${CORE}/${path}`), ts.ScriptTarget.ESNext, true)
}

/** The members of an interface of options, in order. */
export function declaredOptions(path: string, type: string): DeclaredOption[] {
  const tree = parse(path)
  const declaration = tree.statements.find(
    (node): node is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(node) && node.name.text === type,
  )
  const defaults = new Map([...defaultsIn(tree, type), ...defaultsIn(parse(ELSEWHERE[path] ?? path), type)])
  return (declaration?.members ?? []).map(member => {
    const name = member.name!.getText()
    return { name, comment: commentOf(member), fallback: defaults.get(name) }
  })
}

/** The names that an interface inherits from the options of bags of words. */
function inheritedNames(path: string, type: string): string[] {
  const declaration = parse(path).statements.find(
    (node): node is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(node) && node.name.text === type,
  )
  const parents =
    declaration?.heritageClauses?.flatMap(({ types }) => types.map(parent => parent.getText())) ?? []
  return parents.flatMap(parent => [
    ...declaredOptions("families/bag.ts", parent).map(({ name }) => name),
    ...(path === "families/bag.ts" ? [] : inheritedNames("families/bag.ts", parent)),
  ])
}

function commentOf(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
    .join(" ")
    .replace(/\s*\n\s*/g, " ")
}

/** Visits every entry of the table of a type. */
function eachEntry(
  tree: ts.SourceFile,
  type: string,
  visit: (entry: ts.PropertyAssignment, option: ts.CallExpression) => void,
): void {
  tree.forEachChild(function find(node) {
    if (ts.isSatisfiesExpression(node) && node.type.getText() === `Table<${type}>`) {
      for (const entry of (node.expression as ts.ObjectLiteralExpression).properties)
        if (ts.isPropertyAssignment(entry) && ts.isCallExpression(entry.initializer))
          visit(entry, entry.initializer)
    }
    node.forEachChild(find)
  })
}

/** Makers of options without a default. */
const WITHOUT_DEFAULT = new Set(["record"])

function defaultsIn(tree: ts.SourceFile, type: string): [string, string][] {
  const defaults: [string, string][] = []
  eachEntry(tree, type, (entry, { expression, arguments: [first] }) => {
    if (first && first.getText() !== "undefined" && !WITHOUT_DEFAULT.has(expression.getText()))
      defaults.push([entry.name.getText(), first.getText()])
  })
  // { prior = 1 }: Options, of makers without a table
  tree.forEachChild(function find(node) {
    if (ts.isParameter(node) && ts.isObjectBindingPattern(node.name)) {
      if (node.type?.getText().replace(/<.*/, "") === type)
        for (const { name, initializer } of node.name.elements)
          if (initializer && !ts.isConditionalExpression(initializer))
            defaults.push([name.getText(), initializer.getText()])
    }
    node.forEachChild(find)
  })
  return defaults
}

/** The table whose head begins with `name(…)`, or with the name alone. */
const headed = (name: string): RegExp =>
  new RegExp(`^(\\| (?:\`${name}\\(|${name} \\|).*\\n\\|[-|]+\\n)((?:\\|.*\\n)+)`, "m")

/** The page with the names and defaults of the source in its tables; the texts are its own. */
export function withOptions(page: string, text: string): string {
  return TABLED.filter(([, path]) => path === page).reduce((result, [name, , source, type]) => {
    if (!headed(name).test(result)) throw new Error(`docs/${page} has no table of the options of ${name}`)
    const options = declaredOptions(source, type)
    const inherited = inheritedNames(source, type)
    return result.replace(
      headed(name),
      (_, head: string, rows: string) => head + rowsOf(rows, options, inherited),
    )
  }, text)
}

/** In the order of the page; rows of removed options go, new options come last, with their comment as text. */
function rowsOf(rows: string, options: readonly DeclaredOption[], inherited: readonly string[]): string {
  const old = rows.trimEnd().split("\n")
  const nameOf = (row: string): string | undefined => /^\| `(\w+)` \|/.exec(row)?.[1]
  const remaining = old.filter(row => {
    const name = nameOf(row)
    return name === undefined || inherited.includes(name) || options.some(option => option.name === name)
  })
  const rewritten = remaining.map(row => {
    const option = options.find(({ name }) => name === nameOf(row))
    return option?.fallback === undefined ? row : withDefault(row, option.fallback)
  })
  const added = options.filter(({ name }) => !old.some(row => nameOf(row) === name))
  const fresh = added.map(
    ({ name, comment, fallback }) => `| \`${name}\` | ${fallback ? `\`${fallback}\`` : "–"} | ${comment} |`,
  )
  return `${[...rewritten, ...fresh].join("\n")}\n`
}

/** A default that a condition changes keeps its words: `1`, or `0.05` for … */
function withDefault(row: string, fallback: string): string {
  const [, name, cell, text] = /^(\| `\w+` \| )(.*?)( \|.*)$/.exec(row)!
  return `${name}${/^`[^`]*`/.test(cell) ? cell.replace(/^`[^`]*`/, () => `\`${fallback}\``) : `\`${fallback}\``}${text}`
}

// ── flags of the command ──

/** Learners in the order of their flags in the help, and as the command names them, in its order. */
const FLAGGED = [
  ["sdem", "learners/sdem-options.ts", "SdemOptions"],
  ["em", "learners/em.ts", "EmOptions"],
  ["online-em", "learners/online-em.ts", "OnlineEmOptions"],
  ["bayes", "learners/bayes.ts", "BayesOptions"],
] as const
const ORDER = ["em", "online-em", "sdem", "bayes"]

interface Flag {
  readonly option: string
  readonly placeholder: string
  readonly text: string
  readonly value: string
  readonly learners: string[]
}

/** `@flag <n> passes over the data, {of}` in the comment of an entry; `@flag` alone: another learner has its text. */
function learnerFlags(): Flag[] {
  const flags = new Map<string, Flag>()
  for (const [learner, path, type] of FLAGGED) {
    eachEntry(parse(path), type, (entry, option) => {
      const tag = ts.getJSDocTags(entry).find(({ tagName }) => tagName.text === "flag")
      if (!tag) return
      const name = entry.name.getText()
      const [, placeholder, text] =
        /^(<\w+>) (.*)$/s.exec(ts.getTextOfJSDocComment(tag.comment)?.trim() ?? "") ?? []
      const flag = flags.get(name)
      const learners = [...(flag?.learners ?? []), learner]
      flags.set(name, {
        option: name,
        value: valueKind(option),
        placeholder: placeholder ?? flag?.placeholder ?? "",
        text: text ?? flag?.text ?? "",
        learners: learners.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)),
      })
    })
  }
  return [...flags.values()]
}

/** How the command reads the value: "whole", "share", "amount", or one of a list of words. */
function valueKind({ expression, arguments: [, words] }: ts.CallExpression): string {
  const maker = expression.getText()
  if (maker === "oneOf") return words.getText()
  if (["whole", "share", "amount"].includes(maker)) return `"${maker}"`
  throw new Error(`the command has no flag for an option of ${maker}()`)
}

/** The file packages/cli/src/learner-flags.ts. */
export function flagsFile(): string {
  const entries = learnerFlags().map(({ option, placeholder, text, value, learners }) => {
    if (!text) throw new Error(`@flag of ${option} has no text in any table`)
    const flag = `--${option.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)} ${placeholder}`
    const quoted = learners.map(learner => `"${learner}"`).join(", ")
    const last = learners.at(-1)
    const of = `of ${learners.length > 1 ? `${learners.slice(0, -1).join(", ")} and ${last}` : last}`
    return [
      "  {",
      `    option: "${option}",`,
      `    flag: "${flag}",`,
      `    help: "${text.replace("{of}", of)}",`,
      `    learners: [${quoted}],`,
      `    value: ${value},`,
      "  },",
    ].join("\n")
  })
  return `// biome-ignore-all format: written by a script
/** Options of learners that are flags of the command. Written by \`npm run docs:api\` from the tables of options. */
import type { LearnerFlag } from "./options.ts"

export const LEARNER_FLAGS = [
${entries.join("\n")}
] as const satisfies readonly LearnerFlag[]
`
}
