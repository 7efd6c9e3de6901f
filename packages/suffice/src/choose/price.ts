/**
 * What a fit costs, counted from the model, the learner and the number of rows: the same on every machine, and known before anything is learned.
 *
 *     rows gone over · ( ROW + parameters + DOCUMENT · slots of bags )
 *       + NODE · parameters of networks for each of these rows + PAIR · rows · columns² to find their arrows
 *       + solves · ( SOLVE + STEP · ( parameters, or d² for each slot of normals over d columns ) + CUBE · d³ for each covariance )
 *
 * in elementary operations, each about a nanosecond. The factors are those of 90 fits on seven tables and a corpus, of 100 to 1,600 rows and 5 to
 * 64 columns: on nine in ten of them the formula is within a factor of two.
 */
import type { Ease, Effort, Learner } from "../contract/learner.ts"
import type { Model } from "../contract/model.ts"
import type { Description } from "../contract/report.ts"
import { type Discovery, discover } from "../data/discover.ts"
import type { Batch } from "../data/read.ts"
import { weightingOf } from "../data/weigh.ts"
import { specsIn, treeOf } from "../declare/tree.ts"
import { type Laid, lay } from "../engine/lay.ts"
import { passesOf } from "../engine/pace.ts"
import { SufficeError } from "../errors.ts"
import { isCertain } from "../fit/observed.ts"
import type { FitOptions } from "../fit/options.ts"

const ROW = 800
/** To read and encode a cell. */
const CELL = 150
const DOCUMENT = 400
const SOLVE = 50_000
const STEP = 33
const CUBE = 0.5
/** To a parameter of a network weights are delivered one by one. */
const NODE = 20
const PAIR = 10
/** As many rows as arrows are found in. */
const MOST_ROWS = 10_000

/** In billions of operations. */
export type Price = (learner: Learner, rows: number) => number

/** What learning this model costs, as laid out on these rows. A model that cannot be laid out costs nothing: learning it is refused at once. */
export async function priceOf(model: Model, sample: Batch, options: FitOptions): Promise<Price> {
  let found: Discovery
  let laid: Laid
  let learned: Model
  try {
    learned = model.find ? await model.find(sample, options) : model
    found = await discover(model.uses, sample, weightingOf(model, options), options.signal)
    laid = lay(learned, found.schema.columns)
  } catch (error) {
    if (!(error instanceof SufficeError)) throw error
    return () => 0
  }
  const ease: Ease = { isCounted: isCertain(laid, found.missing), passes: passesOf(laid) }
  const size = sizeOf(laid, nodesIn(learned.spec))
  const width = model.uses.length
  const pairs = model.find ? PAIR * width * width : 0
  return (learner, rows) => {
    const effort: Effort = learner.effort?.(rows, ease) ?? { rows, solves: 1 }
    const search = Math.min(rows, MOST_ROWS) * pairs
    return (rows * width * CELL + search + effort.rows * size.row + effort.solves * size.solve) / 1e9
  }
}

/** The columns of networks. */
function nodesIn(spec: Description): Set<string> {
  return new Set(specsIn(spec).flatMap(one => treeOf(one).nodes?.(one) ?? []))
}

/** Operations for a row that is gone over, and for a solve. `nodes`: the columns of networks. */
function sizeOf(
  { parts }: Laid,
  nodes: ReadonlySet<string>,
): { readonly row: number; readonly solve: number } {
  let row = ROW
  let solve = SOLVE
  for (const { leaf, columns } of parts) {
    const { slots, parameters } = leaf.shape
    if (leaf.moving?.sparse) {
      row += DOCUMENT * slots
      continue
    }
    const d = columns.length
    row += columns.some(({ name }) => nodes.has(name)) ? NODE * parameters : parameters
    solve += STEP * (leaf.moving?.breadth === undefined ? parameters : Math.max(parameters, slots * d * d))
    // breadth: d for each covariance
    if (leaf.moving?.breadth !== undefined) solve += CUBE * leaf.moving?.breadth * d * d
  }
  return { row, solve }
}
