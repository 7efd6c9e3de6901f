/** docs/errors.md speaks of every code there is, and of no other. */
import ts from "typescript"
import { describe, expect, test } from "vitest"
import { EXIT, SIGNALS } from "../../packages/cli/src/failure.ts"
import { read } from "./pages.ts"

const page = read("docs/errors.md")
const [library, files, spark, command, warnings] = page.split(/^## /m).slice(1)

/** The words of the union that a type of this name is, or a member `code` of an interface of this name has. */
function union(path: string, name: string): string[] {
  const words: string[] = []
  const gather = (type: ts.TypeNode | undefined): void => {
    if (type && ts.isUnionTypeNode(type)) type.types.forEach(gather)
    else if (type && ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal))
      words.push(type.literal.text)
  }
  for (const node of ts.createSourceFile(path, read(path), ts.ScriptTarget.ESNext).statements) {
    if (ts.isTypeAliasDeclaration(node) && node.name.text === name) gather(node.type)
    if (!ts.isInterfaceDeclaration(node) || node.name.text !== name) continue
    for (const member of node.members) {
      const isCode =
        ts.isPropertySignature(member) && ts.isIdentifier(member.name) && member.name.text === "code"
      if (isCode) gather(member.type)
    }
  }
  return words.sort()
}

const headings = (text: string): string[] =>
  [...text.matchAll(/^### `([\w-]+)`/gm)].map(match => match[1]).sort()
const rows = (text: string): string[] =>
  [...text.matchAll(/^\| `([\w-]+)` \|/gm)].map(match => match[1]).sort()

describe("every code has its place in docs/errors.md", () => {
  test("of SufficeError", () => {
    const codes = union("packages/suffice/src/errors.ts", "ErrorCode")
    expect(codes).toContain("cell")
    expect(headings(library)).toEqual(codes)
  })

  test("of FileError", () => {
    const codes = union("packages/files/src/errors.ts", "FileErrorCode")
    expect(codes).toContain("path")
    expect(headings(files)).toEqual(codes)
  })

  test("of SparkError", () => {
    const codes = union("packages/spark/src/errors.ts", "SparkErrorCode")
    expect(codes).toContain("server")
    expect(headings(spark)).toEqual(codes)
  })

  test("of the command: exit codes, and codes under --json", () => {
    const codes = union("packages/cli/src/failure.ts", "FailureCode")
    expect(codes).toContain("usage")
    const told = [...read("packages/cli/src/failure.ts").matchAll(/code: "(\w+)"/g)].map(match => match[1])
    expect(told).toContain("fault")
    const exits = [...Object.values(EXIT), ...Object.values(SIGNALS).map(({ exit }) => exit)].map(String)
    expect(rows(command)).toEqual([...codes, ...told, ...exits].sort())
  })

  test("of diagnostics", () => {
    const codes = union("packages/suffice/src/contract/report.ts", "Diagnostic")
    expect(codes).toContain("not-converged")
    expect(rows(warnings)).toEqual(codes)
  })
})
