/**
 * Faults to plant, one at a time, each a small slip of the kind that happens: the suite must notice every one of them.
 * `find` occurs exactly once in its file; where the code changes, its fault changes with it.
 * Long because it is a list.
 */

export interface Fault {
  readonly about: string
  readonly file: string
  readonly find: string
  readonly replace: string
}

function fault(about: string, file: string, find: string, replace: string): Fault {
  return { about, file, find, replace }
}

const SIMPLEX = "kernels/simplex.ts"
const GAUSSIAN = "families/gaussian.ts"
const MULTINOMIAL = "families/multinomial.ts"
const WORD_SET = "families/word-set.ts"
const DENSE = "families/normal/dense.ts"
const DIAGONAL = "families/normal/diagonal.ts"
const CONDITIONING = "families/normal/conditioning.ts"
const COMPLETE = "families/normal/complete.ts"
const SWITCH = "structures/switch.ts"
const SEEDING = "engine/seeding.ts"
const EM = "learners/em.ts"
const SWEEP = "engine/sweep.ts"
const POSTERIOR = "fitted/posterior.ts"
const ENCODE = "data/encode.ts"

export const faults: readonly Fault[] = [
  // ── families ──
  fault(
    "a density whose exponent has lost its sign",
    GAUSSIAN,
    "top - 0.5 * precision * d * d",
    "top + 0.5 * precision * d * d",
  ),
  fault(
    "the scale of the column is not in the density",
    GAUSSIAN,
    "log(variance)) - logScale",
    "log(variance))",
  ),
  fault(
    "the variance is not centred",
    GAUSSIAN,
    "stats[p * 3 + 2] / n - mean * mean",
    "stats[p * 3 + 2] / n",
  ),
  fault(
    "missing cells are counted in n",
    GAUSSIAN,
    "      if (x[i] !== x[i]) continue\n      const at = slot[i] * width",
    "      const at = slot[i] * width\n      if (x[i] !== x[i]) {\n        stats[at] += weight[i]\n        continue\n      }",
  ),
  fault(
    "a tied variance is not pooled",
    GAUSSIAN,
    "const variance = total > 0 ? within / total",
    "const variance = total > 0 ? within / stats[0]",
  ),
  fault("the prior forgets its variance", GAUSSIAN, "+= kappa * column.variance", "+= 0"),
  fault(
    "the weight is used once where it belongs twice",
    GAUSSIAN,
    "squares += wx * x[i]",
    "squares += x[i] * x[i]",
  ),
  fault(
    "the described spread is a variance",
    GAUSSIAN,
    "sd: column.scale / Math.sqrt(params[slot * 3 + 1])",
    "sd: column.scale / params[slot * 3 + 1]",
  ),
  fault(
    "samples have the precision for a spread",
    GAUSSIAN,
    "dice.normal() / Math.sqrt(params[slot * 3 + 1])",
    "dice.normal() * Math.sqrt(params[slot * 3 + 1])",
  ),
  fault(
    "a missing level scores as the first",
    "families/categorical.ts",
    "if (codes[i] >= 0) out[at + i] += params[codes[i] * slots + p]",
    "out[at + i] += params[Math.max(codes[i], 0) * slots + p]",
  ),
  fault(
    "levels and slots are swapped in the statistics",
    "families/categorical.ts",
    "stats[codes[i] * slots + p] += weights.values[at + i]",
    "stats[p * levels + codes[i]] += weights.values[at + i]",
  ),
  fault(
    "the prior is added twice",
    "families/categorical.ts",
    "for (let j = 0; j < size; j++) stats[j] += alpha",
    "for (let j = 0; j < size; j++) stats[j] += 2 * alpha",
  ),
  fault(
    "bernoulli describes the chance of no",
    "families/bernoulli.ts",
    "probability: exp(params[slots + slot])",
    "probability: exp(params[slot])",
  ),
  fault(
    "the last level gets no probability",
    SIMPLEX,
    "log(Math.max(count, 0) / n)",
    "log(Math.max(l === levels - 1 && levels > 1 ? 0 : count, 0) / n)",
  ),
  fault(
    "0 · −∞ is not 0",
    SIMPLEX,
    "if (stats[j] !== 0) total += stats[j] * params[j]",
    "total += stats[j] * params[j]",
  ),
  fault(
    "words count once, however often they occur",
    MULTINOMIAL,
    "row[p] += counts[t] * params[at + p]",
    "row[p] += params[at + p]",
  ),
  fault(
    "counting forgets the weight of the document",
    MULTINOMIAL,
    "stats[words[t] * slots + slot] += weight * counts[t]",
    "stats[words[t] * slots + slot] += counts[t]",
  ),
  fault(
    "absent words do not count",
    WORD_SET,
    "for (let p = 0; p < slots; p++) row[p] = params[size + p]\n        sure",
    "row.fill(0)\n        sure",
  ),
  fault("a row keeps what the row before it left", WORD_SET, "        sure.fill(0)\n", ""),
  fault("the normal forgets half of the exponent", COMPLETE, "+= top - 0.5 * from[t]", "+= top - from[t]"),
  fault(
    "tied squares forget the weights",
    COMPLETE,
    "total[picked.rows[t]] += picked.weights[t]",
    "total[picked.rows[t]] += 1",
  ),
  fault(
    "the conditional covariance is not added",
    CONDITIONING,
    "addSpread(total, seen, stats, layout.squaresAt(matrix))",
    "addSpread(0, seen, stats, layout.squaresAt(matrix))",
  ),
  fault(
    "a missing cell is guessed by the mean alone",
    CONDITIONING,
    "sum += a[at + k] * z[k]",
    "sum += 0 * a[at + k] * z[k]",
  ),
  fault(
    "the marginal has the determinant of all columns",
    CONDITIONING,
    "top = -0.5 * (seen * LN_2PI",
    "top = -0.5 * (d * LN_2PI",
  ),
  fault(
    "the matrix of the slot before is used again",
    CONDITIONING,
    "          factored = matrix\n          let total",
    "          factored = 0\n          let total",
  ),
  fault(
    "draws ignore the correlation",
    CONDITIONING,
    "value += a[row + k] * z[k]",
    "value += k === i ? a[row + k] * z[k] : 0",
  ),
  fault(
    "a tied matrix is divided by the last slot's weight",
    DENSE,
    "      total += n\n      if (n < 0)",
    "      total = n\n      if (n < 0)",
  ),
  fault(
    "a missing cell of a diagonal normal has no spread",
    DIAGONAL,
    "missing * (mean * mean + variance)",
    "missing * mean * mean",
  ),

  // ── structures ──
  fault(
    "responsibilities are not normalised",
    SWITCH,
    "const w = weights.weight[i] / upTotals[q]",
    "const w = weights.weight[i]",
  ),
  fault(
    "… not below another switch either",
    SWITCH,
    "const w = weights.values[q] / upTotals[q]",
    "const w = weights.values[q]",
  ),
  fault("the log of the sum is forgotten", SWITCH, "out[q] += shift + log(sum)", "out[q] += shift"),
  fault("the switch forgets its own weights", SWITCH, "scores[at] += w", "scores[at] += 0 * w"),
  fault(
    "a label that was seen is ignored",
    SWITCH,
    "const known = label ? label[q % rows] : -1\n      if (known >= 0) {\n        out[q]",
    "const known = -1\n      if (known >= 0) {\n        out[q]",
  ),
  fault(
    "the label of the first row stands for all",
    SWITCH,
    "slot[i] = label[i] * slots",
    "slot[i] = label[0] * slots",
  ),
  fault(
    "contexts and levels change places",
    SWITCH,
    'slot[i] = label[i] * slots + (weights.form === "one" ? weights.slot[i] : 0)',
    'slot[i] = label[i] + k * (weights.form === "one" ? weights.slot[i] : 0)',
  ),
  fault(
    "a body for each value gets the rows of its neighbour",
    SWITCH,
    "if (Math.trunc(weights.slot[i] / slots) !== b) continue",
    "if (Math.trunc(weights.slot[i] / slots) !== (b + 1) % bodies.length) continue",
  ),
  fault("the prior of a mixture is dropped", SWITCH, "mine[j] += alpha", "mine[j] += 0"),
  fault(
    "a switch draws its value without looking at the row",
    SWITCH,
    "value = dice.categorical(chances, 0, k)",
    "value = dice.integer(k)",
  ),
  fault(
    "a part of a product is left out of the posterior",
    "structures/independent.ts",
    "else part.up(block, params, others)",
    "else if (part === parts[0]) part.up(block, params, others)",
  ),
  fault(
    "only the first part of a product learns",
    "structures/independent.ts",
    "for (const part of parts) part.down(block, params, weights, sink)",
    "parts[0].down(block, params, weights, sink)",
  ),
  fault(
    "a workspace keeps what the block before left",
    "structures/workspace.ts",
    "else room.fill(0, 0, length)",
    "else room.fill(0, 0, 0)",
  ),
  fault(
    "first guesses overrule the labels",
    SEEDING,
    "(value >= 0 ? value : nearestCentre",
    "(value >= 9 ? value : nearestCentre",
  ),
  fault(
    "a cell asked for keeps its old value",
    "structures/leaf.ts",
    "cells[place] = trial",
    "cells[place] = cells[place] ?? trial",
  ),

  // ── learners, engine ──
  fault(
    "the prior is missing in the M-step",
    EM,
    "strength === 0 ? stats : stats.map",
    "strength >= 0 ? stats : stats.map",
  ),
  fault(
    "the prior is missing in the objective",
    EM,
    "return prior === 0 ? 0 : prior * problem.value(problem.prior, params)",
    "return 0 * prior * params.length * problem.rows",
  ),
  fault(
    "the statistics of the step before are kept",
    EM,
    "      stats = swept.stats\n",
    "      stats = iteration > 0 ? stats : swept.stats\n",
  ),
  fault(
    "the log-likelihood forgets the weights",
    SWEEP,
    "chunkLikelihood += block.weight[i] * scores[i]",
    "chunkLikelihood += scores[i]",
  ),
  fault(
    "scores of a block start from those of the last",
    SWEEP,
    "scores.fill(0, 0, block.rows)",
    "scores.fill(0, 0, 0)",
  ),
  fault(
    "the entropy has lost its sign",
    SWEEP,
    "entropy -= r * log(r / total)",
    "entropy += r * log(r / total)",
  ),
  fault(
    "a choice counts rows, not weights",
    SWEEP,
    "stats[node.statsAt + weights.slot[i]] += weights.weight[i]",
    "stats[node.statsAt + weights.slot[i]] += 1",
  ),
  fault("the seed is ignored", "fitted/fit.ts", "const root = dice(seed)", "const root = dice(0 * seed)"),
  fault(
    "the worst run is kept",
    "fitted/fit.ts",
    "step.objective > best.objective",
    "step.objective < best.objective",
  ),

  // ── the door, answers ──
  fault(
    "the share of a soft label is dropped",
    ENCODE,
    "push(weights[i] * copy.share, copy.readers, i)",
    "push(weights[i], copy.readers, i)",
  ),
  fault(
    "weights are read and forgotten",
    ENCODE,
    "        push(weights[i], readers, i)",
    "        push(1, readers, i)",
  ),
  fault("numbers are shifted the wrong way", ENCODE, "name) - shift) / scale", "name) + shift) / scale"),
  fault(
    "unseen levels become the first level",
    ENCODE,
    "target.codes[at] = code ?? -1",
    "target.codes[at] = code ?? 0",
  ),
  fault(
    "levels stand in the order in which they were met",
    "data/cells.ts",
    "return [...levels].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0))",
    "return [...levels]",
  ),
  fault(
    "the mean forgets the weights",
    "data/moments.ts",
    "this.#mean += (gap * weight) / this.#weight",
    "this.#mean += gap / this.#weight",
  ),
  fault(
    "posteriors are not normalised",
    POSTERIOR,
    "sum > 0 ? out[at + i * count + l] / sum : 1 / count",
    "out[at + i * count + l]",
  ),
  fault(
    "exp without shifting by the largest",
    POSTERIOR,
    "const shift = max === Number.NEGATIVE_INFINITY ? 0 : max",
    "const shift = 0",
  ),
  fault(
    "the rows of the second block overwrite the first",
    POSTERIOR,
    "    at += block.rows * count\n",
    "    at += block.rows\n",
  ),
  fault(
    "a fitted model forgets its prior",
    "fitted/predictor.ts",
    "withPrior(known.stats, priorOf(known.laid), known.prior)",
    "withPrior(known.stats, priorOf(known.laid), 0)",
  ),

  // ── saving ──
  fault(
    "the strength of the prior is not saved",
    "saved/save.ts",
    'prior: encodePlain(prior, "prior")',
    'prior: encodePlain(0, "prior")',
  ),
  fault(
    "statistics are saved in single precision",
    "saved/save.ts",
    "statistics: float64ToBase64(stats)",
    "statistics: float64ToBase64(stats.map(Math.fround))",
  ),
  fault(
    "which columns are labels is not saved",
    "saved/save.ts",
    'labels: encodePlain(schema.labels, "labels")',
    'labels: encodePlain([], "labels")',
  ),
]
