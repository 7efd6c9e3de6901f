/** Applies the text options of the command line to a model, and loads the stemmers that a model names. */
import { declare } from "suffice"
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

interface Spec {
  readonly kind: string
  readonly family?: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly parts?: readonly Spec[]
  readonly bodies?: readonly Spec[]
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
  let met = false
  const changed = (spec: Spec): Spec => {
    if (spec.kind === "leaf" && (spec.family === "multinomial" || spec.family === "topics")) {
      met = true
      return { ...spec, options: { ...spec.options, ...options } }
    }
    return {
      ...spec,
      ...(spec.parts && { parts: spec.parts.map(changed) }),
      ...(spec.bodies && { bodies: spec.bodies.map(changed) }),
    }
  }
  const spec = changed(model.spec as unknown as Spec)
  if (!met) {
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
  const look = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return
    const { options, parts, bodies } = part as Spec
    if (typeof options?.stem === "string") names.add(options.stem)
    for (const list of [parts, bodies]) if (Array.isArray(list)) list.forEach(look)
  }
  look(spec)
  if (names.size === 0) return {}
  const { stemmer } = await import("suffice-files/text")
  return Object.fromEntries([...names].map(name => [name, stemmer(name)]))
}
