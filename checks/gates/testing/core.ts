/** All of the core as one object, from every entry but the laws: for gates that try, or measure, whatever is public. */
import * as baselines from "../../../packages/suffice/src/baselines.ts"
import * as index from "../../../packages/suffice/src/index.ts"
import * as kernels from "../../../packages/suffice/src/kernels.ts"
import * as learn from "../../../packages/suffice/src/learn.ts"
import * as measure from "../../../packages/suffice/src/measure.ts"
import * as predict from "../../../packages/suffice/src/predict.ts"
import * as structure from "../../../packages/suffice/src/structure.ts"
import * as text from "../../../packages/suffice/src/text.ts"

export type Core = typeof index &
  typeof learn &
  typeof measure &
  typeof structure &
  typeof baselines &
  typeof text &
  typeof kernels &
  typeof predict

export const core: Core = {
  ...index,
  ...learn,
  ...measure,
  ...structure,
  ...baselines,
  ...text,
  ...kernels,
  ...predict,
}
