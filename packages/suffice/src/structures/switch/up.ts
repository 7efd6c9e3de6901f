/** Upward pass of a switch: ln p(row | p) = ln Σ_l π_l p(row | l, p). */
import type { Block } from "../../contract/block.ts"
import type { Work } from "../../contract/leaf.ts"
import { SufficeError, show } from "../../errors.ts"
import { labelIn, type Switch, SwitchWork } from "./switch.ts"

/** out[q] += ln Σ_l π_l p(row | l, p), q = p·rows + i */
export function up(
  variable: Switch,
  block: Block,
  params: Float64Array,
  out: Float64Array,
  reuse: Work,
): Work {
  const work = (reuse as SwitchWork | undefined) ?? new SwitchWork()
  joints(variable, block, params, work)
  sumOut(variable, work, block.rows, labelIn(variable, block), out)
  return work
}

/** scores[l, q] = ln π_l + ln p(row | l, p) */
export function joints(variable: Switch, block: Block, params: Float64Array, work: SwitchWork): void {
  work.reserve(variable.k, variable.slots * block.rows)
  fillWeights(variable, work.scores, block.rows, params)
  addBodies(variable, block, params, work.scores, work.bodies)
}

/** out[l, q] ← ln π_l + ln p(row | l, p). For a column below, the values of this switch are summed out. */
export function open(
  variable: Switch,
  block: Block,
  params: Float64Array,
  target: string,
  out: Float64Array,
  upToConstant: boolean | undefined,
  reuse: Work,
): Work {
  const work = (reuse as SwitchWork | undefined) ?? new SwitchWork()
  if (target !== variable.column) {
    openBelow(variable, block, params, target, out, work)
    return work
  }
  fillWeights(variable, out, block.rows, params)
  addBodies(variable, block, params, out, work.bodies, upToConstant)
  return work
}

function fillWeights(
  { k, slots, part }: Switch,
  scores: Float64Array,
  rows: number,
  params: Float64Array,
): void {
  const { paramsAt } = part.ranges
  for (let s = 0; s < k * slots; s++) {
    const weight = params[paramsAt + s]
    // `fill` boxes its argument, too slow for single rows
    if (rows === 1) scores[s] = weight
    else scores.fill(weight, s * rows, (s + 1) * rows)
  }
}

/** scores[l, q] += ln p(row | l, p) */
function addBodies(
  { k, slots, hasBodyPerValue, bodies }: Switch,
  block: Block,
  params: Float64Array,
  scores: Float64Array,
  works: Work[],
  upToConstant = false,
): void {
  const size = slots * block.rows
  if (!hasBodyPerValue) works[0] = bodies[0].up(block, params, scores, upToConstant, works[0])
  else {
    for (let b = 0; b < k; b++) {
      const below = scores.subarray(b * size, (b + 1) * size)
      works[b] = bodies[b].up(block, params, below, false, works[b])
    }
  }
}

/** out[q] += ln Σ_l exp scores[l, q], only the term of an observed label; scores ← r. */
function sumOut(
  { k, slots, kernels }: Switch,
  { scores, sums }: SwitchWork,
  rows: number,
  label: Int32Array | undefined,
  out: Float64Array,
): void {
  const size = slots * rows
  if (label) {
    for (let q = 0; q < size; q++) {
      const known = label[q % rows]
      for (let l = 0; l < k; l++) if (known >= 0 && l !== known) scores[l * size + q] = -Infinity
    }
  }
  kernels.collapse(scores, k, size, sums)
  for (let q = 0; q < size; q++) out[q] += sums[q]
}

/** out[level, q] ← ln Σ_l π_l p(row, target = level | l, p), for a target below this switch. */
function openBelow(
  variable: Switch,
  block: Block,
  params: Float64Array,
  target: string,
  out: Float64Array,
  work: SwitchWork,
): void {
  const { k, slots } = variable
  const size = slots * block.rows
  const count = out.length / size
  checkOpen(variable, target, count)
  const scores = variable.opened(count * k * size)
  openBodies(variable, block, params, target, scores, work)
  for (let l = 0; l < count; l++) {
    work.reserve(k, size)
    fillWeights(variable, work.scores, block.rows, params)
    for (let j = 0; j < k * size; j++) work.scores[j] += scores[l * k * size + j]
    sumOut(variable, work, block.rows, labelIn(variable, block), out.subarray(l * size, (l + 1) * size))
  }
}

/** scores[level, l, q] ← ln p(row, target = level | l, p) */
function openBodies(
  { k, slots, hasBodyPerValue, bodies }: Switch,
  block: Block,
  params: Float64Array,
  target: string,
  scores: Float64Array,
  work: SwitchWork,
): void {
  const size = slots * block.rows
  const count = scores.length / (k * size)
  bodies.forEach((body, b) => {
    if (!hasBodyPerValue) {
      work.bodies[b] = body.open(block, params, target, scores, false, work.bodies[b])
      return
    }
    const alone = new Float64Array(count * size)
    work.bodies[b] = body.open(block, params, target, alone, false, work.bodies[b])
    for (let l = 0; l < count; l++) scores.set(alone.subarray(l * size, (l + 1) * size), (l * k + b) * size)
  })
}

/** Throws unless the target is in every body, with the same number of components. */
function checkOpen({ bodies, column }: Switch, target: string, count: number): void {
  for (const body of bodies) {
    let isPresent = body.tree.columns.has(target)
    for (const inner of body.tree.switches())
      if (inner.column === target) isPresent = inner.levels.length === count
    if (isPresent) continue
    throw new SufficeError(
      "target",
      `${show(target)} is not the same in every body of ${show(column)}. Where it is missing, or has other components, it has no probability. Give every body one of that name with as many components, or ask for ${show(column)}.`,
      { column: target, switch: column },
    )
  }
}
