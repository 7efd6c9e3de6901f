/**
 * The command's behaviour as data: manifest/*.json, run against the built command in a folder of their own.
 *
 *     files     what stands in the folder: text, { base64 }, { lines: [head, "{i},{i%3}"], rows }, { copy: "penguins.csv" | "model.json" }
 *     before    command lines that must succeed first
 *     run       the command line, or `shell`: a line of bash in which $SUFFICE is the command
 *     exit      the exit code
 *     stdout    stderr: the whole text; or { has: […], lacks: […], json: {…a part of the object}, lines: n, empty: true }
 *     folder    the names in the folder afterwards, all of them
 *     needs     what the machine must have: "linux"
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

export interface Case {
  readonly name: string
  readonly files?: Readonly<Record<string, FileContent>>
  readonly before?: readonly string[]
  readonly run?: string
  readonly shell?: string
  readonly exit: number
  readonly stdout?: Expected
  readonly stderr?: Expected
  readonly folder?: readonly string[]
  readonly needs?: "linux"
}

type FileContent =
  | string
  | { readonly base64: string }
  | { readonly lines: readonly [head: string, row: string]; readonly rows: number }
  | { readonly copy: "penguins.csv" | "model.json" }
  | { readonly folder: true }

type Expected =
  | string
  | {
      readonly has?: readonly string[]
      readonly lacks?: readonly string[]
      readonly json?: Readonly<Record<string, unknown>>
      readonly lines?: number
    }

/** A row of a generated file: {i} is its number, {i%3} the rest of a division. */
export function generated([head, row]: readonly [string, string], rows: number): string {
  const lines = Array.from({ length: rows }, (_, i) =>
    row.replace(/\{i(?:%(\d+))?\}/g, (_, by: string | undefined) =>
      String(by === undefined ? i : i % Number(by)),
    ),
  )
  return `${[head, ...lines].join("\n")}\n`
}

/** Words of a command line: blanks part them, single quotes hold them together. */
export function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(match => match[1] ?? match[2])
}

/** Write the files of a case into a folder; copies come from another. */
export function lay(folder: string, files: Case["files"] = {}, shared: string): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    if (typeof content === "string") writeFileSync(path, content)
    else if ("base64" in content) writeFileSync(path, Buffer.from(content.base64, "base64"))
    else if ("lines" in content) writeFileSync(path, generated(content.lines, content.rows))
    else if ("copy" in content) copyFileSync(join(shared, content.copy), path)
    else mkdirSync(path)
  }
}
