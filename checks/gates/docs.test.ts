/**
 * Documentation runs. Every `ts` fence of README.md, ARCHITECTURE.md, docs/ and the READMEs of the packages is a module
 * of its own: it is type-checked, and executed from the root of the repository.
 *
 *     ts               type-checked and run
 *     ts continues     the same, after the fences above it in the file, back to one that does not continue
 *     ts no-run        type-checked only
 *     ts needs NAME    left alone until a package of this repository exports NAME
 *
 * `// → text` after an expression, a `const` or a `console.log(…)`, on its line or on the lines below, states what is
 * printed there, as console.log prints it. White space counts as one space; a text that ends in … is a beginning.
 *
 *     fitted.predict(rows)[0].value     // → Adelie
 *     console.log(accuracy)             // → 0.97…
 */
import { spawn } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Plugin } from "esbuild"
import ts from "typescript"
import { beforeAll, describe, expect, test } from "vitest"
import { sources } from "../testing/sources.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const THREADS = join(ROOT, "packages/suffice/src/threads")
const LIMIT = 600_000

/** A markdown file: its path from the root, and its text. */
interface Page {
  readonly path: string
  readonly text: string
}

/** One fence as a module. Its lines keep their numbers: all other lines are blank. */
interface Fence {
  readonly page: string
  readonly line: number
  readonly run: boolean
  readonly code: string
}

interface Claim {
  readonly line: number
  readonly text: string
}

function fencesOf({ path, text }: Page): Fence[] {
  const lines = text.split("\n")
  const fences: Fence[] = []
  let kept: string[] = lines.map(() => "")
  for (let i = 0; i < lines.length; i++) {
    const opening = /^(\s*)(`{3,})(\w*)\s*(.*)$/.exec(lines[i])
    if (!opening) continue
    const [, indent, ticks, language, info] = opening
    const end = lines.findIndex((line, j) => j > i && line.trim() === ticks)
    if (end < 0) throw new Error(`${path}:${i + 1}: the fence is never closed.`)
    const words = info.trim().split(/\s+/)
    const needed = words.includes("needs") ? words[words.indexOf("needs") + 1] : undefined
    if (language === "ts" && (needed === undefined || isExported(needed))) {
      const run = !words.includes("no-run")
      if (!words.includes("continues")) kept = lines.map(() => "")
      // it contains the fences before it and their claims, so they need not run on their own
      else if (run) fences.pop()
      for (let j = i + 1; j < end; j++) kept[j] = lines[j].slice(indent.length)
      fences.push({ page: path, line: i + 1, run, code: kept.join("\n") })
    }
    i = end
  }
  return fences
}

/** Is this a public name of a package? Pages may be written before what they describe. */
function isExported(name: string): boolean {
  const listed = new RegExp(`[{,]\\s*(?:type\\s+)?${name}\\s*[,}]`)
  return Object.values(sources()).some(path => listed.test(readFileSync(path, "utf8")))
}

/** What is wrong with these pages: "file:line: sentence". */
async function problemsOf(pages: readonly Page[]): Promise<string[]> {
  const fences = pages.flatMap(fencesOf)
  if (fences.length === 0) return []
  const cache = join(ROOT, "node_modules/.cache")
  mkdirSync(cache, { recursive: true })
  // inside the repository, so that its packages can be imported
  const folder = mkdtempSync(join(cache, "docs-"))
  try {
    const typed = typeProblems(folder, fences)
    const ran = await runProblems(folder, fences)
    return [...typed, ...ran]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function typeProblems(folder: string, fences: readonly Fence[]): string[] {
  const files = new Map(fences.map((fence, f) => [join(folder, `fence-${f}.ts`), fence]))
  for (const [path, { code }] of files) writeFileSync(path, code)
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT)
  const program = ts.createProgram([...files.keys()], {
    ...options,
    noUnusedLocals: false,
    noUnusedParameters: false,
    moduleDetection: ts.ModuleDetectionKind.Force,
  })
  return [...files].flatMap(([path, { page }]) => {
    const source = program.getSourceFile(path)!
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    return found.map(({ start = 0, messageText }) => {
      const { line } = source.getLineAndCharacterOfPosition(start)
      return `${page}:${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`
    })
  })
}

async function runProblems(folder: string, fences: readonly Fence[]): Promise<string[]> {
  const asked = fences.filter(({ run }) => run).map(fence => ({ fence, ...rewritten(fence) }))
  asked.forEach(({ code }, f) => {
    writeFileSync(join(folder, `run-${f}.ts`), code)
  })
  const problems = asked.flatMap(({ problems }) => problems)
  const out = join(folder, "out")
  mkdirSync(out)
  // beside the program, as in suffice-files
  symlinkSync(join(ROOT, "packages/files/examples"), join(folder, "examples"))
  writeFileSync(join(out, "package.json"), '{ "type": "module" }')
  await build({
    // the worker is next to the program, as in the package
    entryPoints: [...asked.map((_, f) => join(folder, `run-${f}.ts`)), join(THREADS, "node-worker.ts")],
    entryNames: "[name]",
    outdir: out,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    conditions: ["source"],
    sourcemap: "inline",
    plugins: [ours],
    logLevel: "silent",
  })
  const queue = asked.map(({ fence, claims }, f) => ({ fence, claims, path: join(out, `run-${f}.js`) }))
  const workers = Array.from({ length: availableParallelism() }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      problems.push(...(await execute(next.path, next.fence, next.claims)))
    }
  })
  await Promise.all(workers)
  return problems
}

/** The packages of this repository are bundled from their source; all others are left to Node. */
const ours: Plugin = {
  name: "ours",
  setup(builder) {
    const names = readdirSync(join(ROOT, "packages"))
      .map(name => join(ROOT, "packages", name, "package.json"))
      .filter(path => existsSync(path))
      .map(path => JSON.parse(readFileSync(path, "utf8")).name as string)
    builder.onResolve({ filter: /^#workers$/ }, () => ({ path: join(THREADS, "node.ts") }))
    builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === "entry-point" || names.some(name => path === name || path.startsWith(`${name}/`))
        ? undefined
        : { path, external: true },
    )
  },
}

/** The fence with every claimed statement reporting what it prints. */
function rewritten({ page, code }: Fence): { code: string; claims: Claim[]; problems: string[] } {
  const tree = ts.createSourceFile("fence.ts", code, ts.ScriptTarget.ESNext, true)
  const claims: Claim[] = []
  const edits: { from: number; to: number; text: string }[] = []
  const lineOf = (at: number): number => tree.getLineAndCharacterOfPosition(at).line + 1
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    if (!ts.isExpressionStatement(node) && !ts.isVariableStatement(node)) return
    const said = claimAfter(code, node.getEnd())
    if (said === undefined) return
    const line = lineOf(node.getStart())
    claims.push({ line, text: said })
    if (ts.isVariableStatement(node)) {
      const names = node.declarationList.declarations.map(({ name }) => name.getText())
      edits.push({ from: node.getEnd(), to: node.getEnd(), text: `;__print(${line}, ${names.join(", ")});` })
      return
    }
    const { expression } = node
    const call = ts.isCallExpression(expression) && expression.expression.getText() === "console.log"
    const values = call ? expression.arguments.map(value => value.getText()).join(", ") : expression.getText()
    edits.push({ from: node.getStart(), to: node.getEnd(), text: `;__print(${line}, ${values});` })
  }
  visit(tree)
  let text = code
  for (const { from, to, text: put } of edits.sort((a, b) => b.from - a.from)) {
    text = text.slice(0, from) + put + text.slice(to)
  }
  const marks = code.split("\n").filter(line => /\/\/ →/.test(line)).length
  const used = claims.reduce((sum, { text }) => sum + text.split("\n").length, 0)
  const problems =
    marks === used
      ? []
      : [`${page}: ${marks - used} of its "// →" stand after no expression, const or console.log(…).`]
  return { code: text, claims, problems }
}

/** The `// →` comments that follow, on this line and those below. */
function claimAfter(code: string, end: number): string | undefined {
  const found: string[] = []
  const next = /[ \t;]*(?:\n[ \t]*)?\/\/ →[ \t]*(.*)/y
  next.lastIndex = end
  for (let match = next.exec(code); match; match = next.exec(code)) found.push(match[1])
  return found.length > 0 ? found.join("\n") : undefined
}

/** Loaded before the fence: what is printed, by line, is written to the fourth channel at the end. */
const PRELOAD = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from "node:fs"
  import { format } from "node:util"
  const printed = {}
  globalThis.__print = (line, ...values) => (printed[line] ??= []).push(format(...values))
  process.on("exit", () => writeSync(3, JSON.stringify(printed)))
`)}`

async function execute(path: string, { page, line }: Fence, claims: readonly Claim[]): Promise<string[]> {
  const child = spawn(process.execPath, ["--enable-source-maps", "--import", PRELOAD, path], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    timeout: LIMIT,
    env: { ...process.env, NO_COLOR: "1" },
  })
  let wrong = ""
  let told = ""
  child.stderr!.on("data", text => {
    wrong += text
  })
  child.stdio[3]!.on("data", text => {
    told += text
  })
  const code = await new Promise(resolve => child.on("close", resolve))
  if (code !== 0) {
    return [
      `${page}:${line}: the fence ${code === null ? `ran longer than ${LIMIT} ms` : "fails"}.\n${wrong.trim()}`,
    ]
  }
  const printed: Record<string, string[]> = JSON.parse(told)
  return claims.flatMap(claim => {
    const is = (printed[claim.line] ?? []).join("\n")
    if (matches(is, claim.text)) return []
    return [
      `${page}:${claim.line}: prints ${JSON.stringify(is)}, where ${JSON.stringify(claim.text)} is stated.`,
    ]
  })
}

function matches(is: string, stated: string): boolean {
  const plain = (text: string): string => text.replace(/\s+/g, " ").trim()
  const wanted = plain(stated)
  return wanted.endsWith("…") ? plain(is).startsWith(wanted.slice(0, -1).trimEnd()) : plain(is) === wanted
}

function pages(): Page[] {
  const below = (folder: string): string[] =>
    existsSync(join(ROOT, folder))
      ? readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
          .filter(path => path.endsWith(".md") && !path.includes("node_modules"))
          .map(path => join(folder, path))
      : []
  const readmes = readdirSync(join(ROOT, "packages")).map(name => join("packages", name, "README.md"))
  return ["README.md", "ARCHITECTURE.md", ...readmes, ...below("docs")]
    .filter(path => existsSync(join(ROOT, path)))
    .map(path => ({ path, text: readFileSync(join(ROOT, path), "utf8") }))
}

const TICKS = "```"
const fence = (info: string, ...lines: string[]): string => [TICKS.concat(info), ...lines, TICKS].join("\n")

/** A page on which nothing is wrong. */
const RIGHT: Page = {
  path: "right.md",
  text: [
    "# A page",
    fence("ts", 'import { gaussian } from "suffice"', "gaussian().name // → gaussian"),
    fence(
      "ts",
      "const sum = 0.1 + 0.2",
      "// → 0.3000…",
      "console.log(sum, [1, 2])",
      "// → 0.30000000000000004 [ 1, 2 ]",
    ),
    fence(
      "ts continues",
      "for (const i of [1, 2]) {",
      "  console.log(sum > i) // → false",
      "  // → false",
      "}",
    ),
    fence("ts no-run", "declare const file: string", "throw new Error(file)"),
    fence("ts needs somethingElse", 'import { somethingElse } from "suffice"'),
    fence("sh", "this is no TypeScript"),
  ].join("\n\n"),
}

/** Pages with one mistake each. */
const WRONG: readonly Page[] = [
  {
    path: "type.md",
    text: `text\n\n${fence("ts no-run", "const a: number = 1", "const b: string = a")}`,
  },
  { path: "value.md", text: fence("ts", "", "1 + 1 // → 3", "console.log(0.5) // → 0.5") },
  { path: "throw.md", text: fence("ts", 'throw new Error("no such file")') },
  { path: "never.md", text: fence("ts", "if (Date.now() < 0) {", "  console.log(1) // → 1", "}") },
  { path: "astray.md", text: fence("ts", "// → 1", "const a = 1") },
  { path: "public.md", text: fence("ts no-run", 'import { nothing } from "suffice"') },
  { path: "needs.md", text: fence("ts needs gaussian", "const a: string = 1") },
]

// planted pages and ours are compiled together: reading the library takes longest
let problems: string[] = []
beforeAll(async () => {
  problems = await problemsOf([...pages(), RIGHT, ...WRONG])
})
const isAbout = (problem: string, all: readonly Page[]): boolean =>
  all.some(({ path }) => problem.startsWith(`${path}:`))

test("every example of the documentation compiles, runs, and prints what it says", () => {
  expect(problems.filter(problem => !isAbout(problem, [RIGHT, ...WRONG]))).toEqual([])
})

describe("the runner", () => {
  test("passes what is right", () => {
    expect(problems.filter(problem => isAbout(problem, [RIGHT]))).toEqual([])
  })

  test("names the file and the line of what is wrong", () => {
    const found = problems.filter(problem => isAbout(problem, WRONG))
    expect(found.map(text => text.split("\n")[0]).sort()).toMatchInlineSnapshot(`
      [
        "astray.md: 1 of its "// →" stand after no expression, const or console.log(…).",
        "needs.md:2: Type 'number' is not assignable to type 'string'.",
        "never.md:3: prints "", where "1" is stated.",
        "public.md:2: Module '"suffice"' has no exported member 'nothing'.",
        "throw.md:1: the fence fails.",
        "type.md:5: Type 'number' is not assignable to type 'string'.",
        "value.md:3: prints "2", where "3" is stated.",
      ]
    `)
  })
})
