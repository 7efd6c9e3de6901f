/** The page of the bench: levels and numbers, each with its bars. */
import { atLeast, atMost, type Bar, barTable } from "../bars.ts"
import { mean, percent, table } from "../page.ts"
import { type Job, SEEDS } from "./jobs.ts"
import { MANY, type Measured } from "./measure.ts"

export interface Result {
  readonly job: Job
  readonly splits: readonly Measured[]
}

const over = ({ splits }: Result, of: (one: Measured) => number) => mean(splits.map(of))
const most = ({ splits }: Result, of: (one: Measured) => number) => Math.max(...splits.map(of))
const modelsOf = ({ splits }: Result) => [...new Set(splits.map(({ model }) => model))].join("; ")
const digits = (x: number) => (Number.isNaN(x) ? "–" : x.toFixed(3))

const logLoss = (one: Result) => over(one, ({ logLoss }) => logLoss)
const base = (one: Result) => over(one, ({ base }) => base)
const accuracy = (one: Result) => over(one, ({ accuracy }) => accuracy)
const lr = (one: Result) => over(one, ({ peer }) => peer.lr!.logLoss)
const lrError = (one: Result) => over(one, ({ peer }) => peer.lr!.logLossError)
const lrAccuracy = (one: Result) => over(one, ({ peer }) => peer.lr!.accuracy)
const boosting = (one: Result) => over(one, ({ peer }) => peer.boosting?.logLoss ?? Number.NaN)
const seconds = (one: Result) => most(one, ({ seconds }) => seconds)
const choosing = (one: Result) => most(one, ({ seconds, last }) => seconds - last)
const r2 = (one: Result) => over(one, ({ r2 }) => r2)
const ridge = (one: Result) => over(one, ({ peer }) => peer.ridge!.r2)
const covered = (one: Result) => over(one, ({ covered }) => covered)

const INTRODUCTION = `\`suffice fit\` with no flags but \`--label\`: the choice of \`choose(candidates(rows, { label }), rows)\` on training rows, judged on the test rows.
The 16 small tables and the numbers are split 70/30 by ${SEEDS} seeds, spambase, sms-spam and rt-polarity once.
The others have a published split. scikit-learn gets the same rows: logistic regression with C cross-validated by log-loss
(one-hot, mean-imputed, standardised; tf-idf), and gradient boosting at its defaults.`

export function report(results: readonly Result[]): string[] {
  const levels = results.filter(({ job }) => job.group !== "numbers")
  const numbers = results.filter(({ job }) => job.group === "numbers")
  return [
    INTRODUCTION,
    ...(levels.length > 0 ? ["## Levels", levelTable(levels), barTable(levelBars(levels))] : []),
    ...(numbers.length > 0 ? ["## Numbers", numberTable(numbers), barTable(numberBars(numbers))] : []),
  ]
}

const HEADS = ["data", "splits", "chosen", "log-loss", "base rate", "LR", "boosting"]

function levelTable(results: readonly Result[]): string {
  const rows = results.map(one => [
    one.job.name,
    String(one.splits.length),
    modelsOf(one),
    digits(logLoss(one)),
    digits(base(one)),
    digits(lr(one)),
    digits(boosting(one)),
    percent(accuracy(one)),
    percent(lrAccuracy(one)),
    choosing(one).toFixed(1),
    seconds(one).toFixed(1),
  ])
  const means = [logLoss, lr, accuracy, lrAccuracy].map(of => mean(results.map(of)))
  const [ours, theirs, right, theirRight] = means
  const last = ["**mean**", "", "", digits(ours), "", digits(theirs), "", percent(right), percent(theirRight)]
  return table([...HEADS, "accuracy, %", "LR, %", "choosing, s", "in all, s"], [...rows, [...last, "", ""]])
}

function levelBars(results: readonly Result[]): Bar[] {
  const loss = mean(results.map(logLoss)) - mean(results.map(lr))
  const gain = 100 * (mean(results.map(accuracy)) - mean(results.map(lrAccuracy)))
  const near = results.filter(one => logLoss(one) <= lr(one) + 1.96 * lrError(one)).length
  const above = results.filter(one => logLoss(one) >= base(one)).length
  const few = results.filter(({ splits }) => splits[0].rows <= MANY)
  const many = results.filter(({ splits }) => splits[0].rows > MANY)
  const fits = (one: Result) => most(one, ({ seconds, last, sdem }) => (seconds - last) / sdem)
  const boosted = results.filter(one => !Number.isNaN(boosting(one)))
  const lower = boosted.filter(one => logLoss(one) < boosting(one)).length
  return [
    atMost("mean log-loss minus logistic regression's", 0, loss, 3),
    atLeast(
      `tables with a log-loss below LR's or in its interval, of ${results.length}`,
      0.75 * results.length,
      near,
    ),
    atMost("tables whose log-loss is not below the base rate", 0, above, 0),
    atLeast("mean accuracy minus logistic regression's, points", 0, gain),
    ...few
      .map(seconds)
      .toSorted((a, b) => b - a)
      .slice(0, 1)
      .map(longest => atMost("up to 20,000 rows: the longest choice with its last fit, s", 30, longest, 1)),
    ...many.map(one => atMost(`${one.job.name}: choosing, in fits by sdEM`, 5, fits(one), 1)),
    [`tables with a log-loss below gradient boosting's, of ${boosted.length}`, "–", String(lower), undefined],
  ]
}

function numberTable(results: readonly Result[]): string {
  const rows = results.map(one => [
    one.job.name,
    modelsOf(one),
    digits(r2(one)),
    digits(ridge(one)),
    percent(covered(one)),
    digits(logLoss(one)),
    digits(base(one)),
    seconds(one).toFixed(1),
  ])
  const [ours, theirs, inside] = [r2, ridge, covered].map(of => mean(results.map(of)))
  const heads = ["data", "chosen", "R²", "ridge", "90 % intervals hold, %", "−ln density", "base rate"]
  const last = ["**mean**", "", digits(ours), digits(theirs), percent(inside), "", "", ""]
  return table([...heads, "in all, s"], [...rows, last])
}

function numberBars(results: readonly Result[]): Bar[] {
  const gain = mean(results.map(r2)) - mean(results.map(ridge))
  const share = 100 * mean(results.map(covered))
  return [
    atLeast("mean R² minus ridge's", -0.02, gain, 3),
    atLeast("90 % intervals hold, %", 87, share, 1),
    atMost("the same", 93, share, 1),
  ]
}
