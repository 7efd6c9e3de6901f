/** All of the core as one object, from every entry but the laws: for gates that try, or measure, whatever is public. */
import * as baselines from "../../baselines.ts"
import * as index from "../../index.ts"
import * as kernels from "../../kernels.ts"
import * as learn from "../../learn.ts"
import * as measure from "../../measure.ts"
import * as predict from "../../predict.ts"
import * as structure from "../../structure.ts"
import * as text from "../../text.ts"

export const core = {
  ...index,
  ...learn,
  ...measure,
  ...structure,
  ...baselines,
  ...text,
  ...kernels,
  ...predict,
}
export type Core = typeof core
