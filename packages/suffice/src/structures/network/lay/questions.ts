/** Answers of a network about missing levels: each level of one column, marginals, the most probable ones. */
import type { Block } from "../../../contract/block.ts"
import type { Work } from "../../../contract/leaf.ts"
import type { Chosen } from "../../../contract/node.ts"
import { SufficeError, show } from "../../../errors.ts"
import { log } from "../../../kernels/log.ts"
import type { Program } from "../program.ts"
import type { Network } from "./network.ts"

export function open(
  { nodes, names, levels, slots: P, inference, rest: scratch }: Network,
  block: Block,
  params: Float64Array,
  column: string,
  out: Float64Array,
): undefined {
  const v = names.indexOf(column)
  if (levels[v] === 0) {
    throw new SufficeError(
      "target",
      `column ${show(column)} has no levels to choose from. A posterior over levels needs some. Name one of the others.`,
      { column },
    )
  }
  const { rows } = block
  const { held } = nodes[v]
  inference.read(block, held === undefined ? v : -1)
  const rest = scratch(P * rows)
  inference.score(params, rest, new Array<Work>(nodes.length), false, (program, i) => {
    if (held !== undefined || !program.columns.includes(v)) return
    program.down()
    const chances = new Float64Array(levels[v] * P)
    program.marginal(v, chances)
    for (let s = 0; s < levels[v] * P; s++) out[s * rows + i] += log(chances[s])
  })
  for (let s = 0; s < levels[v] * P; s++) {
    const isOther = held !== undefined && Math.trunc(s / P) !== held
    for (let i = 0; i < rows; i++)
      out[s * rows + i] = isOther ? -Infinity : out[s * rows + i] + rest[(s % P) * rows + i]
  }
}

export function marginals(
  { nodes, names, levels, inference }: Network,
  block: Block,
  params: Float64Array,
  out: ReadonlyMap<string, Float64Array>,
  logs: Float64Array,
): void {
  inference.read(block)
  const chancesOf = names.map(name => out.get(name))
  chancesOf.forEach((chances, v) => {
    for (let i = 0; chances && i < block.rows; i++) {
      const code = inference.observed.codes[v][i]
      chances.fill(0, i * levels[v], (i + 1) * levels[v])
      if (code >= 0) chances[i * levels[v] + code] = 1
    }
  })
  const spread = (program: Program, i: number): void => {
    program.down()
    for (const v of program.columns) {
      const chances = chancesOf[v]
      if (chances) program.marginal(v, chances.subarray(i * levels[v], (i + 1) * levels[v]))
    }
  }
  inference.score(params, logs, new Array<Work>(nodes.length), false, spread, true)
}

/** Chooses the levels that the score sums out. */
export function best(
  { nodes, slots: P, inference }: Network,
  block: Block,
  params: Float64Array,
  heights: Float64Array,
): (slot: number, chosen: Chosen) => void {
  inference.read(block)
  const rest = new Float64Array(P)
  inference.score(params, rest, new Array<Work>(nodes.length), false, ({ logZ }) => {
    for (let p = 0; p < P; p++) rest[p] -= logZ[p] > -Infinity ? logZ[p] : 0
  })
  const chosenIn = Array.from({ length: P }, (_, p) => {
    const { values, height } = inference.best(0, params, p)
    heights[p] += rest[p] + height
    return values.slice()
  })
  return (slot, chosen) =>
    nodes.forEach(({ column, name }, v) => {
      if (column.kind === "level") chosen(name, column.levels[chosenIn[slot][v]])
    })
}
