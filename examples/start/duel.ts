/**
 * Two models on the same held-out mails.
 *
 *     d_i = 1[A is right on mail i] − 1[B is right on mail i]        mean d ± t · s/√n
 *
 * The mails are the same, so the difference is known better than the two accuracies are.
 */
import { type Evaluation, pairedInterval } from "suffice/measure"

/** What is asked of the answer of `suffice fit --json`. */
export interface Fit {
  readonly rows: { readonly learned: number; readonly measured: number }
  readonly quality: Pick<Evaluation, "accuracy" | "accuracyInterval" | "logLoss" | "logLossInterval">
  readonly telling: readonly {
    readonly level: string
    readonly features: readonly { readonly word?: string }[]
  }[]
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
export function table(counted: Fit, told: Fit, base: { accuracy: number; logLoss: number }): string {
  const of = (name: string, { quality }: Fit): string[] => [
    name,
    `${percent(quality.accuracy)} %`,
    quality.accuracyInterval.map(percent).join(" – "),
    quality.logLoss.toFixed(3),
    quality.logLossInterval.map(end => end.toFixed(3)).join(" – "),
  ]
  const lines = [
    ["learned by", "right", "95 % interval", "log-loss", "95 % interval"],
    ["base rate", `${percent(base.accuracy)} %`, "", base.logLoss.toFixed(3), ""],
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

/** The share of the larger kind, and the log-loss of always saying the shares that were learned. */
export function baseRate(
  train: readonly { kind: string }[],
  test: readonly { kind: string }[],
): { accuracy: number; logLoss: number } {
  const share = (of: readonly { kind: string }[]) =>
    of.filter(({ kind }) => kind === "spam").length / of.length
  const [learned, met] = [share(train), share(test)]
  return {
    accuracy: learned < 0.5 ? 1 - met : met,
    logLoss: -met * Math.log(learned) - (1 - met) * Math.log(1 - learned),
  }
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}

function points(share: number): string {
  return `${share < 0 ? "−" : "+"}${percent(Math.abs(share))}`
}
