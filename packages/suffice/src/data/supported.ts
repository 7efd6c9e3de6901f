/**
 * Numbers with a support. They are encoded as x/scale and never shifted, so that 0 stays 0: the scale of numbers ≥ 0 is their mean, that of shares
 * 1. Their families sum logarithms, so the first pass computes the moments of those too.
 */
import type { Column, Support, Within } from "../contract/columns.ts"
import { log, log1p } from "../kernels/log.ts"
import { type Found, Moments, type Sums } from "./moments.ts"
import { scaleOf } from "./scale.ts"

type Part = Within["support"]
type NumberColumn = Extract<Column, { kind: "number" }>

export function isPart(support: Support | undefined): support is Part {
  return support !== undefined && support !== "any"
}

/** The moments of the logarithms of one column. */
export class LogMoments {
  readonly #support: Part
  readonly #logs = new Moments()
  readonly #rest = new Moments()

  constructor(support: Part) {
    this.#support = support
  }

  add(x: number, weight: number): void {
    if (this.#support === "notNegative") return
    this.#logs.add(log(x), weight)
    if (this.#support === "share") this.#rest.add(log1p(-x), weight)
  }

  endChunk(): void {
    this.#logs.endChunk()
    this.#rest.endChunk()
  }

  endStretch(): void {
    this.#logs.endStretch()
    this.#rest.endStretch()
  }

  get part(): readonly Sums[] {
    return [this.#logs.part, this.#rest.part]
  }

  join([logs, rest]: readonly Sums[]): void {
    this.#logs.join(logs)
    this.#rest.join(rest)
  }

  /** The column, given the moments of the numbers themselves. */
  column(name: string, { weight, mean: seen, spread }: Found): NumberColumn {
    const logs = this.#logs.found()
    const isShare = this.#support === "share"
    const mean = weight > 0 ? seen : isShare ? 0.5 : 1
    const scale = isShare ? 1 : scaleOf(mean)
    return supportedColumn(name, scale, spread, {
      support: this.#support,
      mean: mean / scale,
      logMean: logs.weight > 0 ? logs.mean - log(scale) : 0,
      logVariance: logs.spread * logs.spread,
      restLogMean: this.#rest.found().mean,
    })
  }
}

/** A column with these pooled moments, encoded in this unit. */
export function supportedColumn(name: string, scale: number, spread: number, within: Within): NumberColumn {
  const encoded = spread / scale
  return { kind: "number", name, shift: 0, scale, variance: encoded > 0 ? encoded * encoded : 1, within }
}

const NARROW = 1e-12

/** A column of which only the mean is described: it is the unit, unless the column holds shares, which have unit 1. */
export function describedColumn(name: string, support: Within["support"], described: number): NumberColumn {
  const isShare = support === "share"
  const scale = isShare ? 1 : scaleOf(described)
  const mean = isShare ? 0.5 : 1
  // families clamp slots to a fraction of the pooled spread, which must stay below the narrowest described one
  const logMean = log(mean) - NARROW
  const pooled = { mean, logMean, logVariance: NARROW, restLogMean: isShare ? logMean : 0 }
  return supportedColumn(name, scale, 0, { support, ...pooled })
}
