/**
 * Learners name no kind of model: no property by which leaves, parts, nodes or tables differ, no family and no structure.
 * Read from the syntax tree of every file in learners/; comments are free. Each rule is shown planted violations.
 */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { describe, expect, test } from "vitest"
import { families } from "../../packages/suffice/src/families/list.ts"
import { largeStructures } from "../../packages/suffice/src/structures/large.ts"
import { kindsWith } from "../../packages/suffice/src/structures/list.ts"

const SRC = join(dirname(fileURLToPath(import.meta.url)), "../../packages/suffice/src")

/** Contracts of the model's side, and of the learner's side; names in both are free. */
const MODEL = [
  "contract/leaf.ts",
  "contract/node.ts",
  "contract/part.ts",
  "engine/lay.ts",
  "engine/learnable.ts",
]
const LEARNER = [
  ...["columns", "dice", "learnable", "learner", "moving", "pace", "report", "round"].map(
    file => `contract/${file}.ts`,
  ),
  "kernels/temperature.ts",
]
/** Former members of Learnable, and answers that a kind of model would add to it. */
const FORMER = [
  ...["certain", "hidesInLeaves", "countSeen", "isSparse", "isChained", "isOfSteps", "starvedInside"],
  ...["onlyTagsHide", "isTagged", "hasTopics", "hasWords", "isNetwork"],
]

const learners = readdirSync(join(SRC, "learners"))
  .filter(file => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map(file => `learners/${file}`)

/** The members of all interfaces and classes of a file. */
function membersOf(file: string): string[] {
  const tree = ts.createSourceFile(file, readFileSync(join(SRC, file), "utf8"), ts.ScriptTarget.ESNext, true)
  const members: string[] = []
  tree.forEachChild(function visit(node) {
    const isMember =
      ts.isPropertySignature(node) || ts.isMethodSignature(node) || ts.isMethodDeclaration(node)
    if (isMember && ts.isIdentifier(node.name)) members.push(node.name.text)
    node.forEachChild(visit)
  })
  return members
}

const shared = new Set([...[...LEARNER, ...learners].flatMap(membersOf), "length"])
const properties = new Set([...MODEL.flatMap(membersOf).filter(name => !shared.has(name)), ...FORMER])
const kinds = new Set(
  [...families.map(({ name }) => name), ...kindsWith(largeStructures).keys()].map(name => name.toLowerCase()),
)

/** `hasWordSet` contains the words has, word, set and their runs. */
function runsOf(identifier: string): string[] {
  const words = identifier.split(/(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+/).map(word => word.toLowerCase())
  return words.flatMap((_, from) => words.slice(from).map((_, n) => words.slice(from, from + n + 1).join("")))
}

/** Accessed and destructured properties. */
function propertyAt(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  if (ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression))
    return node.argumentExpression.text
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined
  const name = node.propertyName ?? node.name
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : undefined
}

function violations(path: string, text: string): string[] {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
  const lines: string[] = []
  tree.forEachChild(function visit(node) {
    const at = `${path}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}`
    const property = propertyAt(node)
    if (property !== undefined && properties.has(property))
      lines.push(`${at}: ${property} is a property of a kind of model`)
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const kind = runsOf(node.text).find(run => kinds.has(run))
      if (kind) lines.push(`${at}: ${node.text} names ${kind}`)
    }
    if (ts.isStringLiteral(node) && kinds.has(node.text.toLowerCase()))
      lines.push(`${at}: "${node.text}" names ${node.text.toLowerCase()}`)
    node.forEachChild(visit)
  })
  return lines
}

test("the contracts, the families and the structures give the names to look for", () => {
  for (const name of ["sparse", "walk", "stepPlace", "topics", "hidden", "switches", "inMemory"])
    expect(properties).toContain(name)
  for (const name of ["solve", "spread", "sweep", "prior", "start"]) expect(properties).not.toContain(name)
  for (const name of ["topics", "wordset", "normal", "mixture", "chain", "network"])
    expect(kinds).toContain(name)
})

test("no learner names a kind of model", () => {
  expect(learners.length).toBeGreaterThan(15)
  const lines = learners.flatMap(path => violations(path, readFileSync(join(SRC, path), "utf8")))
  expect(lines).toEqual([])
})

describe("a planted violation is found", () => {
  test.each([
    ["a former member", "if (problem.hidesInLeaves) passes = 3", "hidesInLeaves is a property"],
    ["a member of a leaf, destructured", "const { sparse } = part.leaf", "sparse is a property"],
    ["a member under another name", "const { walk: recursion } = node", "walk is a property"],
    ["a member in brackets", 'if (problem["certain"]) count()', "certain is a property"],
    [
      "a member of a parameter",
      "const isEasy = ({ isChained }: Target) => !isChained",
      "isChained is a property",
    ],
    ["a member of a table", "const { onlyTagsHide } = table", "onlyTagsHide is a property"],
    ["a family in quotes", 'if (family === "topics") epochs = 20', '"topics" names topics'],
    ["a family in an identifier", "const STEPS_OF_TOPICS = 400", "STEPS_OF_TOPICS names topics"],
    ["a family of two words", "const wordSetRho = 2", "wordSetRho names wordset"],
    ["a structure in quotes", 'const isTagger = spec.kind === "chain"', '"chain" names chain'],
    ["a structure in an identifier", "const isNetworkTarget = true", "isNetworkTarget names network"],
  ])("%s", (_name, text, sentence) => {
    expect(violations("learners/planted.ts", text).join("\n")).toContain(`learners/planted.ts:1: ${sentence}`)
  })

  test("on its own line, and comments are free", () => {
    const text = "// topics start with passes\n\nconst { certain } = problem\n"
    expect(violations("learners/planted.ts", text)).toEqual([
      "learners/planted.ts:3: certain is a property of a kind of model",
    ])
  })
})
