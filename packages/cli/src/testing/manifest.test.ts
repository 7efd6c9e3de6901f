/**
 * Every case of manifest/*.json, end to end against the built command: lines of shell by processes of their own, the others by two that stay.
 * `npm test` runs a third of them, by name, and test:all the others. SUFFICE_UPDATE=1 runs all, and writes down the texts of stderr.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isDue, numberOf } from "../../../../checks/tiers/share.ts"
import { type Built, builtCommand, penguinsFolder, type Ran, run } from "./built.ts"
import { type Hosts, hostsOf } from "./hosts.ts"
import { type Case, lay, words } from "./manifest.ts"

const MANIFEST = join(dirname(fileURLToPath(import.meta.url)), "../../manifest")
const updating = process.env.SUFFICE_UPDATE === "1"

let built: Built
let hosts: Hosts
const { path: shared, remove } = penguinsFolder()
beforeAll(async () => {
  built = await builtCommand()
  hosts = hostsOf(built, 2)
  const { exit, stderr } = await hosts.run({
    cwd: shared,
    args: words("fit penguins.csv --label species --model naive-bayes --learner em --seed 7 -o model.json"),
  })
  if (exit !== 0) throw new Error(stderr)
})
afterAll(() => {
  hosts?.end()
  built?.remove()
  remove()
})

function check(what: "stdout" | "stderr", text: string, expected: Case["stdout"]): void {
  if (expected === undefined) return
  if (typeof expected === "string") {
    expect(text, what).toBe(expected)
    return
  }
  for (const part of expected.has ?? []) expect(text, what).toContain(part)
  for (const part of expected.lacks ?? []) expect(text, what).not.toContain(part)
  if (expected.lines !== undefined) expect(text.split("\n").length - 1, what).toBe(expected.lines)
  if (expected.json) expect(JSON.parse(text), what).toMatchObject(expected.json)
}

async function play({ files, before = [], run: line, shell }: Case, folder: string): Promise<Ran> {
  lay(folder, files, shared)
  for (const first of before) {
    const { exit, stderr } = await hosts.run({ cwd: folder, args: words(first) })
    expect(exit, `${first}: ${stderr}`).toBe(0)
  }
  // the version is answered by the file of the command itself
  if (line === undefined || line === "--version")
    return run(built, { cwd: folder, shell: shell ?? `$SUFFICE ${line}` })
  return hosts.run({ cwd: folder, args: words(line) })
}

for (const file of readdirSync(MANIFEST).filter(name => name.endsWith(".json"))) {
  const cases = JSON.parse(readFileSync(join(MANIFEST, file), "utf8")) as Case[]
  const now = cases.filter(({ name }) => updating || isDue(numberOf(`${file}: ${name}`), 3, 1))
  if (now.length === 0) continue
  describe.concurrent(file.replace(/\.json$/, ""), () => {
    for (const one of now) {
      test.skipIf(one.needs !== undefined && one.needs !== process.platform)(one.name, async () => {
        const folder = mkdtempSync(join(tmpdir(), "suffice-case-"))
        try {
          const ran = await play(one, folder)
          if (updating && typeof one.stderr === "string") Object.assign(one, { stderr: ran.stderr })
          check("stderr", ran.stderr, one.stderr)
          check("stdout", ran.stdout, one.stdout)
          expect(ran.exit, ran.stderr).toBe(one.exit)
          if (one.folder) expect(readdirSync(folder).sort()).toEqual([...one.folder].sort())
          // a stack trace is for --debug
          if (!(one.run ?? one.shell ?? "").includes("--debug")) expect(ran.stderr).not.toMatch(/^\s+at /m)
        } finally {
          rmSync(folder, { recursive: true, force: true })
        }
      })
    }
    if (updating) afterAll(() => writeFileSync(join(MANIFEST, file), `${JSON.stringify(cases, null, 2)}\n`))
  })
}
