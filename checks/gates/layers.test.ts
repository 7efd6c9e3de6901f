/**
 * The layers, and what the core may say: read from the syntax tree of every source file, so that comments and strings
 * do not matter. A violation is "file:line: sentence". Each rule is also shown a planted violation.
 * Long because every rule stands beside the violation it must find.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix, relative } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { describe, expect, test } from "vitest"

const SRC = fileURLToPath(new URL("../../packages/suffice/src", import.meta.url))
const ROOT = join(SRC, "../../..")

/** What a file of a layer may import besides its own layer; "type x": only types of x. Ordered from the bottom up. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  errors: [],
  blocks: ["type contract"],
  kernels: ["type contract", "errors"],
  random: ["type contract", "errors", "kernels"],
  described: ["contract", "errors"],
  shape: ["contract", "errors"],
  "option-table": ["type contract", "errors"],
  summary: ["errors"],
  "option-checks": ["errors"],
  pause: [],
  text: ["contract", "errors", "blocks", "kernels"],
  families: ["contract", "errors", "option-table", "described", "shape", "blocks", "kernels", "text"],
  structures: ["contract", "errors", "described", "shape", "blocks", "kernels", "families"],
  declare: ["contract", "errors", "shape", "families", "structures"],
  beliefs: ["contract", "errors", "shape", "blocks", "kernels", "families"],
  learners: ["contract", "errors", "option-table", "kernels", "type random"],
  data: ["contract", "errors", "blocks", "kernels", "random", "pause", "text"],
  saved: ["contract", "errors", "shape", "kernels", "random", "type data"],
  measure: ["contract", "errors", "kernels", "random"],
  baselines: [
    "contract",
    "errors",
    "summary",
    "kernels",
    "random",
    "pause",
    "text",
    "data",
    "measure",
    "type answers",
  ],
  engine: ["contract", "errors", "blocks", "kernels", "random", "pause"],
  frames: [
    ...["contract", "errors", "blocks", "kernels", "random", "data", "engine", "families", "beliefs"],
    ...["structures", "learners", "type measure"],
  ],
  threads: ["contract", "errors", "blocks", "kernels", "families", "engine", "frames"],
}
const BELOW = Object.keys(LAYERS)
/** Each entry is a layer of its own, by its file: text.ts is `suffice/text`, and text/ a layer at the bottom. */
const UPPER: Readonly<Record<string, readonly string[]>> = {
  answers: [...BELOW, "type fit"],
  fit: [...BELOW, "answers", "#workers"],
  choose: [...BELOW, "answers", "fit"],
  auto: [...BELOW, "type fit"],
  structure: [...BELOW, "answers", "fit", "choose", "auto", "type propose"],
  propose: [...BELOW, "fit", "auto", "structure", "type choose"],
  "index.ts": [...BELOW, "answers", "fit", "auto", "propose"],
  "learn.ts": ["type contract", "beliefs", "learners", "answers", "fit"],
  "measure.ts": ["measure", "answers", "choose", "propose"],
  "describe.ts": ["type contract", "declare", "families", "structures"],
  "structure.ts": ["structure"],
  "baselines.ts": ["baselines"],
  "text.ts": ["text", "type contract"],
  "kernels.ts": ["kernels"],
  "predict.ts": ["type contract", "answers", "fit"],
  "worker.ts": ["frames", "kernels", "data", "fit", "type contract", "type engine"],
  "contract.ts": ["type contract"],
}
const MAY: Readonly<Record<string, readonly string[]>> = { ...LAYERS, ...UPPER }

/** Files for Node alone: the manifest names them under "#workers", and no browser may reach them. */
const NODE = ["threads/node.ts", "threads/node-disk.ts", "threads/node-worker.ts", "threads/sources.ts"]
/** What can be imported from the package, and where a browser enters; what "#workers" is there. */
const ENTRIES = Object.keys(UPPER).filter(layer => layer.endsWith(".ts"))
const BROWSER = [...ENTRIES, "threads/browser-worker.ts"]
const WORKERS = "threads/browser.ts"

/** Exactly rounded by IEEE 754, or exact by definition; the constants are exact too. */
const MATH = new Set(
  "abs ceil clz32 floor fround imul max min round sign sqrt trunc E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2".split(
    " ",
  ),
)
/** The clock, the dice, the console and the host belong to the caller; code is never made from text. */
const GLOBALS = new Set("Date performance crypto console process require Buffer eval Function".split(" "))
/** Pauses go by the clock, and change no result. */
const MAY_WAIT = "pause.ts"
const LEARNERS = ["em", "sdem", "onlineEm", "bayes"]
const LONGEST = 300

/** Tests and their shared code: not in the package, and free to import anything. */
function isOfTests(path: string): boolean {
  return /\.test(-d)?\.ts$|(^|\/)testing\//.test(path)
}

type Files = Readonly<Record<string, string>>

interface Import {
  readonly to: string
  readonly typeOnly: boolean
  readonly node: ts.Node
}

/** Everything wrong with these files, paths being relative to src. */
function violations(files: Files): string[] {
  const found: string[] = []
  const sources = Object.entries(files).map(([path, text]) => ({
    path,
    text,
    tree: ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true),
  }))
  const makers = new Set(
    sources.filter(({ path }) => path === "index.ts").flatMap(({ tree }) => makersOf(tree)),
  )
  for (const { path, text, tree } of sources) {
    const say = (node: ts.Node, sentence: string): void => {
      found.push(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}: ${sentence}`)
    }
    checkLayers(path, tree, say)
    checkLanguage(tree, say)
    checkNames(path, tree, makers, say)
    checkFile(path, text, found)
  }
  checkList(files, found)
  checkReach(sources, found)
  checkCycles(sources, found)
  return found
}

type Say = (node: ts.Node, sentence: string) => void

function layerOf(path: string): string {
  if (ENTRIES.includes(path) && !path.includes("/")) return path
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : path.replace(/\.ts$/, "")
}

function checkLayers(path: string, tree: ts.SourceFile, say: Say): void {
  const layer = layerOf(path)
  const may = MAY[layer]
  if (!may) say(tree, `${layer} has no row in the table of layers. Give it one, or move the file.`)
  for (const { to, typeOnly, node } of importsOf(tree)) {
    const target = to.startsWith(".") ? layerOf(posix.join(posix.dirname(path), to)) : to
    if (NODE.includes(path) && (to.startsWith("node:") || to === "esbuild")) continue
    if (to.startsWith("node:")) say(node, `imports ${to}, which no browser has. Take it as an argument.`)
    else if (/(^|\/)testing\//.test(to))
      say(node, `imports ${to}, which is for tests alone. Move it out of testing/.`)
    else if (target.startsWith(".."))
      say(node, `imports ${to}, outside of the core. Move what it needs inside.`)
    else if (!may || target === layer || may.includes(target)) continue
    else if (typeOnly && may.includes(`type ${target}`)) continue
    else {
      const list = may.length > 0 ? may.join(", ") : "nothing"
      say(node, `${layer} imports ${target}; it may import ${list}.`)
    }
  }
}

/** No file for Node is reached from where a browser enters. */
function checkReach(
  sources: readonly { readonly path: string; readonly tree: ts.SourceFile }[],
  found: string[],
): void {
  const trees = new Map(sources.map(({ path, tree }) => [path, tree]))
  const waiting = [...BROWSER, WORKERS]
  const reached = new Set(waiting)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const tree = trees.get(path)
    for (const { to, typeOnly } of tree ? importsOf(tree) : []) {
      const target = to === "#workers" ? WORKERS : posix.join(posix.dirname(path), to)
      if (typeOnly || reached.has(target)) continue
      if (NODE.includes(target)) found.push(`${path}:1: brings ${target} to browsers. Import "#workers".`)
      reached.add(target)
      waiting.push(target)
    }
  }
}

/** No module imports a value of itself, by any path. Depth-first search; an edge to a module on the path closes a cycle. */
function checkCycles(
  sources: readonly { readonly path: string; readonly tree: ts.SourceFile }[],
  found: string[],
): void {
  const trees = new Map(sources.map(({ path, tree }) => [path, tree]))
  const done = new Set<string>()
  const onPath: string[] = []
  const visit = (path: string): void => {
    const tree = trees.get(path)
    if (!tree || done.has(path)) return
    onPath.push(path)
    for (const { to, typeOnly } of importsOf(tree)) {
      if (typeOnly || !to.startsWith(".")) continue
      const target = posix.join(posix.dirname(path), to)
      const start = onPath.indexOf(target)
      if (start < 0) visit(target)
      else found.push(`${path}:1: closes an import cycle: ${[...onPath.slice(start), target].join(" → ")}.`)
    }
    onPath.pop()
    done.add(path)
  }
  for (const { path } of sources) visit(path)
}

function importsOf(tree: ts.SourceFile): Import[] {
  const imports: Import[] = []
  walk(tree, node => {
    if (ts.isImportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings
      const named = bindings && ts.isNamedImports(bindings) ? bindings.elements : undefined
      const typeOnly =
        node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword ||
        (named !== undefined && !node.importClause?.name && named.every(element => element.isTypeOnly))
      imports.push({ to: textOf(node.moduleSpecifier), typeOnly, node })
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      imports.push({ to: textOf(node.moduleSpecifier), typeOnly: node.isTypeOnly, node })
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      imports.push({ to: textOf(node.arguments[0]), typeOnly: false, node })
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      imports.push({ to: textOf(node.argument.literal), typeOnly: true, node })
    }
  })
  return imports
}

function checkLanguage(tree: ts.SourceFile, say: Say): void {
  walk(tree, node => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) say(node, "says any. Say what it is, or unknown.")
    if (
      node.kind === ts.SyntaxKind.AsteriskAsteriskToken ||
      node.kind === ts.SyntaxKind.AsteriskAsteriskEqualsToken
    ) {
      say(node, "uses **, whose last bit depends on the engine. Multiply, or use exp and log of kernels/.")
    }
    if (ts.isExportAssignment(node) || node.kind === ts.SyntaxKind.DefaultKeyword) {
      if (!ts.isDefaultClause(node.parent) && !ts.isDefaultClause(node)) {
        say(node, "exports a default. Export it by name.")
      }
    }
    if (ts.isExportDeclaration(node) && (!node.exportClause || ts.isNamespaceExport(node.exportClause))) {
      say(node, "exports *. List the names.")
    }
    if (!ts.isIdentifier(node) || isMemberName(node)) return
    if (node.text === "Math") checkMath(node, say)
    else if (node.text === "performance" && tree.fileName === MAY_WAIT) return
    else if (node.text === "process" && NODE.includes(tree.fileName)) return
    else if (GLOBALS.has(node.text) && !ts.isTypeNode(node.parent)) {
      say(node, `uses ${node.text}. The clock, the dice, the console and the host are the caller's.`)
    } else if (node.text === "globalThis") {
      const member = ts.isPropertyAccessExpression(node.parent) ? node.parent.name.text : ""
      if (GLOBALS.has(member) || member === "") say(node, `uses globalThis${member && `.${member}`}.`)
    }
  })
}

function checkMath(node: ts.Identifier, say: Say): void {
  const access = node.parent
  if (!ts.isPropertyAccessExpression(access) || access.expression !== node) {
    say(node, "takes Math as a whole. Name the function, so that it can be checked.")
  } else if (!MATH.has(access.name.text)) {
    const why =
      access.name.text === "random" ? "which no seed decides" : "whose last bit depends on the engine"
    say(node, `uses Math.${access.name.text}, ${why}. Use kernels/ or random.ts.`)
  }
}

/** Learners name no model, models no learner: neither as identifiers nor as tags in strings. */
function checkNames(path: string, tree: ts.SourceFile, makers: ReadonlySet<string>, say: Say): void {
  const layer = layerOf(path)
  const names =
    layer === "learners"
      ? makers
      : layer === "families" || layer === "structures"
        ? new Set(LEARNERS)
        : undefined
  if (!names) return
  walk(tree, node => {
    const said =
      (ts.isIdentifier(node) && !isMemberName(node)) || ts.isStringLiteralLike(node) ? node.text : undefined
    if (said !== undefined && names.has(said)) {
      say(
        node,
        layer === "learners" ? `a learner names the model ${said}.` : `a model names the learner ${said}.`,
      )
    }
  })
}

/** What says how the columns of a network are declared: ordinary words, which are no models by themselves. */
const WORDS = new Set(["before", "given", "hidden"])

/** The values index.ts takes from families/ and structures/. */
function makersOf(tree: ts.SourceFile): string[] {
  return tree.statements.flatMap(node => {
    if (!ts.isExportDeclaration(node) || node.isTypeOnly || !node.moduleSpecifier) return []
    if (!/^\.\/(families|structures)\//.test(textOf(node.moduleSpecifier))) return []
    if (!node.exportClause || !ts.isNamedExports(node.exportClause)) return []
    return node.exportClause.elements
      .filter(element => !element.isTypeOnly && !WORDS.has(element.name.text))
      .map(element => element.name.text)
  })
}

function checkFile(path: string, text: string, found: string[]): void {
  if (!path.split("/").every(name => /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.test-d)?(\.ts)?$/.test(name))) {
    found.push(`${path}:1: is not named in kebab-case.`)
  }
  if (isOfTests(path)) return
  const lines = text.trimEnd().split("\n").length
  const opening = /^\s*(\/\*[\s\S]*?\*\/|(\/\/.*\n)+)/.exec(text)?.[0] ?? ""
  if (lines > LONGEST && !opening.includes("Long because")) {
    found.push(
      `${path}:${LONGEST + 1}: has ${lines} lines, more than ${LONGEST}. Cut it, or say "Long because …" at its top.`,
    )
  }
}

/** Every family is in families/list.ts: a file that makes a Family exports a …Kind, and the list holds it. */
function checkList(files: Files, found: string[]): void {
  const list = files["families/list.ts"] ?? ""
  // once in the import, once in the list
  const listed = (kind: string): boolean => (list.match(new RegExp(`\\b${kind}\\b`, "g")) ?? []).length > 1
  for (const [path, text] of Object.entries(files)) {
    // natural.ts makes families for other files
    if (!path.startsWith("families/") || path === "families/natural.ts") continue
    const kinds = [...text.matchAll(/^export const (\w+Kind)\b/gm)].map(match => match[1])
    if (kinds.length === 0 && /^export function [^{]*\): Family\b/m.test(text.replace(/\{[^{}]*\}/g, ""))) {
      found.push(`${path}:1: exports no …Kind, so saving, auto() and the laws do not know it.`)
    }
    for (const kind of kinds) {
      if (!listed(kind)) found.push(`${path}:1: ${kind} is not in families/list.ts.`)
    }
  }
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, child => walk(child, visit))
}

function textOf(node: ts.Node): string {
  return ts.isStringLiteralLike(node) ? node.text : node.getText()
}

/** The name after a dot, of a property, or of a member: it names no global. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node
  if (ts.isQualifiedName(parent)) return parent.right === node
  if (ts.isBindingElement(parent)) return parent.propertyName === node
  return (
    (ts.isPropertyAssignment(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isMethodSignature(parent) ||
      ts.isGetAccessorDeclaration(parent)) &&
    parent.name === node
  )
}

/** The .ts files below a folder, relative to it. */
function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith(".ts"))
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter(path => !/(^|\/)(node_modules|dist)\//.test(path))
    .sort()
}

const all = filesBelow(SRC)
const core: Files = Object.fromEntries(
  all.filter(path => !isOfTests(path)).map(path => [path, readFileSync(join(SRC, path), "utf8")]),
)

interface Manifest {
  readonly dependencies?: object
  readonly sideEffects: boolean
  readonly exports: Readonly<Record<string, Readonly<Record<"source" | "types" | "default", string>>>>
  readonly imports: Readonly<
    Record<string, Record<"browser" | "node" | "default", string> & { source: Record<string, string> }>
  >
}

function manifest(): Manifest {
  return JSON.parse(readFileSync(join(SRC, "../package.json"), "utf8"))
}

/** The values that an entry exports, as types are not: by name, or declared in it. */
function valuesOf(path: string): Set<string> {
  const tree = ts.createSourceFile(path, core[path], ts.ScriptTarget.ESNext, true)
  const names = tree.statements.flatMap(node => {
    if (ts.isFunctionDeclaration(node)) return isExported(node) ? [node.name!.text] : []
    if (!ts.isExportDeclaration(node) || node.isTypeOnly || !node.exportClause) return []
    if (!ts.isNamedExports(node.exportClause)) return []
    return node.exportClause.elements.filter(({ isTypeOnly }) => !isTypeOnly).map(({ name }) => name.text)
  })
  // a function with several signatures is one
  return new Set(names)
}

function isExported(node: ts.FunctionDeclaration): boolean {
  return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0
}

/** Packages and entries that the laws may import. */
const OF_LAWS = ["suffice", "suffice/learn", "suffice/contract", "fast-check"]

describe("the laws", () => {
  const folder = join(ROOT, "packages/laws/src")
  const sources = filesBelow(folder)
    .filter(path => !isOfTests(path))
    .map(path => ({ path, text: readFileSync(join(folder, path), "utf8") }))

  test("use entries of the core, and keep its language", () => {
    const wrong: string[] = []
    for (const { path, text } of sources) {
      const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
      const say: Say = (_, sentence) => wrong.push(`${path}: ${sentence}`)
      checkLanguage(tree, say)
      for (const { to, node } of importsOf(tree))
        if (!/^\.\/[a-z-]+\.ts$/.test(to) && !OF_LAWS.includes(to)) say(node, `imports ${to}`)
    }
    expect(sources.length).toBeGreaterThan(20)
    expect(wrong).toEqual([])
  })
})

describe("the core", () => {
  test("keeps its layers and its language", () => {
    expect(violations(core)).toEqual([])
  })

  test("names its tests in kebab-case too", () => {
    const found: string[] = []
    const tests = [...all.filter(path => !(path in core)), ...filesBelow(join(ROOT, "checks"))]
    for (const path of tests) checkFile(path, "", found)
    expect(found).toEqual([])
  })

  test("has no runtime dependency and no side effect", () => {
    const { dependencies = {}, sideEffects } = manifest()
    expect(dependencies).toEqual({})
    expect(sideEffects).toBe(false)
  })

  test("has workers for Node and for browsers, as the manifest names them", () => {
    const { imports } = manifest()
    const { source, browser, node, default: other } = imports["#workers"]
    const built = (path: string): string => `./dist/${path.replace(/ts$/, "js")}`
    expect([source.browser, source.default]).toEqual([`./src/${WORKERS}`, "./src/threads/sources.ts"])
    expect([browser, node, other]).toEqual([built(WORKERS), built("threads/node.ts"), built(WORKERS)])
    expect(NODE.filter(path => !(path in core))).toEqual([])
  })

  test("exports its entries and nothing else, each function from one of them", () => {
    const { exports } = manifest()
    const entries = Object.values(exports)
    expect(entries.map(({ source }) => source)).toEqual(ENTRIES.map(path => `./src/${path}`))
    const built = (path: string): string => path.replace(/ts$/, "")
    expect(entries.map(({ types }) => types)).toEqual(ENTRIES.map(path => `./dist/${built(path)}d.ts`))
    expect(entries.map(({ default: code }) => code)).toEqual(ENTRIES.map(path => `./dist/${built(path)}js`))
    const names = ENTRIES.flatMap(path => [...valuesOf(path)])
    expect(names).toEqual(expect.arrayContaining(["fit", "sdem", "evaluate", "loadPredictor"]))
    expect(names.filter((name, i) => names.indexOf(name) < i)).toEqual([])
  })

  test("is entered where its manifest says: no other package reaches inside", () => {
    const found: string[] = []
    const subpaths = Object.keys(manifest().exports).map(path => `suffice${path.slice(1)}`)
    const others = readdirSync(join(ROOT, "packages")).filter(name => name !== "suffice")
    for (const folder of [...others.map(name => `packages/${name}`), "examples"]) {
      for (const path of filesBelow(join(ROOT, folder))) {
        const tree = ts.createSourceFile(
          path,
          readFileSync(join(ROOT, folder, path), "utf8"),
          ts.ScriptTarget.ESNext,
          true,
        )
        for (const { to, node } of importsOf(tree)) {
          if (!/^suffice\/|\bsuffice\/src\//.test(to) || subpaths.includes(to)) continue
          const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
          found.push(`${folder}/${path}:${line + 1}: imports ${to}. Import "suffice" or one of its subpaths.`)
        }
      }
    }
    expect(found).toEqual([])
  })
})

const index =
  'export { gaussian } from "./families/gaussian.ts"\nexport { mixture } from "./structures/classes.ts"'

describe("a planted violation is found:", () => {
  test.each<[string, string, string, string]>([
    [
      "a learner imports a family",
      "learners/a.ts",
      'import { x } from "../families/gaussian.ts"',
      "learners imports families",
    ],
    [
      "a family imports a learner",
      "families/options.ts",
      '\nimport type { X } from "../learners/em.ts"',
      ":2: families imports learners",
    ],
    [
      "the contract imports anything",
      "contract/model.ts",
      'import type { X } from "../errors.ts"',
      "contract imports errors",
    ],
    [
      "a type-only permission is used for a value",
      "learners/a.ts",
      'import { dice } from "../random.ts"',
      "learners imports random",
    ],
    [
      "the engine knows a structure",
      "engine/a.ts",
      'export { x } from "../structures/leaf.ts"',
      "engine imports structures",
    ],
    [
      "the core imports its index",
      "answers/a.ts",
      'import { x } from "../index.ts"',
      "answers imports index.ts",
    ],
    ["an import that waits", "data/a.ts", 'const x = await import("../fit/fit.ts")', "data imports fit;"],
    ["a dependency", "data/a.ts", 'import x from "papaparse"', "data imports papaparse"],
    ["a folder without a layer", "misc/a.ts", "export const x = 1", "misc has no row"],
    ["the laws", "engine/a.ts", 'import { checkFamily } from "suffice-laws"', "engine imports suffice-laws"],
    ["what tests share", "engine/a.ts", 'import { x } from "./testing/b.ts"', "is for tests alone"],
    ["node:", "answers/a.ts", 'import fs from "node:fs"', "imports node:fs"],
    ["node: where browsers go", "threads/browser.ts", 'import "node:os"', "imports node:os"],
    [
      "workers of Node, by their file",
      "index.ts",
      `export { cores } from "./threads/node.ts"`,
      "brings threads/node.ts to browsers",
    ],
    ["workers, from below", "engine/a.ts", 'import { cores } from "#workers"', "engine imports #workers"],
    ["Math.exp", "data/a.ts", "// Math.log\nconst y = Math.exp(1)", ":2: uses Math.exp"],
    ["Math by another name", "data/a.ts", "const { exp } = Math", "takes Math as a whole"],
    ["a power", "data/a.ts", "let y = 2\ny **= 3", ":2: uses **"],
    ["unseeded dice", "data/a.ts", "const y = Math.random()", "uses Math.random, which no seed decides"],
    ["a clock", "data/a.ts", "const y = Date.now()", "uses Date"],
    ["another clock", "data/a.ts", "const y = performance.now()", "uses performance"],
    ["the console", "data/a.ts", "console.log(1)", "uses console"],
    ["the process", "data/a.ts", "globalThis.process.exit()", "uses globalThis.process"],
    ["code from text", "data/a.ts", "const f = new Function('x')", "uses Function"],
    ["any", "data/a.ts", "const x = 1 as any", "says any"],
    ["a default export", "data/a.ts", "export default function f() {}", "exports a default"],
    ["a default export of a value", "data/a.ts", "const x = 1\nexport default x", ":2: exports a default"],
    ["export *", "index.ts", 'export * from "./errors.ts"', "exports *"],
    [
      "a learner names a model",
      "learners/a.ts",
      'const x = kind === "mixture"',
      "a learner names the model mixture",
    ],
    [
      "a model names a learner",
      "structures/a.ts",
      "const onlineEm = 1",
      "a model names the learner onlineEm",
    ],
    ["a name in capitals", "data/readRows.ts", "", "is not named in kebab-case"],
    ["a long file", "data/a.ts", "// a\n".repeat(301), ":301: has 301 lines"],
    [
      "a family that is not in the list",
      "families/a.ts",
      "export const aKind = 1",
      "aKind is not in families/list.ts",
    ],
    ["a family in a folder", "families/b/b.ts", "export const bKind = 1", "bKind is not in families/list.ts"],
    [
      "a family without a kind",
      "families/a.ts",
      "export function a({ x = 1 }: Options = {}): Family<number> {\n}",
      "exports no …Kind",
    ],
  ])("%s", (_, path, text, sentence) => {
    const found = violations({ "index.ts": index, "families/list.ts": "", [path]: text })
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(sentence)
    expect(found[0]).toContain(`${path}:`)
  })

  test.each([
    ["learners/a.ts", 'import type { D } from "../random.ts"\nconst x = dice.normal() // gaussian'],
    ["learners/a.ts", 'import { type D } from "../random.ts"'],
    ["contract.ts", 'export type { Leaf } from "./contract/leaf.ts"'],
    ["data/a.ts", 'const x = Math.sqrt(2) + row.process + "any **" // Date.now(), console'],
    ["data/a.ts", "switch (x) {\n  default:\n}"],
    ["data/a.ts", `/** Long because it is a table. */\n${"// a\n".repeat(301)}`],
    ["families/list.ts", 'import { aKind } from "./a.ts"\nexport const families = [aKind]'],
  ])("and none is invented in %s", (path, text) => {
    const family = { "families/a.ts": "export const aKind = 1", "families/list.ts": "aKind aKind" }
    expect(violations({ "index.ts": index, ...family, [path]: text })).toEqual([])
  })
})

test("an import cycle is found, and a cycle of types is not", () => {
  const cycle = {
    "index.ts": index,
    "families/list.ts": "",
    "data/a.ts": 'import { b } from "./b.ts"\nexport const a = () => b',
    "data/b.ts": 'import { c } from "./c.ts"\nexport const b = () => c',
    "data/c.ts": 'import { a } from "./a.ts"\nexport const c = () => a',
  }
  expect(violations(cycle)).toEqual([
    "data/c.ts:1: closes an import cycle: data/a.ts → data/b.ts → data/c.ts → data/a.ts.",
  ])
  expect(violations({ ...cycle, "data/c.ts": 'import type { a } from "./a.ts"' })).toEqual([])
})
