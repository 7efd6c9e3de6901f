/** A fitted model on the sequences of a file. */
import { verdict } from "suffice/measure"
import { Failure } from "../failure.ts"
import type { Measured, MeasureOptions } from "../measured.ts"
import type { Query } from "../opened.ts"
import { basisOf } from "../training.ts"
import { qualityOf } from "./fitting.ts"
import { stepsColumn } from "./model.ts"
import { cutOf } from "./options.ts"
import { pathAnswer } from "./path.ts"
import { readSequences } from "./read.ts"
import { chainsAnswer } from "./states.ts"
import { sizeText } from "./table.ts"

export async function measureSequences({
  session,
  fitted,
  paths,
  options,
}: Query<MeasureOptions>): Promise<Measured> {
  const { target } = options
  if (target === undefined && fitted.model.target === undefined) {
    throw new Failure(
      "usage",
      "the model has no label: its states are hidden, and no file says which of them are right. There is nothing to compare with. Use predict to see them, or name a column of levels with --target.",
    )
  }
  const bar = session.progress("measuring")
  const all = await readSequences(session, fitted, paths, options)
  const quality = qualityOf(fitted, all, "test file", target)
  bar.stop()
  const data = paths.join(", ")
  return {
    quality,
    data,
    size: `${sizeText(all)} of ${data}`,
    unit: "sequence",
    brief: false,
    findings: {
      text: undefined,
      answer: { verdict: verdict(quality.evaluation) },
      async sections() {
        const path = pathAnswer(fitted, all.columns, stepsColumn(fitted.model)!, cutOf(options, paths))
        return {
          chains: chainsAnswer(fitted),
          ...(path && { path }),
          basis: { ...basisOf(fitted), unit: "sequence" },
        }
      },
    },
  }
}
