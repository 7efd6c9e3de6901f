/** p(a)·p(b)·p(x | a, b): a structure in which no part counts the contexts of x. */
import type { Block } from "../../contract/block.ts"
import type { Use } from "../../contract/columns.ts"
import type { Model, Plan } from "../../contract/model.ts"
import type { Node } from "../../contract/node.ts"
import { gaussian } from "../../families/gaussian.ts"
import { levelLeaf } from "../../families/level-leaf.ts"
import { exp } from "../../kernels/exp.ts"
import { logSumExp } from "../../kernels/log-sum-exp.ts"
import { layPart } from "../../structures/part.ts"

const LEVELS = { kind: "level" } as const

export const twoParents: Model = {
  kind: "two parents",
  uses: [
    ...["a", "b"].map(
      (column): Use => ({ column, need: LEVELS, measure: "mass", group: column, role: "label" }),
    ),
    { column: "x", need: gaussian().need, measure: "density", group: "x", role: "cell" },
  ],
  target: "a",
  spec: {},
  lay,
}

function lay(plan: Plan): Node {
  const found = ["a", "b"].map(name => plan.column(name))
  const parents = found.map(({ column, place }) => {
    if (column.kind !== "level") throw new Error(`${column.name} has no levels`)
    const leaf = levelLeaf(column, place, 1, 1)
    return layPart(plan, leaf, { family: "categorical", columns: [column], places: [place], role: "choice" })
  })
  const [ka, kb] = parents.map(part => part.leaf.shape.statistics)
  const x = plan.column("x")
  const child = layPart(plan, gaussian().bind([x.column], [x.place], ka * kb), {
    family: "gaussian",
    columns: [x.column],
    places: [x.place],
  })

  /** ln p(row, a, b) at (a·kb + b)·rows + i; −∞ where the row says otherwise. */
  function joints(block: Block, params: Float64Array): Float64Array {
    const { rows } = block
    const out = new Float64Array(ka * kb * rows)
    child.leaf.score(block, child.ranges.paramsOf(params), out)
    const seen = found.map(({ place }) => block.cells[place] as Int32Array)
    const logs = parents.map(part => part.ranges.paramsOf(params))
    for (let s = 0; s < ka * kb; s++) {
      const values = [Math.trunc(s / kb), s % kb]
      for (let i = 0; i < rows; i++) {
        values.forEach((value, v) => {
          const isPossible = seen[v][i] < 0 || seen[v][i] === value
          out[s * rows + i] += isPossible ? logs[v][value] : -Infinity
        })
      }
    }
    return out
  }

  const node: Node = {
    slots: 1,
    tree: {
      columns: new Set(["a", "b", "x"]),
      parts: () => [...parents, child],
      switches: () => [],
      contexts: names => [...parents, child].map(part => [part, names] as const),
    },

    up(block, params, out) {
      const scores = joints(block, params)
      for (let i = 0; i < block.rows; i++) {
        const own = Float64Array.from({ length: ka * kb }, (_, s) => scores[s * block.rows + i])
        const total = logSumExp(own, 0, own.length, 1)
        out[i] += total
        own.forEach((score, s) => {
          scores[s * block.rows + i] = exp(score - total)
        })
      }
      return scores
    },

    down(block, _params, weights, sink, work) {
      const { rows } = block
      const both = (work as Float64Array).map((r, at) =>
        weights.form === "one" ? r * weights.weight[at % rows] : r * weights.values[at % rows],
      )
      const margins = [new Float64Array(ka * rows), new Float64Array(kb * rows)]
      both.forEach((w, at) => {
        const s = Math.trunc(at / rows)
        margins[0][Math.trunc(s / kb) * rows + (at % rows)] += w
        margins[1][(s % kb) * rows + (at % rows)] += w
      })
      parents.forEach((part, v) => {
        sink.choice(part, block, { form: "each", values: margins[v] }, true)
      })
      sink.leaf(child, block, { form: "each", values: both })
    },

    open(block, params, column, out) {
      const v = ["a", "b"].indexOf(column)
      const trial = new Int32Array(block.rows)
      for (let l = 0; l < parents[v].leaf.shape.statistics; l++) {
        const cells = block.cells.slice()
        cells[found[v].place] = trial.fill(l)
        node.up({ ...block, cells }, params, out.subarray(l * block.rows, (l + 1) * block.rows))
      }
      return undefined
    },

    start(block, _params, weights, _dice, sink) {
      // every row a little in every slot, seen ones where they belong
      const params = new Float64Array(
        parents[0].leaf.shape.parameters + parents[1].leaf.shape.parameters + child.leaf.shape.parameters,
      )
      node.down(block, params, weights, sink, node.up(block, params, new Float64Array(block.rows)))
    },

    moments(params, mass, stats) {
      for (const part of parents)
        part.leaf.moments(part.ranges.paramsOf(params), mass, part.ranges.statsOf(stats))
      const [a, b] = parents.map(part => part.ranges.paramsOf(params))
      const below = Float64Array.from(
        { length: ka * kb },
        (_, s) => mass[0] * exp(a[Math.trunc(s / kb)] + b[s % kb]),
      )
      child.leaf.moments(child.ranges.paramsOf(params), below, child.ranges.statsOf(stats))
    },

    descend(_stats, mass, visit) {
      for (const part of parents) visit(part, mass)
      visit(child, undefined)
    },
    describe: () => ({}),
    adopt: () => undefined,
    sample: () => undefined,
  }
  return node
}
