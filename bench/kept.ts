/** Our answers of a study, kept in bench/.cache under the hash of the core's sources, so that a run cut short goes on where it ended. */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The answer of an earlier run with the same sources, or a new one; without `compute` undefined where there is none. */
export async function keptOr<Answer>(
  study: string,
  job: readonly unknown[],
  compute: (() => Promise<Answer>) | undefined,
): Promise<Answer | undefined> {
  const cache = here(`.cache/${study}-ours.json`)
  const answers = (): Record<string, Answer> =>
    existsSync(cache) ? JSON.parse(readFileSync(cache, "utf8")) : {}
  const key = JSON.stringify([sources(), ...job])
  const kept = answers()
  if (Object.hasOwn(kept, key) || !compute) return kept[key]
  const answer = await compute()
  mkdirSync(here(".cache"), { recursive: true })
  // read again: another run may have added to it
  writeFileSync(cache, JSON.stringify({ ...answers(), [key]: answer }))
  return answer
}

/** The last answer to this job of any sources. */
export function keptEver<Answer>(study: string, job: readonly unknown[]): Answer | undefined {
  const cache = here(`.cache/${study}-ours.json`)
  if (!existsSync(cache)) return undefined
  const kept = JSON.parse(readFileSync(cache, "utf8")) as Record<string, Answer>
  const asked = JSON.stringify(job)
  const key = Object.keys(kept).findLast(key => JSON.stringify(JSON.parse(key).slice(1)) === asked)
  return key === undefined ? undefined : kept[key]
}

let hashed: string | undefined

/** The hash of what may change a number: everything of the core but tests and answers. */
function sources(): string {
  if (hashed !== undefined) return hashed
  const core = here("../packages/suffice/src")
  const hash = createHash("sha256")
  for (const folder of [
    "contract",
    "data",
    "engine",
    "families",
    "kernels",
    "learners",
    "structures",
    "text",
  ]) {
    const files = readdirSync(join(core, folder), { recursive: true, encoding: "utf8" })
    for (const file of files.filter(file => file.endsWith(".ts") && !/\.test\.ts$|testing/.test(file)).sort())
      hash.update(readFileSync(join(core, folder, file)))
  }
  hashed = hash.digest("hex").slice(0, 16)
  return hashed
}
