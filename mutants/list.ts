/** The mutants. Long because it is a list. */
import type { Mutant } from "./mutant.ts"

const CORE = "packages/suffice/src"

/** In the core, with tests of the core. */
function core(about: string, file: string, find: string, replace: string, ...tests: string[]): Mutant {
  return {
    about,
    file: `${CORE}/${file}`,
    find,
    replace,
    tests: tests.map(test => `${CORE}/${test}.test.ts`),
  }
}

export const mutants: readonly Mutant[] = [
  core(
    "an update gives every body the statistics of the first that models the same columns",
    "engine/transfer.ts",
    " && slots.some(s => names.includes(s))",
    "",
    "engine/transfer",
  ),
  core(
    "every epoch goes over the rows in the same order",
    "learners/descend.ts",
    "dice.fork(at.epoch)",
    "dice.fork(0)",
    "learners/descend",
  ),
  core(
    "the first epoch without gain on the held-out rows is the last",
    "learners/descend.ts",
    "at.since >= PATIENCE",
    "at.since >= 1",
    "learners/descend",
  ),
  core(
    "steps of words do not become smaller",
    "learners/sdem.ts",
    "step.rho / (1 + step.decay * passes)",
    "step.rho + 0 * passes",
    "learners/descend",
  ),
  core(
    "a stream that goes on from a checkpoint has lost its weight",
    "fitted/stream.ts",
    "this.weight = weight\n",
    "this.weight = rows\n",
    "fitted/stream",
  ),
  core(
    "rows of weight 0 bring labels",
    "fitted/stream.ts",
    "weights[i] > 0 && isNew",
    "isNew",
    "fitted/stream",
  ),
  core(
    "the pull of the prior on words moves their mass",
    "engine/pull.ts",
    "(given ? 0 : brought[p]) - nu",
    "brought[p] - nu",
    "engine/pull",
  ),
  core(
    "what stands below a switch does not come along when the prior pulls",
    "engine/pull.ts",
    "(given ? 0 : brought[p]) - nu",
    "-nu",
    "engine/pull",
  ),
  core(
    "counts of words may fall to nothing",
    "engine/guard.ts",
    "(prior[j] || LEAST) / weight",
    "0 * weight",
    "engine/moving",
  ),
  core(
    "bodies are guessed with the dice of the switch above",
    "structures/switch.ts",
    "dice.fork(1000 + b)",
    "(b < 0 ? dice.fork(b) : dice)",
    "structures/switch",
  ),
  core(
    "bodies of a reseeded value are guessed with one stream of dice",
    "structures/switch.ts",
    "body.start(block, params, part, dice.fork(b), sink)",
    "body.start(block, params, part, b < 0 ? dice.fork(b) : dice, sink)",
    "structures/switch",
  ),
  core(
    "the prior pulls with all its strength however many rows there are",
    "engine/moving.ts",
    "Math.min(1, (ENOUGH * slots) / weight)",
    "Math.min(1, (1e9 * slots) / weight)",
    "engine/moving",
  ),
  core(
    "steps of correlated normals are twice as bold",
    "engine/moving.ts",
    "(CAUTION * block.rows) / breadth",
    "(2 * CAUTION * block.rows) / breadth",
    "engine/moving",
  ),
  core(
    "steps may take all of a variance",
    "families/gaussian.ts",
    "varianceOf(stats, slot) > CLEAR",
    "varianceOf(stats, slot) > 0 * CLEAR",
    "families/gaussian",
  ),
]
