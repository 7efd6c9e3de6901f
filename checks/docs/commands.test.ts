/**
 * The commands of the documentation run. Every `sh` fence of README.md, docs/ and the READMEs of the packages is run line by line
 * against the built command, all of a page in one folder that holds nothing but node_modules/: pages work outside the repository. What needs
 * a shell is given to bash.
 *
 *     sh               run; a line may end in `# exits with 1`
 *     sh no-run        not run
 *     # → text         after a line: what it prints
 *     text             a fence below one of sh: what its last line prints
 *     js NAME          a file to save under that name
 *
 * Stated lines stand together in what is printed, in that order. A line … stands for any lines, a text that ends in … is a beginning.
 */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Built, builtCommand, type Ran, run } from "../../packages/cli/src/testing/built.ts"
import { type Hosts, hostsOf } from "../../packages/cli/src/testing/hosts.ts"
import { words } from "../../packages/cli/src/testing/manifest.ts"
import { type Page, pages, ROOT } from "./pages.ts"

interface Command {
  readonly line: number
  readonly shell: string
  readonly exit: number
  readonly stated: string[]
}

/** The commands of a page, in order, each with what it is said to print. */
function commandsOf({ path, text }: Page): Command[] {
  const lines = text.split("\n")
  const commands: Command[] = []
  for (let i = 0; i < lines.length; i++) {
    const opening = /^(`{3,})(\w*)\s*(.*)$/.exec(lines[i])
    if (!opening) continue
    const [, ticks, language, info] = opening
    const end = lines.findIndex((line, j) => j > i && line.trim() === ticks)
    if (end < 0) throw new Error(`${path}:${i + 1}: the fence is never closed.`)
    const body = lines.slice(i + 1, end)
    const previous = lines.slice(0, i).findLastIndex(line => line.trim() !== "")
    if (language === "sh" && info.trim() === "") commands.push(...shellLines(body, i + 2))
    else if (language === "text" && commands.length > 0 && lines[previous] === ticks)
      commands[commands.length - 1].stated.push(...body)
    i = end
  }
  return commands
}

function shellLines(body: readonly string[], first: number): Command[] {
  const commands: Command[] = []
  body.forEach((text, j) => {
    const told = /^# → ?(.*)$/.exec(text)
    if (told && commands.length > 0) commands[commands.length - 1].stated.push(told[1])
    if (text.trim() === "" || text.startsWith("#")) return
    const exit = Number(/# exits with (\d+)$/.exec(text)?.[1] ?? 0)
    commands.push({ line: first + j, shell: text, exit, stated: [] })
  })
  return commands
}

/** A command and its output, or a file that it goes to: a shell would do nothing else. */
const PLAIN = /^suffice (?<args>[^|<>;&$`"\\*~#]*?)(?: > (?<to>[\w.-]+))?(?:\s*# exits with \d+)?$/

/** By a process that stays where that is the same, else by a shell. */
async function ran(shell: string, cwd: string): Promise<Ran> {
  const plain = PLAIN.exec(shell)?.groups
  if (!plain) return run(built, { cwd, shell: `suffice() { $SUFFICE "$@"; }\n${shell}` })
  const said = await hosts.run({ cwd, args: words(plain.args) })
  if (plain.to === undefined) return said
  writeFileSync(join(cwd, plain.to), said.stdout)
  return { ...said, stdout: "" }
}

/** What is wrong with the commands of a page: "file:line: sentence". */
async function problemsOf(page: Page): Promise<string[]> {
  const commands = commandsOf(page)
  if (commands.length === 0) return []
  const folder = mkdtempSync(join(tmpdir(), "suffice-docs-"))
  const problems: string[] = []
  try {
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
    for (const [, name, text] of page.text.matchAll(/^```js (\S+)\n([\s\S]*?)^```$/gm))
      writeFileSync(join(folder, name), text)
    for (const { line, shell, exit, stated } of commands) {
      const said = await ran(shell, folder)
      if (said.exit !== exit)
        problems.push(`${page.path}:${line}: exits with ${said.exit}, not ${exit}.\n${said.stderr}`)
      const lost = missing(`${said.stdout}${said.stderr}`, stated)
      if (lost !== undefined)
        problems.push(
          `${page.path}:${line}: does not print ${JSON.stringify(lost)}.\n${said.stdout}${said.stderr}`,
        )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return problems
}

/** The first stated line that is not printed where it should be. */
function missing(printed: string, stated: readonly string[]): string | undefined {
  const lines = printed.split("\n").map(line => line.trimEnd())
  let from = 0
  for (const together of runs(stated)) {
    const isAt = (start: number): boolean =>
      together.every((wanted, j) => lines[start + j] !== undefined && matches(lines[start + j], wanted))
    const start = lines.findIndex((_, at) => at >= from && isAt(at))
    if (start < 0) return together.find(wanted => !lines.some(line => matches(line, wanted))) ?? together[0]
    from = start + together.length
  }
  return undefined
}

/** Stated lines that stand together: a line … parts them. */
function runs(stated: readonly string[]): string[][] {
  const found: string[][] = [[]]
  for (const line of stated) {
    if (line.trim() === "…") found.push([])
    else found[found.length - 1].push(line.trimEnd())
  }
  return found.filter(({ length }) => length > 0)
}

function matches(line: string, wanted: string): boolean {
  return wanted.endsWith("…") ? line.startsWith(wanted.slice(0, -1).trimEnd()) : line === wanted
}

let built: Built
let hosts: Hosts
beforeAll(async () => {
  built = await builtCommand()
  hosts = hostsOf(built, availableParallelism())
})
afterAll(() => {
  hosts?.end()
  built?.remove()
})

test("every command of the documentation runs, and prints what it says", async () => {
  const queue = pages()
  const problems: string[] = []
  const workers = Array.from({ length: availableParallelism() }, async () => {
    for (let page = queue.shift(); page; page = queue.shift()) problems.push(...(await problemsOf(page)))
  })
  await Promise.all(workers)
  expect(problems).toEqual([])
})

const TICKS = "```"
const fence = (info: string, ...lines: string[]): string => [TICKS.concat(info), ...lines, TICKS].join("\n")

describe("the runner", () => {
  test("passes what is right", async () => {
    const text = [
      fence("sh", "printf 'a\\nb c\\nd\\n'", "# → a", "# → b…", "node saved.mjs"),
      fence("text", "from a…"),
      fence("js saved.mjs", 'console.log("from a file")'),
      fence("sh", "printf '1\\n2\\n3\\n4\\n'"),
      fence("text", "…", "2", "…", "4"),
      fence("sh", "suffice nothing # exits with 1"),
      fence("text", "suffice: unknown command 'nothing'. See suffice --help, or suffice COMMAND --help."),
      fence("sh no-run", "exit 3"),
    ].join("\n\n")
    expect(await problemsOf({ path: "right.md", text })).toEqual([])
  })

  test("names the line of what is wrong", async () => {
    const text = [
      fence("sh", "printf '1\\n2\\n3\\n'", "# → 1", "# → 3", "printf '1\\n2\\n'", "# → 2", "# → …", "# → 1"),
      fence("sh", "suffice nothing", "true # exits with 1", "echo a"),
      fence("text", "b"),
    ].join("\n\n")
    const found = await problemsOf({ path: "wrong.md", text })
    expect(found.map(problem => problem.split("\n")[0])).toMatchInlineSnapshot(`
      [
        "wrong.md:2: does not print "1".",
        "wrong.md:5: does not print "1".",
        "wrong.md:12: exits with 1, not 0.",
        "wrong.md:13: exits with 0, not 1.",
        "wrong.md:14: does not print "b".",
      ]
    `)
  })
})
