/** What a linear form says of a row: its features, read from the cells as they come, times its weights. */
import type { Cell, Level, Row } from "../contract.ts"
import { isMissing, levelCell, notABag, numberCell } from "../data/cells.ts"
import { eachWord } from "../data/tokenise.ts"
import { SufficeError, show } from "../errors.ts"
import type { Linear, LinearFeature } from "./to-linear.ts"

/** ln p(l | row) − ln p(first | row) for every level l. */
export function linearScores(linear: Linear, row: Row): number[] {
  const scores = linear.bias.slice()
  const read = featureReader(linear, row)
  linear.features.forEach((feature, f) => {
    const value = read(feature)
    if (value !== 0) for (let l = 0; l < scores.length; l++) scores[l] += linear.weights[l][f] * value
  })
  return scores
}

function featureReader({ features, text }: Linear, row: Row): (feature: LinearFeature) => number {
  const numbers = new Map<string, number>()
  const levels = new Map<string, Level>()
  const bags = new Map<string, Map<string, number>>()
  const known = new Set(features.map(feature => JSON.stringify([feature.column, wordOf(feature)])))
  const cell = (name: string): Cell => (Object.hasOwn(row, name) ? row[name] : null)

  const number = (name: string): number => {
    const value = numbers.get(name) ?? numberCell(cell(name), 0, name)
    if (Number.isNaN(value)) throw lacking(name)
    numbers.set(name, value)
    return value
  }
  const level = (name: string): Level => {
    const value = levels.get(name) ?? levelCell(cell(name), 0, name)
    if (value === undefined || !known.has(JSON.stringify([name, value]))) throw lacking(name)
    levels.set(name, value)
    return value
  }
  const bag = (name: string): Map<string, number> => {
    const found = bags.get(name) ?? new Map<string, number>()
    if (bags.has(name)) return found
    bags.set(name, found)
    const value = cell(name)
    if (isMissing(value)) return found
    const fine = eachWord(value, text[name], (word, count) => {
      if (known.has(JSON.stringify([name, word]))) found.set(word, (found.get(word) ?? 0) + count)
    })
    if (!fine) throw notABag(value, 0, name)
    return found
  }

  return feature => {
    switch (feature.kind) {
      case "x":
        return number(feature.column)
      case "x²":
        return number(feature.column) * number(feature.column)
      case "xy":
        return number(feature.column) * number(feature.other)
      case "level":
        return level(feature.column) === feature.level ? 1 : 0
      case "count":
        return bag(feature.column).get(feature.word) ?? 0
      case "word":
        // an empty bag is no evidence, which is not the evidence that every word is absent
        if (bag(feature.column).size === 0) throw lacking(feature.column)
        return bag(feature.column).has(feature.word) ? 1 : 0
      default:
        return feature satisfies never
    }
  }
}

function wordOf(feature: LinearFeature): Level | undefined {
  if (feature.kind === "level") return feature.level
  return feature.kind === "count" || feature.kind === "word" ? feature.word : undefined
}

function lacking(column: string): SufficeError {
  return new SufficeError(
    "cell",
    `linearScores: the row holds nothing the model knows in ${show(column)}. A linear form needs every cell. Fill the cell, or use posterior(), which sums missing cells out.`,
    { column },
  )
}
