/** Runs beside each other: the same rows, their losses row by row, so that differences have intervals of their own. */
import type { Board } from "../bench/types.ts"
import type { Run } from "./runs.ts"

const Z = 1.96

export function boardOf(runs: readonly Run[]): Board {
  const measured = runs.filter(({ losses }) => losses !== undefined)
  if (measured.length === 0) {
    const scored = runs.filter(({ view }) => view.bic !== undefined)
    const best = scored.reduce<Run | undefined>(
      (top, one) => (!top || one.view.bic! < top.view.bic! ? one : top),
      undefined,
    )
    return {
      best: best?.view.id,
      measure: "BIC (lower is better)",
      gaps: scored.map(({ view }) => ({
        id: view.id,
        difference: view.bic! - best!.view.bic!,
        interval: [Number.NaN, Number.NaN],
      })),
      sentence: best
        ? scored.length > 1
          ? `${best.view.title} has the lowest BIC: the best balance of fit and parameters. BIC says nothing of how sure that is; below a difference of about 10 take the simpler.`
          : "One run. Learn another to compare."
        : "",
    }
  }
  const means = measured.map(({ losses }) => meanOf(losses!).mean)
  const best = measured[means.indexOf(Math.min(...means))]
  const gaps = measured.map(one => {
    const same = one.losses!.length === best.losses!.length
    const each = same ? one.losses!.map((loss, i) => loss - best.losses![i]) : new Float64Array()
    const { mean, error } = meanOf(each)
    return {
      id: one.view.id,
      difference: mean,
      interval: [mean - Z * error, mean + Z * error] as [number, number],
    }
  })
  const others = gaps.filter(({ id }) => id !== best.view.id)
  const open = others.filter(({ interval }) => !(interval[0] > 0))
  const rows = best.losses!.length
  const sentence =
    others.length === 0
      ? `One run, measured on ${rows} rows. Learn another to compare.`
      : open.length === 0
        ? `${best.view.title} by ${best.view.by} is better than every other: the 95 % interval of each difference in log-loss, over the same ${rows} rows, lies above 0.`
        : `${best.view.title} by ${best.view.by} has the lowest log-loss, but over the same ${rows} rows ${open.length === 1 ? "one other run is" : `${open.length} other runs are`} not clearly worse: the 95 % interval of the difference holds 0. More rows would tell.`
  return { best: best.view.id, measure: "log-loss on the same held-out rows", gaps, sentence }
}

function meanOf(values: Float64Array): { mean: number; error: number } {
  let [n, mean, squares] = [0, 0, 0]
  for (const value of values) {
    if (Number.isNaN(value)) continue
    n++
    const away = value - mean
    mean += away / n
    squares += away * (value - mean)
  }
  return { mean, error: n > 1 ? Math.sqrt(squares / (n - 1) / n) : Number.NaN }
}
