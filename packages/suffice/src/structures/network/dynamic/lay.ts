/**
 * A network over steps in the tree: two networks of one row, that of a first step and that of every other one beside the step before (slices.ts), tied together by the
 * passes forward and back (passes.ts). Both deliver to the same leaves, each at its own steps.
 */
import { carrier } from "../../../blocks/lags.ts"
import type { Plan } from "../../../contract/model.ts"
import type { Node } from "../../../contract/node.ts"
import type { Part } from "../../../contract/part.ts"
import { manyInRow } from "../../../errors.ts"
import { contextsOf } from "../described.ts"
import { stepsOf, templateOf } from "./laid.ts"
import { down, runnerOf, start, up } from "./rows.ts"
import { sampler } from "./sample.ts"
import { adopt, describe, moments } from "./statistics.ts"
import type { Slices } from "./template.ts"

export function layTemplate(outer: Plan, slots: number, steps: string, slices: Slices): Node {
  const template = templateOf(outer, slots, steps, slices)
  const { layout, owned } = template
  const runner = runnerOf(template)
  return {
    slots,
    tree: {
      columns: new Set([steps, ...template.names]),
      parts: () => owned.map(({ laid }) => laid.part),
      switches: () => [],
      contexts: above =>
        owned.map(({ laid, inFirst }): readonly [Part, readonly string[]] => [
          laid.part,
          contextsOf(laid, (inFirst ? layout.first : layout.later).nodes, above),
        ]),
    },
    up: (block, params, out, _upToConstant, reuse) => up(runner, block, params, out, reuse),
    down: (block, params, weights, sink, work) => down(runner, block, params, weights, sink, work),
    start: (block, params, weights, dice, sink) => start(runner, block, params, weights, dice, sink),

    open(_block, _params, asked) {
      throw manyInRow(asked, steps)
    },
    moments: (params, mass, stats) => moments(template, params, mass, stats),

    // no part counts the steps of a context
    descend(_stats, _mass, visit) {
      for (const { laid } of owned) visit(laid.part, undefined)
    },
    describe: (params, slot) => describe(template, params, slot),
    adopt: (description, slot, mass, stats) => adopt(template, description, slot, mass, stats),
    sample: sampler(layout, {
      stepsOf: block => stepsOf(template, block),
      reader: runner.reader,
      passes: runner.passes,
      carry: carrier(layout.columns),
    }),
  }
}
