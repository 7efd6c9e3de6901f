/** What npm would publish: built by the package's own script, into a folder of its own, and used from there. */
import { execFileSync } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, test } from "vitest"

const PACKAGE = join(dirname(fileURLToPath(import.meta.url)), "../..")
const ROOT = join(PACKAGE, "../..")
const CACHE = join(ROOT, "node_modules/.cache")

// A consumer: a folder with the package in its node_modules, as npm would leave it.
let consumer = ""
let installed = ""
let packed: string[] = []

beforeAll(() => {
  mkdirSync(CACHE, { recursive: true })
  consumer = mkdtempSync(join(CACHE, "package-"))
  installed = join(consumer, "node_modules/suffice")
  mkdirSync(installed, { recursive: true })
  run("npm", ["run", "--silent", "build", "--", "--outDir", join(installed, "dist")], PACKAGE)
  copyFileSync(join(PACKAGE, "package.json"), join(installed, "package.json"))
  // Only the package's own: npm takes nothing from the root of a workspace.
  for (const name of ["README.md", "LICENSE"]) {
    if (existsSync(join(PACKAGE, name))) copyFileSync(join(PACKAGE, name), join(installed, name))
  }
  const [{ files }] = JSON.parse(run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], installed))
  packed = files.map(({ path }: { path: string }) => path)
}, 60_000)

afterAll(() => rmSync(consumer, { recursive: true, force: true }))

/** The output of a command; on failure, what it printed. */
function run(command: string, args: readonly string[], cwd: string): string {
  try {
    const env = { ...process.env, npm_config_update_notifier: "false" }
    return execFileSync(command, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${command} ${args.join(" ")} fails:\n${stdout}${stderr}`)
  }
}

test("every file the exports name is packed, and no test", () => {
  const { exports } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"))
  const named = Object.values(exports as Record<string, Record<string, string>>).flatMap(entry =>
    Object.entries(entry).flatMap(([condition, path]) => (condition === "source" ? [] : [path.slice(2)])),
  )
  expect(named).toContain("dist/index.js")
  expect(named.filter(path => !packed.includes(path))).toEqual([])
  expect(
    packed.filter(path => /\.test\b|\.test-d\b|\/gates\/|\.ts$/.test(path) && !path.endsWith(".d.ts")),
  ).toEqual([])
})

test("it says what it is, and under which licence", () => {
  expect(["package.json", "README.md", "LICENSE"].filter(name => !packed.includes(name))).toEqual([])
})

const PROGRAM = `
import { classes, fit, gaussian, independent } from "suffice"
const model = classes("y", independent({ x: gaussian() }))
const fitted = await fit(model, [{ x: 1, y: "a" }, { x: 2, y: "a" }, { x: 8, y: "b" }, { x: 9, y: "b" }])
const [{ value }] = fitted.predict([{ x: 8.5 }])
console.log(value)
`

test("the built package learns and predicts in plain Node", () => {
  expect(run(process.execPath, ["--input-type=module", "-e", PROGRAM], consumer)).toBe("b\n")
})

test("its declarations type-check where it is used, without its source", () => {
  writeFileSync(join(consumer, "package.json"), '{ "type": "module" }')
  writeFileSync(join(consumer, "program.ts"), PROGRAM)
  const options = ["--ignoreConfig", "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext"]
  run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), ...options, "program.ts"], consumer)
})
