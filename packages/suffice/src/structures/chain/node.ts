/**
 * A chain in the tree: the state of a step depends on that of the step before.
 *
 *     p(x, z | p) = π_{z_1} b_{z_1}(x_1) · Π_{t>1} a_{z_{t−1} z_t} b_{z_t}(x_t) · [ e_{z_T} if it ends ]          b_l(x_t): the body in context l·P + p
 *
 *     up      forward over the steps of each row, in each context
 *     down    backward: γ goes to the body as the weights of its steps; γ_1, ξ and γ_T are counted
 *     s = ( 1[z_1 = l],  Σ_t 1[z_{t−1} = i, z_t = j],  1[z_T = l] if it ends,  Σ_t 1[z_t = l] )
 *
 * The last are the masses of what stands below. There are k states, P = `slots` contexts, and S steps in the nested block.
 */
import { rowsOf } from "../../blocks/encoded.ts"
import type { Block, Weights } from "../../contract/block.ts"
import type { Node, SwitchNode } from "../../contract/node.ts"
import type { Description } from "../../contract/report.ts"
import { manyInRow } from "../../errors.ts"
import { exp } from "../../kernels/exp.ts"
import { log } from "../../kernels/log.ts"
import { logSumExp } from "../../kernels/log-sum-exp.ts"
import { countsOf } from "./counts.ts"
import { adoptChain, describeChain } from "./describe.ts"
import { inOrder, weightsOfRows } from "./first-guesses.ts"
import { passesOf } from "./passes.ts"
import { segmentsOf } from "./segments.ts"
import { walkOf } from "./walk.ts"
import { type ChainLayout, ChainWork } from "./work.ts"

export function layChain(layout: ChainLayout): Node {
  const { name, column, label, states, slots, initial, transitions, visits, body } = layout
  const isHidden = label < 0
  const passes = passesOf(layout)
  const { k, K, width, stepsOf, tagsOf, climb, impossible, soft } = passes
  const counts = countsOf(layout, passes)
  const { firsts, moves, isSeen, below, count, countGuesses } = counts
  const { isLong, climbLong, downLong } = segmentsOf(layout, passes, counts)
  const { walk, rival } = walkOf(layout, passes)
  const scratchWork = new ChainWork()

  const node: Node = {
    slots,
    tree: {
      columns: new Set([name, column, ...body.tree.columns]),
      parts: () => [initial, transitions, visits, ...body.tree.parts()],
      switches: () => [step, ...body.tree.switches()],

      contexts(names) {
        const under = states.flatMap(state => names.map(above => `${above}/${column}=${String(state)}`))
        return [[initial, names], [transitions, under], [visits, names], ...body.tree.contexts(under)]
      },
    },

    up(block, params, out, _upToConstant, reuse) {
      const work = (reuse as ChainWork | undefined) ?? new ChainWork()
      if (isLong(block)) climbLong(block, params, out, work)
      else climb(block, params, out, work)
      return work
    },

    down(block, params, weights, sink, work) {
      const { block: steps } = stepsOf(block)
      const passed = work as ChainWork | undefined
      if (!sink.waits && passed?.borders && isLong(block) && !isSeen(tagsOf(steps), 0, steps.rows)) {
        downLong(block, params, weights, sink, passed)
        return
      }
      const { own, entropy } = below(block, weights, passed, false, sink.waits)
      count(steps, own, sink, entropy)
      body.down(steps, params, own, sink, passed?.body)
    },

    start(block, params, weights, dice, sink) {
      const nested = stepsOf(block)
      const { block: steps } = nested
      const tags = tagsOf(steps)
      const label = tags && soft.heaviest(tags)
      const ofRows = weightsOfRows(slots, block, nested, weights)
      const values =
        isHidden && layout.isOrdered
          ? inOrder(k, slots, nested, (ofRows as Extract<Weights, { form: "each" }>).values)
          : sink.guess({ node: step, block: steps, weights: ofRows, label, dice })
      giveShares(steps, ofRows as Extract<Weights, { form: "each" }>, values)
      countGuesses(nested, values)
      const own: Weights = { form: "each", values }
      count(steps, own, sink, isHidden ? 0 : undefined)
      body.start(steps, params, own, dice.fork(1000), sink)
    },

    open(_block, _params, asked) {
      throw manyInRow(asked, name)
    },
    joint: {
      rival: (block, params, asked, margin) => (asked === column ? rival(block, params, margin) : undefined),
    },

    // a row's worth is one visit to each state: how many there are, nothing here knows
    moments(params, mass, stats) {
      const each = new Float64Array(width)
      for (let l = 0; l < k; l++) each.set(mass, l * slots)
      initial.leaf.moments(initial.ranges.paramsOf(params), mass, initial.ranges.statsOf(stats))
      transitions.leaf.moments(transitions.ranges.paramsOf(params), each, transitions.ranges.statsOf(stats))
      const counts = visits.ranges.statsOf(stats)
      for (let s = 0; s < width; s++) counts[s] += each[s]
      body.moments(params, each, stats)
    },

    descend(stats, mass, visit) {
      visit(initial, mass)
      visit(transitions, undefined)
      visit(visits, undefined)
      body.descend(stats, visits.ranges.statsOf(stats).slice(), visit)
    },

    describe: (params, slot) => ({
      [name]: {
        ...describeChain(layout, params, slot),
        given: Object.fromEntries(
          states.map((state, l) => [String(state), body.describe(params, l * slots + slot)]),
        ),
      },
    }),

    adopt(description, slot, mass, stats) {
      const mine = description?.[name] as Description
      adoptChain(layout, mine, slot, mass, stats)
      const given = mine?.given as Readonly<Record<string, Description>> | undefined
      states.forEach((state, l) => {
        body.adopt(given?.[String(state)] as Description, l * slots + slot, mass, stats)
      })
    },

    sample(block, params, slot, dice, chosen) {
      const { block: steps } = stepsOf(block)
      const S = steps.rows
      if (S === 0) return
      climb(block, params, new Float64Array(slots), scratchWork)
      const { contexts, logs } = scratchWork.held
      const { alpha } = contexts[slot]
      const table = scratchWork.tables[slot]
      const tags = tagsOf(steps)
      const chances = new Float64Array(k)
      let next = -1
      const path = new Int32Array(S)
      // z_T by α_T e, then backwards by α_t(i) a_ij
      for (let t = S - 1; t >= 0; t--) {
        for (let l = 0; l < k; l++) {
          const reached = alpha[t * K + l]
          const onwards = next < 0 ? table.logEnds[l] : table.logTransitions[l * k + next]
          chances[l] = (logs[slot] ? reached : log(reached)) + onwards
        }
        const total = logSumExp(chances, 0, k, 1)
        if (total === -Infinity) throw impossible(steps, 0)
        for (let l = 0; l < k; l++) chances[l] = exp(chances[l] - total)
        next = dice.categorical(chances, 0, k)
        path[t] = next
      }
      for (let t = 0; t < S; t++) {
        if (tags) tags[t] = path[t]
        else chosen?.(column, states[path[t]])
        layout.carry(steps, t)
        body.sample(rowsOf(steps, t, t + 1), params, path[t] * slots + slot, dice, chosen)
      }
    },
  }

  /** First guesses of steps with a soft tag are what it says. */
  function giveShares(
    steps: Block,
    { values: ofRows }: Extract<Weights, { form: "each" }>,
    values: Float64Array,
  ): void {
    const tags = tagsOf(steps)
    const S = steps.rows
    for (let t = 0; layout.beliefs && tags && t < S; t++) {
      if (tags[t] > -2) continue
      for (let l = 0; l < k; l++)
        for (let p = 0; p < slots; p++)
          values[(l * slots + p) * S + t] = ofRows[p * S + t] * soft.share(tags[t], l)
    }
  }

  /** The state of a step as a switch of its own, without the steps around it. */
  const step: SwitchNode = {
    ...node,
    part: visits,
    column,
    hidden: isHidden,
    levels: states,
    walk,

    up(steps, params, out) {
      const S = steps.rows
      const scores = new Float64Array(width * S)
      const work = body.up(steps, params, scores)
      for (let q = 0; q < slots * S; q++) out[q] += logSumExp(scores, q, k, slots * S) - log(k)
      return work
    },

    pass() {
      throw manyInRow(column, name)
    },

    // a starved state begins at one step, and can be reached from all others
    seed(steps, params, slot, level, weight, dice, sink) {
      const own: Weights = {
        form: "one",
        slot: Int32Array.of(level * slots + slot),
        weight: Float64Array.of(weight),
      }
      firsts.fill(0)
      moves.fill(0)
      firsts[level * slots + slot] = weight / k
      for (let l = 0; l < k; l++) {
        moves[level * width + l * slots + slot] += weight / k
        moves[l * width + level * slots + slot] += weight / k
      }
      count(steps, own, sink, 0)
      body.start(steps, params, own, dice, sink)
    },
  }

  return node
}
