/** Results of a bench, kept in bench/.cache under the hash of the core's sources, so that an interrupted run continues. */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The result of an earlier run with the same sources, or a new one. NaN is written as null. */
export async function kept<Result>(
  bench: string,
  job: readonly unknown[],
  compute: () => Result | Promise<Result>,
): Promise<Result> {
  const file = here(`.cache/${bench}-ours.json`)
  const results = (): Record<string, Result> =>
    existsSync(file) ? JSON.parse(readFileSync(file, "utf8"), (_, value) => value ?? Number.NaN) : {}
  const key = JSON.stringify([sources(), ...job])
  const before = results()
  if (Object.hasOwn(before, key)) return before[key]
  const result = await compute()
  mkdirSync(here(".cache"), { recursive: true })
  // read again: another process may have added results
  writeFileSync(file, JSON.stringify({ ...results(), [key]: result }))
  return result
}

let hashed: string | undefined

/** Hash of every file of the core but its tests and laws. */
function sources(): string {
  if (hashed !== undefined) return hashed
  const core = here("../packages/suffice/src")
  const hash = createHash("sha256")
  const files = readdirSync(core, { recursive: true, encoding: "utf8" })
  for (const file of files.filter(isShipped).sort()) hash.update(readFileSync(join(core, file)))
  hashed = hash.digest("hex").slice(0, 16)
  return hashed
}

const isShipped = (file: string): boolean =>
  file.endsWith(".ts") && !/\.test\.ts$|testing|^(laws|gates)\b/.test(file)
