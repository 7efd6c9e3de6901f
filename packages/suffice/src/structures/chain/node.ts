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
import type { Node } from "../../contract/node.ts"
import { manyInRow } from "../../errors.ts"
import { chainOf } from "./laid.ts"
import { down, start, up } from "./rows.ts"
import { sample } from "./sample.ts"
import { stateOf } from "./state.ts"
import { adopt, describe, moments } from "./statistics.ts"
import { walkOf } from "./walk.ts"
import type { ChainLayout } from "./work.ts"

export function layChain(layout: ChainLayout): Node {
  const { name, column, states, slots, initial, transitions, visits, body } = layout
  const chain = chainOf(layout)
  const { walk, rival } = walkOf(layout, chain.passes)
  const node: Node = {
    slots,
    tree: {
      columns: new Set([name, column, ...body.tree.columns]),
      parts: () => [initial, transitions, visits, ...body.tree.parts()],
      switches: () => [state, ...body.tree.switches()],

      contexts(names) {
        const under = states.flatMap(state => names.map(above => `${above}/${column}=${String(state)}`))
        return [[initial, names], [transitions, under], [visits, names], ...body.tree.contexts(under)]
      },
    },
    up: (block, params, out, _upToConstant, reuse) => up(chain, block, params, out, reuse),
    down: (block, params, weights, sink, work) => down(chain, block, params, weights, sink, work),
    start: (block, params, weights, dice, sink) => start(chain, state, block, params, weights, dice, sink),

    open(_block, _params, asked) {
      throw manyInRow(asked, name)
    },
    joint: {
      rival: (block, params, asked, margin) => (asked === column ? rival(block, params, margin) : undefined),
    },
    moments: (params, mass, stats) => moments(layout, params, mass, stats),

    descend(stats, mass, visit) {
      visit(initial, mass)
      visit(transitions, undefined)
      visit(visits, undefined)
      body.descend(stats, visits.ranges.statsOf(stats).slice(), visit)
    },
    describe: (params, slot) => describe(layout, params, slot),
    adopt: (description, slot, mass, stats) => adopt(layout, description, slot, mass, stats),
    sample: (block, params, slot, dice, chosen) => sample(chain, block, params, slot, dice, chosen),
  }
  const state = stateOf(chain, node, walk)
  return node
}
