/** A fitted model on the rows of a file. */
import type { Columns } from "suffice"
import { evaluateSource } from "suffice/measure"
import type { QualityAnswer } from "../answers.ts"
import { checkColumn, isWide, openDataFor, sourceOf } from "../data.ts"
import { many } from "../format.ts"
import type { LooseFitted } from "../loose.ts"
import type { Measured, MeasureOptions } from "../measured.ts"
import type { Query } from "../opened.ts"
import { type ColumnSource, counted, joined, rowCount } from "../tabular.ts"
import { tellingFeatures } from "../telling.ts"
import { basisOf } from "../training.ts"
import { tellingFindings } from "./findings.ts"

/** The number of rows from which telling features are computed. */
export const LOOKED_AT = 20_000

export async function measureRows({
  session,
  fitted,
  paths,
  options,
}: Query<MeasureOptions>): Promise<Measured> {
  const { target, weight } = options
  const table = await openDataFor(fitted, paths, options, session.signal)
  try {
    if (weight !== undefined) checkColumn(table, "--weight", weight)
    const bar = session.progress("measuring")
    const read = await sourceOf(session, fitted, table, {
      also: weight === undefined ? [] : [weight],
      target,
    })
    const first: Columns[] = []
    let rows = 0
    const source = counted(read, n => {
      bar.advance(n)
      rows += n
    })
    const evaluation = (await evaluateSource(fitted, alsoTo(source, first, LOOKED_AT), {
      curves: true,
      signal: session.signal,
      ...(target !== undefined && { target }),
      ...(weight !== undefined && { weight }),
    })) as unknown as QualityAnswer["evaluation"]
    bar.stop()
    const quality: QualityAnswer = { on: "test file", rows, evaluation }
    return measuredRows(fitted, quality, joined(first), table.name)
  } finally {
    await table.close()
  }
}

/** `looked`: some of the rows, from which telling features are computed. */
export function measuredRows(
  fitted: LooseFitted,
  quality: QualityAnswer,
  looked: Columns,
  data: string,
): Measured {
  const { evaluation, rows } = quality
  const brief = isWide(fitted.model.uses.length)
  const telling = evaluation.kind === "levels" ? tellingFeatures(fitted, looked, evaluation.target) : []
  return {
    quality,
    data,
    size: `${many(rows, "row")} of ${data}`,
    unit: "row",
    brief,
    findings: tellingFindings(telling, evaluation, brief, async () => ({ basis: basisOf(fitted) })),
  }
}

/** The same source; also collects its first batches, up to `most` rows. */
function alsoTo(source: ColumnSource, batches: Columns[], most: number): ColumnSource {
  return {
    async *[Symbol.asyncIterator]() {
      let rows = 0
      for await (const batch of source) {
        if (rows < most) batches.push(batch)
        rows += rowCount(batch)
        yield batch
      }
    },
  }
}
