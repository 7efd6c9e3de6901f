/**
 * Two models on the same held-out mails.
 *
 *     d_i = 1[A is right on mail i] − 1[B is right on mail i]        mean d ± t · s/√n
 *
 * The mails are the same, so the difference is known better than the two accuracies are.
 */
import { pairedInterval } from "suffice/measure"

/** The line of a measure in what `suffice fit` prints: its value, its interval, and that of the base rate. */
export type Measured = readonly [value: string, interval: string, base: string]

export interface Quality {
  readonly accuracy: Measured
  readonly logLoss: Measured
}

/** The lines "accuracy" and "log-loss" of what `suffice fit` printed. */
export function qualityOf(printed: string): Quality {
  const line = (name: string, percent: string): Measured => {
    const found = new RegExp(
      `^  ${name} +(\\S+${percent})  95 % interval (.+?)${percent}; [^:]+: (\\S+${percent})$`,
      "m",
    ).exec(printed)
    if (!found) throw new Error(`suffice fit printed no line "${name}" of the form that is read here`)
    return [found[1], found[2], found[3]]
  }
  return { accuracy: line("accuracy", " %"), logLoss: line("log-loss", "") }
}

/** The true kind of each mail, and what was predicted. */
export interface Verdicts {
  readonly truth: readonly string[]
  readonly said: readonly string[]
}

/** What `suffice predict --keep kind` writes: kind, value, probability, … */
export function verdictsOf(csv: string): Verdicts {
  const rows = csv
    .trimEnd()
    .split("\n")
    .slice(1)
    .map(line => line.split(","))
  return { truth: rows.map(([kind]) => kind), said: rows.map(([, value]) => value) }
}

/** The table: both models, beside always saying how frequent each kind is (the base rate). */
export function table(counted: Quality, told: Quality): string {
  const of = (name: string, { accuracy, logLoss }: Quality): string[] => [
    name,
    ...accuracy.slice(0, 2),
    ...logLoss.slice(0, 2),
  ]
  const lines = [
    ["learned by", "right", "95 % interval", "log-loss", "95 % interval"],
    ["base rate", counted.accuracy[2], "", counted.logLoss[2], ""],
    of("counting", counted),
    of("sdEM", told),
  ]
  const widths = lines[0].map((_, c) => Math.max(...lines.map(line => line[c].length)))
  return lines
    .map(line =>
      `  ${line.map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c]))).join("   ")}`.trimEnd(),
    )
    .join("\n")
}

/** Who is right where the other is wrong, and whether that could be chance. */
export function difference(counted: Verdicts, told: Verdicts): string {
  const each = counted.truth.map(
    (kind, i) => Number(told.said[i] === kind) - Number(counted.said[i] === kind),
  )
  const won = each.filter(d => d > 0).length
  const lost = each.filter(d => d < 0).length
  const [low, high] = pairedInterval(each, { testPerTrain: 0 })
  const sure =
    low > 0
      ? "sdEM is better here"
      : high < 0
        ? "counting is better here"
        : "these mails cannot tell which is better"
  return `The same mails: sdEM is right on ${won} where counting is wrong, counting on ${lost} where sdEM is wrong.
That is ${points((won - lost) / each.length)} points, 95 % interval ${points(low)} to ${points(high)}: ${sure}.`
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}

function points(share: number): string {
  return `${share < 0 ? "−" : "+"}${percent(Math.abs(share))}`
}
