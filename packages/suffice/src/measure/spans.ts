/**
 * Spans in a sequence of tags: B-PER begins one, I-PER continues it, O stands outside; E-PER ends one and S-PER is a whole one (IOB2 and IOBES). An I or E that
 * continues nothing begins a span, as in conlleval (Tjong Kim Sang & Buchholz 2000).
 */
import type { Level } from "../contract/cells.ts"

/** Steps from … to − 1 of a sequence are of this type. */
export interface Span {
  readonly type: string
  readonly from: number
  readonly to: number
}

/** Precision, recall and F1 of spans: one is right if its ends and its type are. */
export interface SpanScores {
  /** Spans of the truth, of the predictions, and those that both have. */
  readonly true: number
  readonly predicted: number
  readonly right: number
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** Spans found and missed, of tags such as B-NP and I-NP. */
export interface SpanEvaluation extends SpanScores {
  readonly perType: Readonly<Record<string, SpanScores>>
}

const TAG = /^([BIES])-(.+)$/

/** Do these levels mark spans? Every one is O or a mark with a type, and some span begins. */
export function areSpanTags(levels: readonly Level[]): boolean {
  const names = levels.map(String)
  return names.some(name => /^[BS]-./.test(name)) && names.every(name => name === "O" || TAG.test(name))
}

export function spansOf(tags: readonly (Level | null | undefined)[]): Span[] {
  const spans: Span[] = []
  let type: string | undefined
  let from = 0
  const close = (to: number): void => {
    if (type !== undefined) spans.push({ type, from, to })
    type = undefined
  }
  tags.forEach((tag, t) => {
    const [, mark, of] = TAG.exec(String(tag ?? "O")) ?? []
    const continues = (mark === "I" || mark === "E") && of === type
    if (!continues) {
      close(t)
      if (mark !== undefined) {
        type = of
        from = t
      }
    }
    if (mark === "E" || mark === "S") close(t + 1)
  })
  close(tags.length)
  return spans
}

type Tags = readonly (Level | null | undefined)[]

/** Over all sequences; a step whose true tag is missing stands outside. */
export function spanScores(truth: readonly Tags[], predicted: readonly Tags[]): SpanEvaluation {
  const counts = new Map<string, { true: number; predicted: number; right: number }>()
  const of = (type: string) => {
    const known = counts.get(type) ?? { true: 0, predicted: 0, right: 0 }
    counts.set(type, known)
    return known
  }
  truth.forEach((tags, i) => {
    const own = new Set(spansOf(tags).map(keyOf))
    for (const span of spansOf(tags)) of(span.type).true++
    for (const span of spansOf(predicted[i])) {
      of(span.type).predicted++
      if (own.has(keyOf(span))) of(span.type).right++
    }
  })
  const all = { true: 0, predicted: 0, right: 0 }
  for (const count of counts.values()) {
    all.true += count.true
    all.predicted += count.predicted
    all.right += count.right
  }
  const perType = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([type, n]) => [type, scored(n)])
  return { ...scored(all), perType: Object.fromEntries(perType) }
}

function keyOf({ type, from, to }: Span): string {
  return `${from} ${to} ${type}`
}

function scored(n: { true: number; predicted: number; right: number }): SpanScores {
  const precision = n.predicted > 0 ? n.right / n.predicted : 0
  const recall = n.true > 0 ? n.right / n.true : 0
  return { ...n, precision, recall, f1: n.right > 0 ? (2 * precision * recall) / (precision + recall) : 0 }
}
