/** Scores of a row by a linear form: weights times features, which are read from the raw cells. */
import type { Cell, Level, Row } from "../contract/cells.ts"
import type { Stem } from "../contract/columns.ts"
import { isMissing, levelCell, numberCell } from "../data/cells.ts"
import { given, notABag, SufficeError, show } from "../errors.ts"
import { bucketName, bucketOf } from "../text/hash.ts"
import { eachWord } from "../text/tokenise.ts"
import type { Linear } from "./to-linear.ts"

export interface LinearScoresOptions {
  /** The stemmers that the linear form names in `text`. */
  readonly stemmers?: Readonly<Record<string, Stem>>
}

/** ln p(l | row) − ln p(first | row) for every level l. */
export function linearScores(linear: Linear, row: Row, options: LinearScoresOptions = {}): number[] {
  given("linearScores", options)
  if (typeof row !== "object" || row === null) {
    throw new SufficeError(
      "data",
      `linearScores: the row is ${show(row)}. It holds a cell for each column. Pass for example { x: 1 }.`,
    )
  }
  const { numbers, levels, bags } = placesOf(linear)
  const scores = linear.bias.slice()
  const add = (feature: number | undefined, value: number): void => {
    if (feature === undefined) return
    for (let l = 0; l < scores.length; l++) scores[l] += linear.weights[l][feature] * value
  }
  for (const { feature, factors } of numbers) {
    add(
      feature,
      factors.reduce((product, name) => product * numberOf(row, name), 1),
    )
  }
  for (const [name, codes] of levels) {
    const level = levelCell(cellOf(row, name), 0, name)
    if (level === undefined || !codes.has(level)) throw lacking(name)
    add(codes.get(level), 1)
  }
  for (const [name, { count, word }] of bags) {
    const bag = bagOf(linear, options, row, name, known => count.has(known) || word.has(known))
    // an empty bag is no evidence, unless the absence of every word counts as evidence
    const isSeen = linear.text[name]?.empty !== undefined && !isMissing(cellOf(row, name))
    if (word.size > 0 && bag.size === 0 && !isSeen) throw lacking(name)
    // in the order of the features, so that the order of the words changes no bit
    const seen = Array.from(bag, ([known, times]) => ({
      counted: count.get(known),
      there: word.get(known),
      times,
    }))
    seen.sort((a, b) => (a.counted ?? a.there!) - (b.counted ?? b.there!))
    for (const { counted, times } of seen) add(counted, times)
    for (const { there } of seen) add(there, 1)
  }
  return scores
}

/** The features by column and word: a row has few words, a linear form may know many. */
interface Places {
  /** Features that are products of numbers: x, x·x or x·y. */
  readonly numbers: readonly { readonly feature: number; readonly factors: readonly string[] }[]
  readonly levels: ReadonlyMap<string, ReadonlyMap<Level, number>>
  readonly bags: ReadonlyMap<
    string,
    { readonly count: ReadonlyMap<string, number>; readonly word: ReadonlyMap<string, number> }
  >
}

const found = /* @__PURE__ */ new WeakMap<Linear, Places>()

/** Computed once for each linear form. */
function placesOf(linear: Linear): Places {
  let places = found.get(linear)
  if (!places) {
    checkForm(linear)
    places = findPlaces(linear)
    found.set(linear, places)
  }
  return places
}

function findPlaces({ features }: Linear): Places {
  const numbers: { feature: number; factors: string[] }[] = []
  const levels = new Map<string, Map<Level, number>>()
  const bags = new Map<string, { count: Map<string, number>; word: Map<string, number> }>()
  features.forEach((feature, f) => {
    const { column } = feature
    switch (feature.kind) {
      case "x":
        numbers.push({ feature: f, factors: [column] })
        break
      case "x²":
        numbers.push({ feature: f, factors: [column, column] })
        break
      case "xy":
        numbers.push({ feature: f, factors: [column, feature.other] })
        break
      case "level":
        levels.set(column, (levels.get(column) ?? new Map()).set(feature.level, f))
        break
      case "count":
      case "word": {
        const bag = bags.get(column) ?? { count: new Map(), word: new Map() }
        bag[feature.kind].set(feature.word, f)
        bags.set(column, bag)
        break
      }
      default:
        feature satisfies never
    }
  })
  return { numbers, levels, bags }
}

/** It comes from toLinear() or from a file: checks that its parts fit together. */
function checkForm(linear: Linear): void {
  const { features, bias, weights } = (linear ?? {}) as Partial<Linear>
  const fine =
    Array.isArray(features) &&
    features.every(feature => typeof feature?.column === "string") &&
    Array.isArray(bias) &&
    Array.isArray(weights) &&
    weights.length === bias.length &&
    weights.every(row => row?.length === features.length)
  if (fine) return
  throw new SufficeError(
    "data",
    `linearScores: the linear form is ${show(linear)}. It has features, and for each level a bias and a weight for each feature. Pass what toLinear() returned.`,
  )
}

function cellOf(row: Row, name: string): Cell {
  return Object.hasOwn(row, name) ? row[name] : null
}

function numberOf(row: Row, name: string): number {
  const value = numberCell(cellOf(row, name), 0, name)
  if (Number.isNaN(value)) throw lacking(name)
  return value
}

/** The words of a cell that the linear form knows, and how often each occurs. */
function bagOf(
  { text }: Linear,
  { stemmers }: LinearScoresOptions,
  row: Row,
  name: string,
  isKnown: (word: string) => boolean,
): Map<string, number> {
  const bag = new Map<string, number>()
  const cell = cellOf(row, name)
  if (isMissing(cell)) return bag
  const { stem, hash } = text[name]
  const each = eachWord(text[name], stem === undefined ? undefined : stemmerOf(stemmers, stem, name))
  const fine = each(cell, {
    word(text, from, to, count) {
      const word = hash === undefined ? text.slice(from, to) : bucketName(bucketOf(text, from, to, hash))
      if (isKnown(word)) bag.set(word, (bag.get(word) ?? 0) + count)
    },
  })
  if (!fine) throw notABag(cell, 0, name)
  return bag
}

function stemmerOf(stemmers: LinearScoresOptions["stemmers"], name: string, column: string): Stem {
  const stem = stemmers && Object.hasOwn(stemmers, name) ? stemmers[name] : undefined
  if (typeof stem === "function") return stem
  throw new SufficeError(
    "option",
    `linearScores: the words of ${show(column)} are cut by the stemmer ${show(name)}, which was not passed. A linear form names its stemmer, it does not bring it along. Pass it: linearScores(linear, row, { stemmers: { ${name}: stemmer(${show(name)}) } }), with stemmer from "suffice-files/text".`,
    { option: "stemmers", column },
  )
}

function lacking(column: string): SufficeError {
  return new SufficeError(
    "cell",
    `linearScores: the row holds nothing the model knows in ${show(column)}. A linear form needs every cell. Fill the cell, or use posterior(), which sums missing cells out.`,
    { column },
  )
}
