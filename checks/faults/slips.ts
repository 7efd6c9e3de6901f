/** The list of planted slips, slips.tsv: one line each, as data, and how a slip is planted in a source text. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const LIST = fileURLToPath(new URL("slips.tsv", import.meta.url))

/** A law of the suite, planted in memory. `subject` is where the law is known to break. */
export interface LawCheck {
  readonly by: "law"
  readonly law: string
  readonly subject?: string
}

/** Test files from the root, planted on disk. `named` chooses tests by a pattern of their names. */
export interface TestCheck {
  readonly by: "test"
  readonly files: readonly string[]
  readonly named?: string
}

export interface Slip<Check = LawCheck | TestCheck> {
  readonly check: Check
  /** From the root of the repository. */
  readonly file: string
  /** Occurs exactly once in the file. A text, since line numbers move. */
  readonly find: string
  readonly replace: string
  readonly about: string
}

const HEAD = ["check", "file", "find", "replace", "about"]
/** Stands for a line end within a field. */
const LINE_END = "⏎"

export function readSlips(text = readFileSync(LIST, "utf8")): Slip[] {
  const [, ...lines] = text.trimEnd().split("\n")
  return lines.map((line, l) => {
    const fields = line.split("\t")
    if (fields.length !== HEAD.length)
      throw new Error(`slips.tsv: line ${l + 2} has ${fields.length} fields, not ${HEAD.length}: ${line}`)
    const [check, file, find, replace, about] = fields.map(field => field.replaceAll(LINE_END, "\n"))
    return { check: checkOf(check), file, find, replace, about }
  })
}

export function writeSlips(slips: readonly Slip[], path = LIST): void {
  const lines = slips.map(({ check, file, find, replace, about }) =>
    [textOf(check), file, find, replace, about].map(field => field.replaceAll("\n", LINE_END)).join("\t"),
  )
  writeFileSync(path, `${[HEAD.join("\t"), ...lines].join("\n")}\n`)
}

/** `law A4 on latent classes`, or `test one.test.ts two.test.ts named "sum to one"`. */
function checkOf(text: string): LawCheck | TestCheck {
  const law = /^law (\S+)(?: on (.+))?$/.exec(text)
  if (law) return { by: "law", law: law[1], ...(law[2] !== undefined && { subject: law[2] }) }
  const test = /^test (.+?)(?: named "(.+)")?$/.exec(text)
  if (!test) throw new Error(`slips.tsv: the check "${text}" names neither a law nor a test.`)
  return { by: "test", files: test[1].split(" "), ...(test[2] !== undefined && { named: test[2] }) }
}

function textOf(check: LawCheck | TestCheck): string {
  if (check.by === "law")
    return `law ${check.law}${check.subject === undefined ? "" : ` on ${check.subject}`}`
  return `test ${check.files.join(" ")}${check.named === undefined ? "" : ` named "${check.named}"`}`
}

export function isOfLaw(slip: Slip): slip is Slip<LawCheck> {
  return slip.check.by === "law"
}

export function isOfTest(slip: Slip): slip is Slip<TestCheck> {
  return slip.check.by === "test"
}

/** The text of the file with the slip in it. */
export function planted(text: string, { file, find, replace }: Slip): string {
  const times = text.split(find).length - 1
  if (times === 1) return text.replace(find, () => replace)
  throw new Error(
    `${file} holds the text of the slip ${times} times, not once: ${JSON.stringify(find)}. Change the slip in checks/faults/slips.tsv with the code.`,
  )
}

export function sourceOf({ file }: Slip): string {
  return readFileSync(join(ROOT, file), "utf8")
}
