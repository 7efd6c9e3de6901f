/**
 * A variable that chooses among bodies: the label of `classes`, the component of a `mixture`.
 *
 *     up     ln p(row | context p) = ln Σ_l π_l p(row | l, p)            (l known: its term alone)
 *     down   r_l = π_l p(row | l, p) / Σ_l' π_l' p(row | l', p)          (l known: 1 for it, 0 for the others)
 *     s = 1[value = l] per context        π_l = n_l / n
 *
 * There are k values and P = `slots` contexts. Value l in context p is slot l·P + p of the body; if each value has its own body, body l has P
 * slots: rows [l·P, (l+1)·P) of the same matrix. Matrices are indexed by l and q = p·rows + i.
 */
import type { SwitchNode } from "../contract/node.ts"
import { down, pass, seed, start } from "./switch/down.ts"
import { adopt, contexts, descend, describe, moments } from "./switch/statistics.ts"
import { type SwitchLayout, switchOf } from "./switch/switch.ts"
import { open, up } from "./switch/up.ts"
import { best, sample } from "./switch/values.ts"

export type { SwitchLayout } from "./switch/switch.ts"

export function laySwitch(layout: SwitchLayout): SwitchNode {
  const variable = switchOf(layout)
  const { part, column, bodies } = variable
  const node: SwitchNode = {
    part,
    slots: variable.slots,
    column,
    hidden: variable.isHidden,
    levels: variable.levels,
    tree: {
      columns: new Set([column, ...bodies.flatMap(body => [...body.tree.columns])]),
      parts: () => [part, ...bodies.flatMap(body => [...body.tree.parts()])],
      switches: () => [node, ...bodies.flatMap(body => [...body.tree.switches()])],
      contexts: names => contexts(variable, names),
    },
    up: (block, params, out, _, reuse) => up(variable, block, params, out, reuse),
    down: (block, params, weights, sink, work) => down(variable, block, params, weights, sink, work),
    pass: (block, params, weights, sink, work) => pass(variable, block, params, weights, sink, false, work),
    open: (block, params, target, out, upToConstant, reuse) =>
      open(variable, block, params, target, out, upToConstant, reuse),
    start: (block, params, weights, dice, sink) => start(variable, node, block, params, weights, dice, sink),
    seed: (block, params, slot, level, weight, dice, sink) =>
      seed(variable, block, params, slot, level, weight, dice, sink),
    moments: (params, mass, stats) => moments(variable, params, mass, stats),
    descend: (stats, mass, visit) => descend(variable, stats, mass, visit),
    describe: (params, slot) => describe(variable, params, slot),
    adopt: (description, slot, mass, stats) => adopt(variable, description, slot, mass, stats),
    joint: { best: (block, params, heights) => best(variable, block, params, heights) },
    sample: (block, params, slot, dice, chosen) => sample(variable, block, params, slot, dice, chosen),
  }
  return node
}
