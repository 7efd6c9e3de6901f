/**
 * The packages as their own scripts build them, for all test files that use them. checks/testing/check.test.ts checks their types.
 * A folder named after the digest of the sources holds them until the sources change.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const CACHE = join(ROOT, "node_modules/.cache/built-packages")
/** Folders in packages/. */
export type Package = "suffice" | "laws" | "files" | "spark" | "studio" | "cli"

/** The folder dist of a package, built; it is shared, so copy from it and leave it as it is. */
export function builtPackage(name: Package): string {
  const built = join(CACHE, `${name}-${digestOf(name)}`)
  mkdirSync(CACHE, { recursive: true })
  const lock = `${built}.lock`
  while (!existsSync(built)) {
    if (!taken(lock)) {
      // another file builds the same, or did when its process ended
      if (isOver(lock)) rmSync(lock, { force: true })
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
      continue
    }
    try {
      if (!existsSync(built)) build(name, built)
    } finally {
      rmSync(lock, { force: true })
    }
  }
  return built
}

/** Did this process get the lock? A file that is there already is another's. */
function taken(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" })
    return true
  } catch {
    return false
  }
}

/** Is the process that took the lock gone? One that is just being written says nothing yet. */
function isOver(lock: string): boolean {
  const owner = existsSync(lock) ? Number(readFileSync(lock, "utf8")) : 0
  if (!owner) return false
  try {
    process.kill(owner, 0)
    return false
  } catch {
    return true
  }
}

function build(name: Package, built: string): void {
  // the folder appears when it is whole
  const own = `${built}.${process.pid}`
  const env = { ...process.env, npm_config_update_notifier: "false", NODE_ENV: "production" }
  // the studio is bundled by Vite, which checks no types
  const how = name === "studio" ? [] : ["--noCheck"]
  const script = ["run", "--silent", "build", "--", ...how, "--outDir", own]
  execFileSync("npm", script, { cwd: join(ROOT, "packages", name), env, stdio: ["ignore", "pipe", "pipe"] })
  for (const old of readdirSync(CACHE)) {
    if (old.startsWith(`${name}-`) && /-[0-9a-f]{16}$/.test(old))
      rmSync(join(CACHE, old), { recursive: true, force: true })
  }
  renameSync(own, built)
}

/** The files beside src/ that a build reads. */
const READ = /^((package|tsconfig).*\.json|index\.html|vite\.config\.ts)$/

/** Of all that the build reads, and no tests. The packages build against each other's declarations; the studio bundles them all, and nobody reads the studio. */
function digestOf(name: Package): string {
  const hash = createHash("sha256").update(name)
  for (const path of ["package-lock.json", "tsconfig.json"]) hash.update(readFileSync(join(ROOT, path)))
  for (const each of ["suffice", "laws", "files", "spark", "cli", ...(name === "studio" ? [name] : [])]) {
    const folder = join(ROOT, "packages", each)
    const files = readdirSync(folder).filter(file => READ.test(file))
    const sources = ["src", "public"].flatMap(part =>
      existsSync(join(folder, part))
        ? readdirSync(join(folder, part), { recursive: true, encoding: "utf8" }).map(file => join(part, file))
        : [],
    )
    for (const file of [...files, ...sources].sort()) {
      if (file.endsWith(".test.ts")) continue
      const path = join(folder, file)
      if (statSync(path).isFile()) hash.update(file).update(readFileSync(path))
    }
  }
  if (name === "studio")
    for (const path of pagesOfDocs()) hash.update(path).update(readFileSync(join(ROOT, path)))
  return hash.digest("hex").slice(0, 16)
}

/** What the documentation's pages in the studio may be made of. */
function pagesOfDocs(): string[] {
  const inside = (folder: string): string[] =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map(path => join(folder, path))
  const beside = readdirSync(join(ROOT, "packages")).map(each => join("packages", each, "README.md"))
  return [
    ...inside("docs"),
    ...["bench", "bench/studies"].flatMap(folder =>
      readdirSync(join(ROOT, folder)).map(file => join(folder, file)),
    ),
    "examples/README.md",
    ...beside,
  ]
    .filter(path => /\.(md|svg)$/.test(path) && existsSync(join(ROOT, path)))
    .sort()
}
