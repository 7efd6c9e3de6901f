/** Parses typed options into their values; each mistake is a sentence. */

import type { PresetName } from "suffice"
import { Failure } from "./failure.ts"
import { FAMILIES_ASKED } from "./families-asked.ts"

export function wholeNumber(option: string, least: number): (text: string) => number {
  return text => {
    const value = Number(text)
    if (Number.isSafeInteger(value) && value >= least && text.trim() !== "") return value
    throw new Failure(
      "usage",
      `${option} is ${JSON.stringify(text)}. It must be a whole number from ${least} up. Write for example ${option} ${Math.max(least, 7)}.`,
      {
        option,
      },
    )
  }
}

/** --holdout 0.2, --holdout 20% */
export function share(option: string): (text: string) => number {
  return text => {
    const value = /%$/.test(text) ? Number(text.slice(0, -1)) / 100 : Number(text)
    if (value >= 0 && value < 1 && text.trim() !== "") return value
    throw new Failure(
      "usage",
      `${option} is ${JSON.stringify(text)}. It is a share of the rows, from 0 to below 1. Write for example ${option} 0.2.`,
      {
        option,
      },
    )
  }
}

/** --credible 0.9 */
export function probability(option: string): (text: string) => number {
  return text => {
    const value = /%$/.test(text) ? Number(text.slice(0, -1)) / 100 : Number(text)
    if (value > 0 && value < 1) return value
    throw new Failure(
      "usage",
      `${option} is ${JSON.stringify(text)}. It is a probability, above 0 and below 1. Write for example ${option} 0.9.`,
      { option },
    )
  }
}

/** --temperature 1.7 */
export function positive(option: string): (text: string) => number {
  return text => {
    const value = Number(text)
    if (value > 0 && Number.isFinite(value)) return value
    throw new Failure(
      "usage",
      `${option} is ${JSON.stringify(text)}. It is a number above 0. Write for example ${option} 1.5.`,
      { option },
    )
  }
}

/** --prior 0 */
export function notNegative(option: string): (text: string) => number {
  return text => {
    const value = Number(text)
    if (value >= 0 && Number.isFinite(value) && text.trim() !== "") return value
    throw new Failure(
      "usage",
      `${option} is ${JSON.stringify(text)}. It is a finite number from 0 up. Write for example ${option} 0.5.`,
      { option },
    )
  }
}

/** --unlabelled 0.3, --unlabelled 1 */
export function upToOne(option: string): (text: string) => number {
  return text => {
    const value = Number(text)
    if (value >= 0 && value <= 1 && text.trim() !== "") return value
    throw new Failure(
      "usage",
      `${option} is ${JSON.stringify(text)}. It is a number from 0 to 1. Write for example ${option} 0.1.`,
      { option },
    )
  }
}

/** --k 2..10, --k 3, --k 2,4,8 */
export function counts(option: string): (text: string) => number[] {
  return text => {
    const bounds = /^(\d+)\.\.(\d+)$/.exec(text)
    const values = bounds
      ? Array.from(
          { length: Math.max(Number(bounds[2]) - Number(bounds[1]) + 1, 0) },
          (_, i) => Number(bounds[1]) + i,
        )
      : text.split(",").map(part => (/^\s*\d+\s*$/.test(part) ? Number(part) : Number.NaN))
    if (values.length > 0 && values.length <= 100 && values.every(value => value >= 1)) return values
    throw new Failure(
      "usage",
      `${option} is ${JSON.stringify(text)}. It says which numbers to try, each at least 1. Write for example ${option} 2..10, or ${option} 3.`,
      { option },
    )
  }
}

/** --k 5..50, of which about eight numbers are tried, evenly by their ratio; --k 20, --k 10,20,50 */
export function spaced(option: string): (text: string) => number[] {
  return text => {
    const bounds = /^(\d+)\.\.(\d+)$/.exec(text)
    const [low, high] = bounds ? [Number(bounds[1]), Number(bounds[2])] : [1, 0]
    if (low < 1 || high - low < MOST_TRIED) return counts(option)(text)
    const values = Array.from({ length: MOST_TRIED }, (_, i) =>
      Math.round(low * (high / low) ** (i / (MOST_TRIED - 1))),
    )
    return [...new Set(values)]
  }
}

const MOST_TRIED = 8

export const SHELLS = ["bash", "zsh", "fish"] as const
export type Shell = (typeof SHELLS)[number]
export const LEARNERS = ["em", "online-em", "sdem", "bayes"] as const

/** An option of learners as a flag of the command (learner-flags.ts). */
export interface LearnerFlag {
  readonly option: string
  /** "--epochs <n>" */
  readonly flag: string
  readonly help: string
  readonly learners: readonly (typeof LEARNERS)[number][]
  /** The kind of number, or the words. */
  readonly value: "whole" | "share" | "amount" | readonly string[]
}

/** "--epochs" */
export function nameOf({ flag }: LearnerFlag): string {
  return flag.slice(0, flag.indexOf(" "))
}

/** The parser of a flag. Numbers of passes and of beginnings are at least 1 here. */
export function parserOf(flag: LearnerFlag): (text: string) => unknown {
  const { value } = flag
  const name = nameOf(flag)
  if (value === "whole") return wholeNumber(name, 1)
  if (value === "share") return upToOne(name)
  if (value === "amount") return notNegative(name)
  return oneOf(name, value)
}

export const SCALINGS = ["raw", "log", "l2", "tfidf"] as const
export const AS = [
  ...(["number", "category", "text", "count", "parts", "ignore"] as const),
  ...FAMILIES_ASKED,
] as const
export type As = (typeof AS)[number]

/** --as zip=category --as age=number; may be given several times, or separated by commas. */
export function kinds(text: string, before: Readonly<Record<string, As>> = {}): Record<string, As> {
  const found = new Map(Object.entries(before))
  for (const part of text.split(",")) {
    const at = part.lastIndexOf("=")
    const [column, kind] = [part.slice(0, at), part.slice(at + 1)]
    if (at < 1 || !AS.includes(kind as As)) {
      throw new Failure(
        "usage",
        `--as is ${JSON.stringify(part)}. It says what a column is to be read as. Write for example --as zip=category; the kinds are ${AS.join(", ")}.`,
        { option: "--as" },
      )
    }
    found.set(column, kind as As)
  }
  return Object.fromEntries(found)
}

/** --missing -999 --missing none,unknown */
export function list(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(",").filter(part => part !== "")]
}

/** --given species=Gentoo: stays text here; it becomes a number if the model has one there. */
/** Arrows as parent:child, again for more. */
export function arrows(
  option: string,
): (text: string, before?: readonly (readonly [string, string])[]) => (readonly [string, string])[] {
  return (text, before = []) => {
    const at = text.indexOf(":")
    if (at >= 1 && at < text.length - 1) return [...before, [text.slice(0, at), text.slice(at + 1)]]
    throw new Failure(
      "usage",
      `${option} is ${JSON.stringify(text)}. It names an arrow, from a column to the one that depends on it. Write for example ${option} smoking:cancer.`,
      { option },
    )
  }
}

/** Groups of columns, in order: a,b/c. */
export function tiers(text: string): string[][] {
  return text.split("/").map(group => list(group))
}

export function pairs(
  option: string,
): (text: string, before?: Readonly<Record<string, string>>) => Record<string, string> {
  return (text, before = {}) => {
    const at = text.indexOf("=")
    if (at >= 1) return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
    throw new Failure(
      "usage",
      `${option} is ${JSON.stringify(text)}. It gives a column a value. Write for example ${option} species=Gentoo.`,
      {
        option,
      },
    )
  }
}

/** One of several words. */
export function oneOf<const Word extends string>(
  option: string,
  words: readonly Word[],
): (text: string) => Word {
  const read = (text: string): Word => {
    if (words.includes(text as Word)) return text as Word
    throw new Failure(
      "usage",
      `${option} is ${JSON.stringify(text)}. It must be one of ${words.join(", ")}. Leave it out for the usual one.`,
      { option },
    )
  }
  return Object.assign(read, { words })
}

/** The presets of the library, named here too: help and completion must not load it. */
export const NAMED = [
  "base-rate",
  "naive-bayes",
  "naive-bayes-normal",
  "diagonal",
  "lda",
  "qda",
  "tan",
  "mixture-per-class",
  "mixture-lda",
  "base-rate-normal",
  "linear",
  "normal",
  "mixture-normal",
  "log-normal",
  "mixture-log-normal",
] as const satisfies readonly PresetName[]
export const PRESETS = ["auto", ...NAMED, "mixture", "hmm", "tagger"] as const

/** --model: the name of a preset, or a path. */
export const presetOrFile: (text: string) => string = Object.assign((text: string) => text, {
  words: PRESETS,
  orFile: true,
})

/** May it be a file as well as one of its words? */
export function takesFile(parse: unknown): boolean {
  return (parse as { orFile?: boolean } | undefined)?.orFile === true
}

/** The words that an option takes, where they are known; for completion. */
export function wordsOf(parse: unknown): readonly string[] {
  return (parse as { words?: readonly string[] } | undefined)?.words ?? []
}
