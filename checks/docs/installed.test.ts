/**
 * The packages as they are installed: built, packed by npm and unpacked into an empty folder outside of the repository, where the code and the
 * commands of a tutorial run. What others publish is linked from this repository, so that nothing is downloaded.
 */
import { execFileSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { transformSync } from "esbuild"
import { afterAll, beforeAll, expect, test } from "vitest"
import { builtPackage, type Package } from "../testing/built-packages.ts"
import { ROOT, read } from "./pages.ts"

const TUTORIAL = read("docs/tutorials/holes.md")
/** Folders of packages, by the name they are installed under. */
const PACKAGES = { suffice: "suffice", "suffice-files": "files", "suffice-cli": "cli" } as const

let folder = ""
let consumer = ""

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "suffice-installed-"))
  consumer = join(folder, "consumer")
  mkdirSync(join(consumer, "node_modules"), { recursive: true })
  for (const [name, packaged] of Object.entries(PACKAGES)) install(name, packaged)
  link(join(ROOT, "node_modules"), join(consumer, "node_modules"))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(command: string, args: readonly string[], cwd: string): string {
  const env = { ...process.env, NO_COLOR: "1", npm_config_update_notifier: "false" }
  return execFileSync(command, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
}

/** What npm packs of a package, built, under its name in the consumer's node_modules. */
function install(name: string, packaged: Package): void {
  const source = join(ROOT, "packages", packaged)
  const built = join(folder, name)
  const target = join(consumer, "node_modules", name)
  for (const entry of readdirSync(source)) {
    if (entry !== "dist" && entry !== "node_modules")
      cpSync(join(source, entry), join(built, entry), { recursive: true })
  }
  cpSync(builtPackage(packaged), join(built, "dist"), { recursive: true })
  const [{ filename }] = JSON.parse(run("npm", ["pack", "--json", "--ignore-scripts"], built))
  mkdirSync(target)
  run("tar", ["-xzf", join(built, filename), "--strip-components=1", "-C", target], folder)
  // versions of its own, beside those that all share
  if (existsSync(join(source, "node_modules")))
    link(join(source, "node_modules"), join(target, "node_modules"))
}

/** Link what is installed here, and is not there. */
function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (!name.startsWith(".") && !existsSync(join(to, name))) symlinkSync(join(from, name), join(to, name))
  }
}

test("the code of a tutorial runs, and prints what it says", () => {
  const fences = [...TUTORIAL.matchAll(/^```ts.*\n([\s\S]*?)^```$/gm)].map(match => match[1])
  const code = fences.join("\n")
  writeFileSync(join(consumer, "tutorial.mjs"), transformSync(code, { loader: "ts" }).code)
  const stated = [...code.matchAll(/^\/\/ → (.*)$/gm)].map(match => match[1])
  expect(stated.length).toBeGreaterThan(0)
  expect(run(process.execPath, ["tutorial.mjs"], consumer).trimEnd().split("\n")).toEqual(stated)
})

test("its commands run", () => {
  const lines = [...TUTORIAL.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(match => match[1].split("\n"))
  const commands = lines.filter(line => line !== "" && !line.startsWith("#"))
  expect(commands[0]).toBe("suffice example penguins > penguins.csv")
  const suffice = `suffice() { "${process.execPath}" node_modules/suffice-cli/bin/suffice.js "$@"; }`
  run("bash", ["-e", "-c", [suffice, ...commands].join("\n")], consumer)
  expect(readdirSync(consumer)).toEqual(
    expect.arrayContaining(["penguins.csv", "penguins.json", "predicted.csv"]),
  )
})
