/** Applies the text options of the command line to a model, and loads the stemmers that a model names. */
import type { Description } from "suffice"
import { declare } from "suffice"
import { guideOf, has, mapTree, treeOf, uncheckedSpecs } from "suffice/describe"
import type { Stem } from "suffice/text"
import { Failure } from "./failure.ts"
import type { LooseModel } from "./loose.ts"
import type { SCALINGS } from "./options.ts"

export interface TextChoice {
  readonly ngrams?: number
  readonly stopWords?: string
  readonly stem?: string
  readonly minDocuments?: number
  readonly maxDocuments?: number
  readonly maxWords?: number
  readonly hash?: number
  readonly scaling?: (typeof SCALINGS)[number]
}

const NAMES = [
  "ngrams",
  "stopWords",
  "stem",
  "minDocuments",
  "maxDocuments",
  "maxWords",
  "hash",
  "scaling",
] as const satisfies readonly (keyof TextChoice)[]

/** The first text option that is given, as it is typed. */
export function textOption(choice: TextChoice): string | undefined {
  const name = NAMES.find(name => choice[name] !== undefined)
  return name && `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}

/** The same model, with these options for its text columns. */
export async function withText(model: LooseModel, choice: TextChoice): Promise<LooseModel> {
  const asked = textOption(choice)
  if (asked === undefined) return model
  const { stopWords: language, stem } = choice
  const { stopWords } = await import("suffice-files/text")
  const given = NAMES.filter(name => choice[name] !== undefined).map(name => [name, choice[name]])
  const options = {
    ...Object.fromEntries(given),
    ...(language !== undefined && { stopWords: [...stopWords(language)].sort() }),
    ...(stem !== undefined && { stem: stem.toLowerCase() }),
  }
  const isText = (one: Description): boolean => {
    const leaf = treeOf(one).leaf?.(one)
    return leaf !== undefined && !leaf.isMade && guideOf(leaf.family).columns.includes("text")
  }
  const spec = mapTree(model.spec, one =>
    isText(one) ? { ...one, options: { ...(one.options as Description), ...options } } : one,
  )
  if (!has(spec, isText)) {
    throw new Failure(
      "usage",
      `${asked} is given, but no column is read as text. It says how text becomes words. Name the column of text with --text, or leave ${asked} out.`,
    )
  }
  return declare(spec, { stemmers: await stemmersIn(spec) }) as LooseModel
}

/** The stemmers that a declared model names; loaded only if there are some. */
export async function stemmersIn(spec: unknown): Promise<Record<string, Stem>> {
  const names = new Set<string>()
  for (const { options } of uncheckedSpecs(spec)) {
    const stem = (options as Description | undefined)?.stem
    if (typeof stem === "string") names.add(stem)
  }
  if (names.size === 0) return {}
  const { stemmer } = await import("suffice-files/text")
  return Object.fromEntries([...names].map(name => [name, stemmer(name)]))
}
