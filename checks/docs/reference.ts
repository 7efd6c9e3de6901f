/**
 * The API reference: every public name of the packages, its signature and its comment, from the source. `npm run docs:api` writes
 * docs/api.md; a test holds that it is what the source says, and that nothing public lacks a comment.
 *
 * What a name is said to be: its own comment; else, for the one function a file is named after, the file's heading; else, for the options of
 * a function, "Options of `name`"; else what stands in says.ts.
 */
import { basename, join } from "node:path"
import ts from "typescript"
import { ROOT, read } from "./pages.ts"
import { SAYS } from "./says.ts"

/** What can be imported, and where it is declared. */
export const MODULES: Readonly<Record<string, string>> = {
  suffice: "packages/suffice/src/index.ts",
  "suffice/learn": "packages/suffice/src/learn.ts",
  "suffice/measure": "packages/suffice/src/measure.ts",
  "suffice/describe": "packages/suffice/src/describe.ts",
  "suffice/structure": "packages/suffice/src/structure.ts",
  "suffice/baselines": "packages/suffice/src/baselines.ts",
  "suffice/text": "packages/suffice/src/text.ts",
  "suffice/kernels": "packages/suffice/src/kernels.ts",
  "suffice/predict": "packages/suffice/src/predict.ts",
  "suffice/worker": "packages/suffice/src/worker.ts",
  "suffice/contract": "packages/suffice/src/contract.ts",
  "suffice-laws": "packages/laws/src/index.ts",
  "suffice-laws/probe": "packages/laws/src/probe.ts",
  "suffice-files": "packages/files/src/index.ts",
  "suffice-files/columns": "packages/files/src/columns.ts",
  "suffice-files/formats": "packages/files/src/formats.ts",
  "suffice-files/networks": "packages/files/src/networks.ts",
  "suffice-files/text": "packages/files/src/text.ts",
  "suffice-spark": "packages/spark/src/index.ts",
}

export interface Entry {
  readonly module: string
  readonly name: string
  readonly says: string
  readonly code: string
}

/** Every public name, by module and then by name. */
export function entries(): Entry[] {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT)
  const program = ts.createProgram(
    Object.values(MODULES).map(path => join(ROOT, path)),
    options,
  )
  const checker = program.getTypeChecker()
  return Object.entries(MODULES).flatMap(([module, path]) => {
    const source = program.getSourceFile(join(ROOT, path))!
    const names = checker.getExportsOfModule(checker.getSymbolAtLocation(source)!)
    const all = new Set(names.map(({ name }) => name))
    return names.map(symbol => entry(module, symbol, checker, all)).sort((a, b) => order(a.name, b.name))
  })
}

const order = (a: string, b: string): number => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)

function entry(module: string, symbol: ts.Symbol, checker: ts.TypeChecker, all: ReadonlySet<string>): Entry {
  const { name } = symbol
  const original = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const node = original.declarations![0]
  return { module, name, says: commentOf(node) || fallback(name, node, all), code: codeOf(name, node) }
}

/** The comment above a declaration, in one line. */
function commentOf(node: ts.Node): string {
  const carrier = ts.isVariableDeclaration(node) ? node.parent.parent : node
  const { text } = carrier.getSourceFile()
  const above = ts.getLeadingCommentRanges(text, carrier.getFullStart()) ?? []
  const last = above.filter(({ pos }) => text.startsWith("/**", pos)).pop()
  // a heading of the file stands first, and imports follow it
  if (!last || (last.pos === 0 && isHeading(carrier))) return ""
  return plain(text.slice(last.pos, last.end))
}

/** Does a comment at the very beginning of the file belong to the file? Unless it stands directly above the declaration. */
function isHeading(node: ts.Node): boolean {
  const { text } = node.getSourceFile()
  return /\*\/\n\s*\n/.test(text.slice(0, node.getStart()))
}

function fallback(name: string, node: ts.Node, all: ReadonlySet<string>): string {
  const file = node.getSourceFile()
  const named = basename(file.fileName, ".ts").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  if (named === name) {
    const heading = /^\/\*\*[\s\S]*?\*\//.exec(file.text)?.[0] ?? ""
    const [first] = plain(heading)
      .replace(/^`[^`]*`:? /, "")
      .split(/(?<=[.:])\s/)
    return first.replace(/^./, letter => letter.toUpperCase()).replace(/:$/, ".")
  }
  const function_ = name.replace(/Options$/, "").replace(/^./, letter => letter.toLowerCase())
  if (name.endsWith("Options") && all.has(function_)) return `Options of \`${function_}\`.`
  if (name.endsWith("Kind") && all.has(name.slice(0, -4)))
    return `What \`auto\`, \`load\` and the laws need to know of \`${name.slice(0, -4)}\`.`
  return SAYS[name] ?? ""
}

function plain(comment: string): string {
  return comment
    .replace(/^\/\*\*|\*\/$/g, "")
    .split("\n")
    .map(line => line.replace(/^\s*\* ?/, "").trim())
    .join(" ")
    .replace(/\s+/g, " ")
    .trim()
}

/** The declaration without what it does: signatures, members with their comments. */
function codeOf(name: string, node: ts.Node): string {
  if (ts.isFunctionDeclaration(node)) return `${name}${signature(node)}`
  if (ts.isVariableDeclaration(node)) {
    const type = node.type ? `: ${text(node.type)}` : ""
    return `const ${name}${type}`
  }
  if (ts.isClassDeclaration(node)) return classCode(name, node)
  return text(node).replace(/^export /, "")
}

function classCode(name: string, node: ts.ClassDeclaration): string {
  const members = node.members.filter(member => isPublic(member) && !ts.isConstructorDeclaration(member))
  const lines = members.map(member => {
    const comment = commentOf(member)
    const shown = ts.isMethodDeclaration(member)
      ? `${member.name.getText()}${signature(member)}`
      : text(member)
          .replace(/ =[\s\S]*$/, "")
          .replace(/^(override |readonly )+/, "")
    return `${comment ? `  /** ${comment} */\n` : ""}  ${shown}`
  })
  const heritage = node.heritageClauses?.map(clause => ` ${clause.getText()}`).join("") ?? ""
  return `class ${name}${heritage} {\n${lines.join("\n")}\n}`
}

function isPublic(member: ts.ClassElement): boolean {
  const hidden = ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)
  const { name } = member
  // a symbol is for the platform, which asks by it
  return !hidden && !(name && (ts.isPrivateIdentifier(name) || ts.isComputedPropertyName(name)))
}

/** (model: Model, options?: FitOptions): Promise<Fitted>, in the words of the source; type parameters and `this` are left out. */
function signature(node: ts.FunctionDeclaration | ts.MethodDeclaration): string {
  const parameters = node.parameters
    .filter(({ name }) => name.getText() !== "this")
    .map(({ name, type, initializer, questionToken, dotDotDotToken }) => {
      const called = ts.isIdentifier(name) ? name.text : "options"
      const optional = initializer || questionToken ? "?" : ""
      return `${dotDotDotToken ? "..." : ""}${called}${optional}${type ? `: ${text(type)}` : ""}`
    })
  return `(${parameters.join(", ")})${node.type ? `: ${text(node.type)}` : ""}`
}

function text(node: ts.Node): string {
  return node.getText().replace(/\n {2,}\n/g, "\n")
}

/** What a module is for: the first paragraph of its heading. */
function purpose(module: string): string {
  const heading = /^\/\*\*[\s\S]*?(?=\n \*\n|\*\/)/.exec(read(MODULES[module]))?.[0] ?? ""
  return plain(heading)
    .replace(/^`[^`]*`: /, "")
    .replace(/^./, letter => letter.toUpperCase())
}

/** The functions of a module, with links: those of the families' kinds are many, and found beside their family. */
function contents(module: string, all: readonly Entry[]): string {
  const mine = all.filter(entry => entry.module === module && /^[a-z]/.test(entry.name))
  const names = mine.filter(({ name }) => !name.endsWith("Kind")).map(({ name }) => `\`${name}\``)
  return `| [\`${module}\`](#${module.replace("/", "")}) | ${names.join(", ")} |`
}

export function reference(all: readonly Entry[] = entries()): string {
  const modules = Object.keys(MODULES)
  const parts = modules.map(module => {
    const mine = all.filter(entry => entry.module === module)
    const list = mine.map(
      ({ name, says, code }) => `### ${name}\n\n${says}\n\n\`\`\`typescript\n${code}\n\`\`\``,
    )
    return `## \`${module}\`\n\n${purpose(module)}\n\n${list.join("\n\n")}`
  })
  return `# API reference

Every public name, from the source. Written by \`npm run docs:api\`; a test holds that it is up to date.

| import | functions |
|---|---|
${modules.map(module => contents(module, all)).join("\n")}

${parts.join("\n\n")}
`
}
