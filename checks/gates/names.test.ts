/**
 * No code outside a family's or structure's own files branches on its name: shared code asks the kind, the guide or the tree. Read from the syntax tree of every
 * source file, the scripts of components included. Each rule is shown a planted violation.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { describe, expect, test } from "vitest"
import { trees } from "../../packages/suffice/src/declare/trees.ts"
import { guides } from "../../packages/suffice/src/describe.ts"

const ROOT = join(import.meta.dirname, "../..")

/** Names that mean nothing else: no string outside may hold one. */
const FAMILIES = Object.keys(guides)
const STRUCTURES = Object.keys(trees)
/** Words of their own: presets, identifiers of pages, options. They count beside `family` and `kind` only. */
const WORDS = new Set(["linear", "normal", "topics", ...STRUCTURES.filter(name => name !== "dynamicNetwork")])

/** The files of families and of structures, and the lists of their names. */
const OF_FAMILIES = /^packages\/(suffice\/src\/(families|beliefs)\/|cli\/src\/families-asked\.ts$)/
const OF_STRUCTURES = /^packages\/suffice\/src\/structures\//
const TESTS = /\.test(-d)?\.ts$|(^|\/)testing\/|(^|\/)laws\//

/** Other things of these names, by file: exactly so many. This may only fall. */
const OTHERS: Readonly<Record<string, number>> = {
  // classes: "multinomial" is the softmax of a logistic regression
  "packages/suffice/src/baselines/logistic-regression.ts": 5,
  // the first word of a BIF file
  "packages/files/src/networks/bif.ts": 1,
}

interface Hit {
  readonly line: number
  readonly name: string
}

/** Every name in quotes that code may branch on. */
function namesIn(path: string, text: string): Hit[] {
  const script = path.endsWith(".svelte") ? scriptOf(text) : text
  const tree = ts.createSourceFile(path, script, ts.ScriptTarget.ESNext, true)
  const found: Hit[] = []
  const visit = (node: ts.Node): void => {
    if ((ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) && !isImport(node)) {
      for (const name of hitsOf(node).filter(name => isForeign(path, name)))
        found.push({ line: tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1, name })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return path.endsWith(".svelte") ? [...found, ...namesInMarkup(text)] : found
}

function isForeign(path: string, name: string): boolean {
  return !(FAMILIES.includes(name) ? OF_FAMILIES : OF_STRUCTURES).test(path)
}

function hitsOf(node: ts.LiteralLikeNode): string[] {
  const { text } = node
  const searched = /"(?:kind|family)":"(\w+)"/.exec(text)?.[1]
  if (searched !== undefined) return [searched]
  if (![...FAMILIES, ...STRUCTURES].includes(text)) return []
  return !WORDS.has(text) || isBesideKind(node) ? [text] : []
}

/** family === "normal", kind: "leaf", case "chain" of a switch over a kind, ["normal"].includes(family) */
function isBesideKind(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isBinaryExpression(parent)) return isKind(parent.left) || isKind(parent.right)
  if (ts.isPropertyAssignment(parent)) return /^(kind|family)$/.test(parent.name.getText())
  if (ts.isCaseClause(parent)) return isKind(parent.parent.parent.expression)
  const call = parent.parent?.parent
  return (
    ts.isArrayLiteralExpression(parent) &&
    call !== undefined &&
    ts.isCallExpression(call) &&
    call.arguments.some(isKind)
  )
}

function isKind(node: ts.Node): boolean {
  return /(^|[.?])(kind|family)$/.test(node.getText())
}

function isImport({ parent }: ts.Node): boolean {
  return ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)
}

function scriptOf(text: string): string {
  return /<script[^>]*>([\s\S]*?)<\/script>/.exec(text)?.[1] ?? ""
}

function namesInMarkup(text: string): Hit[] {
  const markup = text.replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, part => part.replace(/[^\n]/g, ""))
  const beside = new RegExp(`\\b(?:kind|family) [!=]==? "(${[...FAMILIES, ...STRUCTURES].join("|")})"`, "g")
  return [...markup.matchAll(beside)].map(({ index, 1: name }) => ({
    line: markup.slice(0, index).split("\n").length,
    name,
  }))
}

function sources(): string[] {
  return readdirSync(join(ROOT, "packages"))
    .flatMap(name => {
      const src = `packages/${name}/src`
      return readdirSync(join(ROOT, src), { recursive: true, encoding: "utf8" }).map(path => `${src}/${path}`)
    })
    .map(path => path.replaceAll("\\", "/"))
    .filter(path => /\.(ts|svelte)$/.test(path) && !TESTS.test(path))
}

describe("names of families and structures", () => {
  const files = sources()

  test("stand in their own files alone", () => {
    expect(files.length).toBeGreaterThan(500)
    const found = files.flatMap(path => {
      const hits = namesIn(path, readFileSync(join(ROOT, path), "utf8"))
      return hits.length === (OTHERS[path] ?? 0)
        ? []
        : hits.map(
            ({ line, name }) => `${path}:${line}: names ${JSON.stringify(name)}. Ask its guide or its tree.`,
          )
    })
    expect(found).toEqual([])
    expect(Object.keys(OTHERS).filter(path => !files.includes(path))).toEqual([])
  })

  test.each([
    ['if (family === "gamma") draw()', "gamma"],
    ['const PLACES = { a: ["poisson"] }', "poisson"],
    ['switch (spec.kind) { case "chain": break }', "chain"],
    ['if (leaf.family !== "normal") skip()', "normal"],
    ['JSON.stringify(spec).includes(\'"kind":"network"\')', "network"],
    ['const spec = { kind: "leaf", columns }', "leaf"],
    ['["linear", "topics"].includes(part.family)', "linear,topics"],
  ])("a planted violation is found: %s", (text, names) => {
    expect(String(namesIn("cli/planted.ts", text).map(({ name }) => name))).toBe(names)
  })

  test("a planted violation in the markup of a component is found", () => {
    const markup =
      '<script lang="ts">let a = 1</script>\n{#if spec.family === "normal"}<b>{spec.kind === "leaf"}</b>{/if}'
    expect(namesIn("studio/Planted.svelte", markup).map(({ line, name }) => [line, name])).toEqual([
      [2, "normal"],
      [2, "leaf"],
    ])
  })

  test("other things of these names are none", () => {
    expect(
      namesIn("a.ts", 'const preset = { model: "linear" }; import a from "gamma"; section("topics")'),
    ).toEqual([])
  })
})
