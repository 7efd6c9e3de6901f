/** Measured on folds: each part of the rows is predicted by what was learned from the others, in the same way; also a choice is made anew for each. */
import type { Columns } from "suffice"
import { folds, wilsonInterval } from "suffice/measure"
import {
  type FittingOptions,
  joined,
  type LooseFitted,
  learned,
  type Prepared,
  rowCount,
  type Work,
} from "suffice-cli/browser"
import type { RunView } from "../bench/types.ts"
import { lossesOf } from "./losses.ts"

export interface Folded {
  /** Of every row, in the order of the folds: the same for every run. */
  readonly losses: Float64Array
  readonly judged: string
  readonly view: Partial<RunView>
}

const Z = 1.96

/** Undefined: there is no label, or the rows are too many to hold. */
export async function byFolds(
  { parts, wanted, data }: Prepared,
  options: FittingOptions,
  count: number,
  work: Work,
): Promise<Folded | undefined> {
  const { target, isNumber } = wanted
  if (target === undefined || Symbol.asyncIterator in parts.train) return undefined
  const held = await parts.test()
  const all = rowCount(held) > 0 ? joined([parts.train, held]) : parts.train
  const seed = options.seed ?? 0
  const losses: number[] = []
  let [right, squares, judged] = [0, 0, 0]
  const cut = folds(all, count, { seed, ...(!isNumber && { stratify: target }) })
  for (const [f, { train, test }] of cut.entries()) {
    const bar = work.progress(`fold ${f + 1} of ${count}`)
    await bar.show(`fold ${f + 1} of ${count}`)
    const { fitted } = await learned(work, wanted, { train, test: async () => test }, data.rows, options)
    for (const loss of lossesOf(fitted, test, isNumber ? "number" : "levels")) losses.push(loss)
    for (const error of errorsOf(fitted, test, target, isNumber)) {
      if (Number.isNaN(error)) continue
      judged++
      right += Number(error === 0)
      squares += error ** 2
    }
    bar.stop()
  }
  const { mean, error } = meanOf(losses)
  return {
    losses: Float64Array.from(losses),
    judged: `${count} folds`,
    view: {
      measured: judged,
      logLoss: mean,
      logLossInterval: [mean - Z * error, mean + Z * error],
      ...(isNumber
        ? { rmse: Math.sqrt(squares / judged) }
        : { accuracy: right / judged, accuracyInterval: wilsonInterval(right / judged, judged) }),
    },
  }
}

/** Of levels 0 or 1, of numbers how far off. */
function errorsOf(fitted: LooseFitted, test: Columns, target: string, isNumber: boolean): number[] {
  const answers = fitted.predict(test as never, { target } as never) as unknown as {
    readonly value: string | number
  }[]
  return answers.map(({ value }, i) => {
    const truth = test[target][i]
    if (truth === null || truth === undefined || Number.isNaN(truth)) return Number.NaN
    return isNumber ? Number(value) - Number(truth) : Number(String(value) !== String(truth))
  })
}

export function meanOf(values: ArrayLike<number>): { mean: number; error: number } {
  let [n, mean, squares] = [0, 0, 0]
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue
    n++
    const away = values[i] - mean
    mean += away / n
    squares += away * (values[i] - mean)
  }
  return { mean, error: n > 1 ? Math.sqrt(squares / (n - 1) / n) : Number.NaN }
}
