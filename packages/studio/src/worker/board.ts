/** Runs beside each other: the same rows, their losses row by row, so that differences have intervals of their own. */
import type { Board } from "../bench/types.ts"
import { meanOf } from "./folds.ts"
import type { Run } from "./runs.ts"

const Z = 1.96

export function boardOf(runs: readonly Run[]): Board {
  const judged = runs.filter(({ losses }) => losses !== undefined)
  // those that were measured as the last was
  const measured = judged.filter(one => one.judged === judged.at(-1)!.judged)
  if (measured.length === 0) {
    const believed = runs.filter(({ view }) => view.evidence !== undefined)
    if (believed.length === runs.length && runs.length > 0) return byEvidence(believed)
    const scored = runs.filter(({ view }) => view.bic !== undefined)
    const best = scored.reduce<Run | undefined>(
      (top, one) => (!top || one.view.bic! < top.view.bic! ? one : top),
      undefined,
    )
    return {
      best: best?.view.id,
      measure: best ? "BIC (lower is better)" : "",
      gaps: scored.map(({ view }) => ({
        id: view.id,
        difference: view.bic! - best!.view.bic!,
        interval: [Number.NaN, Number.NaN],
      })),
      sentence: best
        ? scored.length > 1
          ? `${best.view.title} has the lowest BIC: the best balance of fit and parameters. BIC says nothing of how sure that is; below a difference of about 10 take the simpler.`
          : "One run. Learn another to compare."
        : "No label to measure by, and no criterion for such models: compare what they have found.",
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
  const rows = `${best.losses!.length.toLocaleString("en")} ${best.steps ? "steps or sequences" : "rows"}`
  const sentence =
    others.length === 0
      ? `One run, measured on ${rows}. Learn another to compare.`
      : open.length === 0
        ? `${best.view.title} by ${best.view.by} is better than every other: the 95 % interval of each difference in log-loss, over the same ${rows}, lies above 0.`
        : `${best.view.title} by ${best.view.by} has the lowest log-loss, but over the same ${rows} ${open.length === 1 ? "one other run is" : `${open.length} other runs are`} not clearly worse: the 95 % interval of the difference holds 0. More rows would tell.`
  return { best: best.view.id, measure: `log-loss on the same ${best.judged}`, gaps, sentence }
}

/** Posteriors are compared by ln p(rows): its differences are log-odds of the models. */
function byEvidence(runs: readonly Run[]): Board {
  const best = runs.reduce((top, one) => (one.view.evidence! > top.view.evidence! ? one : top))
  const gaps = runs.map(({ view }) => ({
    id: view.id,
    difference: best.view.evidence! - view.evidence!,
    interval: [Number.NaN, Number.NaN] as [number, number],
  }))
  const next = Math.min(...gaps.filter(({ id }) => id !== best.view.id).map(({ difference }) => difference))
  return {
    best: best.view.id,
    measure: "evidence: ln p(rows), in nats (lower is worse)",
    gaps,
    sentence:
      runs.length === 1
        ? "One run. Learn another to compare."
        : `${best.view.title} has the highest evidence: if all were as probable beforehand, it is e^${next.toFixed(1)} times as probable as the next.`,
  }
}
