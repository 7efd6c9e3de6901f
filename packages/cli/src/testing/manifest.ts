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
