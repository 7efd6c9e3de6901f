/** The pages of the documentation: markdown of the root, of docs/ and of the packages. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..")

/** A markdown file: its path from the root, and its text. */
export interface Page {
  readonly path: string
  readonly text: string
}

export function pages(): Page[] {
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter(path => path.endsWith(".md"))
    .map(path => join("docs", path))
  const packages = readdirSync(join(ROOT, "packages")).map(name => join("packages", name, "README.md"))
  return ["README.md", "ARCHITECTURE.md", ".github/SECURITY.md", ...packages, ...docs.sort()]
    .filter(path => existsSync(join(ROOT, path)))
    .map(path => ({ path, text: read(path) }))
}

/** A file of the repository, as text. */
export function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8")
}
