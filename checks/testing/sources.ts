/** Where each import of this repository's packages is declared, for bundlers that take no "source" condition: { "suffice/learn": "…/learn.ts" }. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const PACKAGES = fileURLToPath(new URL("../../packages", import.meta.url))

/** By what is imported, the manifests' order: "suffice", "suffice/learn" … */
export function sources(): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const folder of readdirSync(PACKAGES)) {
    const path = join(PACKAGES, folder, "package.json")
    if (!existsSync(path)) continue
    const { name, exports = {} } = JSON.parse(readFileSync(path, "utf8"))
    for (const [subpath, { source }] of Object.entries<{ source?: string }>(exports)) {
      if (source === undefined) continue
      found[`${name}${subpath.slice(1)}`] = join(PACKAGES, folder, source)
    }
  }
  return found
}
