/**
 * Length gate: a function has at most 60 lines, a class at most 250.
 *
 * Lines are counted by the TypeScript compiler from first to last, nested functions included. Comments buy no exception.
 */
import { readdirSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import ts from "typescript"
import { expect, test } from "vitest"

const LONGEST = 60
const LONGEST_CLASS = 250

/** Single algorithms that calls would blur or slow down, with their exact lines: at most ten. */
const WHOLE: Readonly<Record<string, number>> = {
  "packages/suffice/src/text/scan.ts scan": 84,
  "packages/suffice/src/structures/chain/soft.ts descend": 64,
}

/** Number of long functions and classes still to cut, by folder. Only lower these. */
const LEFT: Readonly<Record<string, number>> = {
  cli: 1,
  "cli/commands": 3,
  "cli/report": 3,
  laws: 5,
  "studio/bench": 1,
  "suffice/families": 8,
  "suffice/structures": 7,
}

interface Long {
  readonly path: string
  readonly name: string
  readonly lines: number
}

function longIn(path: string, text: string): Long[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const lineOf = (at: number): number => file.getLineAndCharacterOfPosition(at).line
  const long: Long[] = []
  const visit = (node: ts.Node): void => {
    const isClass = ts.isClassLike(node)
    const isFunction =
      (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) ||
      ts.isClassStaticBlockDeclaration(node)
    const lines = lineOf(node.getEnd()) - lineOf(node.getStart(file)) + 1
    if ((isFunction && lines > LONGEST) || (isClass && lines > LONGEST_CLASS))
      long.push({ path, name: `${path} ${nameOf(node)}`, lines })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return long
}

function nameOf(node: ts.Node): string {
  const { name } = node as ts.NamedDeclaration
  if (name) return name.getText()
  if (ts.isConstructorDeclaration(node)) return "constructor"
  const { parent } = node
  const isNamed = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
  return isNamed ? parent.name.getText() : "(anonymous)"
}

function sources(): string[] {
  return readdirSync("packages").flatMap(name =>
    readdirSync(`packages/${name}/src`, { recursive: true, encoding: "utf8" })
      .filter(path => path.endsWith(".ts") && !/\.(test|test-d|d)\.ts$|(^|\/)testing\//.test(path))
      .map(path => `packages/${name}/src/${path}`),
  )
}

test("functions and classes are short", () => {
  const all = sources().flatMap(path => longIn(path, readFileSync(path, "utf8")))
  const whole = Object.fromEntries(
    all.filter(({ name }) => name in WHOLE).map(({ name, lines }) => [name, lines]),
  )
  expect(whole, "the lines of WHOLE have changed: write the new ones").toEqual(WHOLE)
  expect(Object.keys(WHOLE).length).toBeLessThanOrEqual(10)
  const others = all.filter(({ name }) => !(name in WHOLE))
  const left: Record<string, number> = {}
  for (const { path } of others) left[folderOf(path)] = (left[folderOf(path)] ?? 0) + 1
  const list = others.map(({ name, lines }) => `${name}: ${lines} lines`)
  expect(left, `cut these, or lower LEFT:\n${list.join("\n")}`).toEqual(LEFT)
})

/** The package, and the first folder below its `src`. */
function folderOf(path: string): string {
  const [, name, , first] = dirname(path).split("/")
  return first ? `${name}/${first}` : name
}

const body = (lines: number): string => "  f()\n".repeat(lines - 2)

test.each([
  ["a function", `function g() {\n${body(61)}}`],
  ["an arrow", `const g = () => {\n${body(61)}}`],
  ["a method", `const o = { g() {\n${body(61)}} }`],
  ["a getter of a class", `class C { get g() {\n${body(61)}} }`],
  ["a constructor", `class C { constructor() {\n${body(61)}} }`],
  ["a static block", `class C { static {\n${body(61)}} }`],
  ["one with an excuse", `/** Long because it is a table. */\nfunction g() {\n${body(61)}}`],
  ["a module in disguise", `function g() {\n${"  function h() {\n    f()\n  }\n".repeat(20)}}`],
  ["a class", `class C {\n${"  a = 1\n".repeat(249)}}`],
])("%s that is too long is found", (_, text) => {
  expect(longIn("a.ts", text)).toHaveLength(1)
})

test.each([
  ["a function of 60 lines", `function g() {\n${body(60)}}`],
  ["a long table", `const TABLE = {\n${"  a: 1,\n".repeat(400)}}`],
  ["a comment above", `/**\n${" * a\n".repeat(100)} */\nfunction g() {}`],
])("%s is not", (_, text) => {
  expect(longIn("a.ts", text)).toEqual([])
})
