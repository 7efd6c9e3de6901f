/**
 * Faults to plant, one at a time, each a small slip of the kind that happens: the suite must notice every one of them.
 * `find` occurs exactly once in its file; where the code changes, its fault changes with it.
 * Long because it is a list.
 */

export interface Fault {
  /** The law that should notice it; tried first, so that the test is quick. */
  readonly law: string
  readonly about: string
  readonly file: string
  readonly find: string
  readonly replace: string
}

function fault(law: string, about: string, file: string, find: string, replace: string): Fault {
  return { law, about, file, find, replace }
}

const SIMPLEX = "kernels/simplex.ts"
const GAUSSIAN = "families/gaussian.ts"
const BAG_ROWS = "kernels/bag-rows.ts"
const WORD_ROWS = "kernels/word-rows.ts"
const WORD_SET = "families/word-set.ts"
const DENSE = "families/normal/dense.ts"
const DIAGONAL = "families/normal/diagonal.ts"
const CONDITIONING = "families/normal/conditioning.ts"
const COMPLETE = "families/normal/complete.ts"
const DENSE_SCORES = "kernels/dense-scores.ts"
const RESPONSIBILITIES = "kernels/responsibilities.ts"
const LINEAR_LEAF = "families/linear/leaf.ts"
const LINEAR_SLOTS = "families/linear/slots.ts"
const SWITCH = "structures/switch.ts"
const SEEDING = "engine/seeding.ts"
const EM = "learners/em.ts"
const SWEEP = "engine/sweep.ts"
const QUESTION = "fitted/question.ts"
const PREDICT = "fitted/predict.ts"
const NUMERIC = "fitted/numeric.ts"
const IMPUTE = "fitted/impute.ts"
const SAMPLE = "fitted/sample.ts"
const DECIDE = "fitted/decide.ts"
const LINEAR = "fitted/to-linear.ts"
const ENCODE = "data/encode.ts"
const HOLDERS = "data/holders.ts"
const CONTRAST = "engine/contrast.ts"
const MOVING = "engine/moving.ts"

export const faults: readonly Fault[] = [
  // ── families ──
  fault(
    "A1.family",
    "a density whose exponent has lost its sign",
    GAUSSIAN,
    "top - 0.5 * precision * d * d",
    "top + 0.5 * precision * d * d",
  ),
  fault(
    "A1.family",
    "the scale of the column is not in the density",
    GAUSSIAN,
    "log(variance)) - logScale",
    "log(variance))",
  ),
  fault(
    "A2.inverse",
    "the variance is not centred",
    GAUSSIAN,
    "within -= stats[p * width] * mean * mean",
    "within -= 0",
  ),
  fault(
    "A3.likelihood",
    "missing cells are counted in n",
    "kernels/slot-sums.ts",
    "if (cell !== cell) continue",
    "if (cell !== cell) parts[0] += weight[row]\n    if (cell !== cell) continue",
  ),
  fault(
    "A2.inverse",
    "a tied variance is not pooled",
    GAUSSIAN,
    "return total > 0 ? within / total",
    "return total > 0 ? within / stats[0]",
  ),
  fault("A2.prior", "the prior forgets its variance", GAUSSIAN, "+= kappa * column.variance", "+= 0"),
  fault(
    "A2.value",
    "the weight is used once where it belongs twice",
    "kernels/diagonal-rows.ts",
    "square0 += wx * a",
    "square0 += a * a",
  ),
  fault(
    "A2.describe",
    "the described spread is a variance",
    GAUSSIAN,
    "sd: column.scale / Math.sqrt(params[slot * 3 + 1])",
    "sd: column.scale / params[slot * 3 + 1]",
  ),
  fault(
    "A9.family",
    "samples have the precision for a spread",
    GAUSSIAN,
    "dice.normal() / Math.sqrt(params[slot * 3 + 1])",
    "dice.normal() * Math.sqrt(params[slot * 3 + 1])",
  ),
  fault(
    "A6.family",
    "a missing level scores as the first",
    "families/categorical.ts",
    "if (codes[i] >= 0) out[at + i] += params[codes[i] * slots + p]",
    "out[at + i] += params[Math.max(codes[i], 0) * slots + p]",
  ),
  fault(
    "A2.value",
    "levels and slots are swapped in the statistics",
    "kernels/level-counts.ts",
    "stats[codes[i] * slots + p] += values[p * rows + i]",
    "stats[(p * stats.length) / slots + codes[i]] += values[p * rows + i]",
  ),
  fault(
    "A2.prior",
    "the prior is added twice",
    "families/categorical.ts",
    "for (let j = 0; j < size; j++) stats[j] += alpha",
    "for (let j = 0; j < size; j++) stats[j] += 2 * alpha",
  ),
  fault(
    "A2.describe",
    "bernoulli describes the chance of no",
    "families/bernoulli.ts",
    "probability: exp(params[slots + slot])",
    "probability: exp(params[slot])",
  ),
  fault(
    "A1.family",
    "the last level gets no probability",
    SIMPLEX,
    "log(Math.max(count, 0) / n)",
    "log(Math.max(l === levels - 1 && levels > 1 ? 0 : count, 0) / n)",
  ),
  fault(
    "A2.value",
    "0 · −∞ is not 0",
    SIMPLEX,
    "if (stats[j] !== 0) total += stats[j] * params[j]",
    "total += stats[j] * params[j]",
  ),
  fault(
    "A1.family",
    "words count once, however often they occur",
    WORD_ROWS,
    "sum += weighed[t] * params[words[t] * slots + p]",
    "sum += params[words[t] * slots + p]",
  ),
  fault(
    "A7.family",
    "counting forgets the weight of the document",
    BAG_ROWS,
    "stats[words[t] * slots + p] += g * weighed[t]",
    "stats[words[t] * slots + p] += weighed[t]",
  ),
  fault(
    "A1.family",
    "absent words do not count",
    WORD_SET,
    "const absent = params[size + slots + p]",
    "const absent = 0",
  ),
  fault("A2.value", "a row keeps what the row before it left", WORD_SET, "      sure.fill(0)\n", ""),
  fault(
    "A1.family",
    "the normal forgets half of the exponent",
    DENSE_SCORES,
    "params[at + 2 * size] - 0.5 * square",
    "params[at + 2 * size] - square",
  ),
  fault(
    "A2.value",
    "tied squares forget the weights",
    COMPLETE,
    "picked.weights[held] = weights.weight[patterns.rows[t]]",
    "picked.weights[held] = 1",
  ),
  fault(
    "A6.family",
    "the conditional covariance is not added",
    CONDITIONING,
    "addSpread(total, seen, stats, layout.squaresAt(matrix))",
    "addSpread(0, seen, stats, layout.squaresAt(matrix))",
  ),
  fault(
    "A3",
    "a missing cell is guessed by the mean alone",
    CONDITIONING,
    "sum += a[at + k] * z[k]",
    "sum += 0 * a[at + k] * z[k]",
  ),
  fault(
    "A6.marginal",
    "the marginal has the determinant of all columns",
    CONDITIONING,
    "top = -0.5 * (seen * LN_2PI",
    "top = -0.5 * (d * LN_2PI",
  ),
  fault(
    "A3",
    "the matrix of the slot before is used again",
    CONDITIONING,
    "          factored = matrix\n          let total",
    "          factored = 0\n          let total",
  ),
  fault(
    "A9.model",
    "draws ignore the correlation",
    CONDITIONING,
    "value += a[row + k] * z[k]",
    "value += k === i ? a[row + k] * z[k] : 0",
  ),
  fault(
    "A2.inverse",
    "a tied matrix is divided by the last slot's weight",
    DENSE,
    "      total += n\n      if (n < 0)",
    "      total = n\n      if (n < 0)",
  ),
  fault(
    "A5.most",
    "a column of a diagonal normal counts the cells of another",
    DIAGONAL,
    "const n = stats[from + j]",
    "const n = stats[from]",
  ),

  fault(
    "A2.value",
    "a regression adds its guess to the cell",
    LINEAR_LEAF,
    "const gap = y[i] - sum",
    "const gap = y[i] + sum",
  ),
  fault(
    "A2.inverse",
    "what is explained stays in the residual variance",
    LINEAR_SLOTS,
    "variance -= beta[j] * beta[j]",
    "variance -= 0",
  ),
  fault(
    "A2.inverse",
    "the moments of a regression forget the slope",
    LINEAR_SLOTS,
    "square += params[to + 1 + j] * along",
    "square += 0",
  ),
  fault(
    "A6.family",
    "a response that is expected has no spread",
    LINEAR_LEAF,
    "stats[to - 1] += w * spread",
    "stats[to - 1] += 0 * spread",
  ),
  fault(
    "A2.describe",
    "the intercept is that of shifted columns",
    LINEAR_LEAF,
    "sum - coefficients[name] * shift",
    "sum - 0 * shift",
  ),
  fault(
    "A9.family",
    "a response is drawn without its line",
    LINEAR_LEAF,
    "y[0] = mean + dice.normal()",
    "y[0] = 0 * mean + dice.normal()",
  ),
  fault(
    "B.refusals",
    "rows that lack what is read are learned from",
    "data/discover.ts",
    "  if (unread) throw unread\n",
    "",
  ),

  // ── structures ──
  fault("A3", "responsibilities are not normalised", RESPONSIBILITIES, "scores[at] * part", "scores[at]"),
  fault(
    "A3",
    "responsibilities are forgotten below another switch",
    SWITCH,
    "values[at] = w * upScores[at]",
    "values[at] = one ? w * upScores[at] : w",
  ),
  fault("A3", "the log of the sum is forgotten", RESPONSIBILITIES, "= shift + logSum", "= shift"),
  fault(
    "A3.likelihood",
    "the switch forgets its own weights",
    SWITCH,
    "const weight = params[paramsAt + s]",
    "const weight = 0 * params[paramsAt + s]",
  ),
  fault(
    "A3",
    "a label that was seen is ignored",
    SWITCH,
    "if (known >= 0 && l !== known) scores",
    "if (known > k && l !== known) scores",
  ),
  fault(
    "A3",
    "the label of the first row stands for all",
    SWITCH,
    "slot[i] = label[i] * slots",
    "slot[i] = label[0] * slots",
  ),
  fault(
    "A5.labels",
    "contexts and levels change places",
    SWITCH,
    "slot[i] = label[i] * slots + weights.slot[i]",
    "slot[i] = label[i] + k * weights.slot[i]",
  ),
  fault(
    "A3.bound",
    "a body for each value gets the rows of its neighbour",
    SWITCH,
    "if (Math.trunc(weights.slot[i] / slots) !== b) continue",
    "if (Math.trunc(weights.slot[i] / slots) !== (b + 1) % bodies.length) continue",
  ),
  fault("A5.strong", "the prior of a mixture is dropped", SWITCH, "mine[j] += alpha", "mine[j] += 0"),
  fault(
    "A9.model",
    "a switch draws its value without looking at the row",
    SWITCH,
    "value = dice.categorical(chances, 0, k)",
    "value = dice.integer(k)",
  ),
  fault(
    "A6.marginal",
    "a part of a product is left out of the posterior",
    "structures/independent.ts",
    "else part.up(block, params, others)",
    "else if (part === parts[0]) part.up(block, params, others)",
  ),
  fault(
    "A3",
    "only the first part of a product learns",
    "structures/independent.ts",
    "for (const part of parts) part.down(block, params, weights, sink)",
    "parts[0].down(block, params, weights, sink)",
  ),
  fault(
    "A3",
    "a workspace keeps what was in it: the responsibilities of values that were seen not to be",
    SWITCH,
    "const values = spread(k * size)",
    "const values = upScores",
  ),
  fault(
    "A7.start",
    "first guesses overrule the labels",
    SEEDING,
    "(value >= 0 ? value : nearestCentre",
    "(value >= 9 ? value : nearestCentre",
  ),
  fault(
    "A6.marginal",
    "a cell asked for keeps its old value",
    "structures/leaf.ts",
    "cells[place] = trial",
    "cells[place] = cells[place] ?? trial",
  ),

  // ── learners, engine ──
  fault(
    "A3",
    "the prior is missing in the M-step",
    "learners/options.ts",
    "if (strength === 0) return stats",
    "if (strength >= 0) return stats",
  ),
  fault(
    "A3",
    "the prior is missing in the objective",
    EM,
    'return prior === 0 ? 0 : prior * problem.value("prior", params)',
    "return 0 * prior * params.length * problem.rows",
  ),
  fault(
    "A3.fixed",
    "the statistics of the step before are kept",
    EM,
    "      stats = swept.stats\n",
    "      stats = iteration > 0 ? stats : swept.stats\n",
  ),
  fault(
    "A3",
    "the log-likelihood forgets the weights",
    SWEEP,
    "sum += weight[i] * scores[i]",
    "sum += scores[i]",
  ),
  fault(
    "A8.merge",
    "scores of a block start from those of the last",
    "kernels/workspace.ts",
    "return part.fill(0)",
    "return part",
  ),
  fault(
    "A3.bound",
    "the entropy has lost its sign",
    SWITCH,
    "entropy += w * upSums",
    "entropy -= w * upSums",
  ),
  fault(
    "A3",
    "a choice counts rows, not weights",
    SWEEP,
    "stats[node.statsAt + slot[i]] += weight[i]",
    "stats[node.statsAt + slot[i]] += 1",
  ),
  fault("A13.seed", "the seed is ignored", "fitted/fit.ts", "dice: dice(seed)", "dice: dice(0 * seed)"),
  fault(
    "B.steps",
    "the worst run is kept",
    "fitted/best.ts",
    "step.objective > best.objective",
    "step.objective < best.objective",
  ),

  // ── the door, answers ──
  fault(
    "A3.likelihood",
    "the share of a soft label is dropped",
    ENCODE,
    "i, i + 1, weights, copy.share)",
    "i, i + 1, weights)",
  ),
  fault("A3.likelihood", "weights are read and forgotten", ENCODE, "= weights[i] * share", "= share"),
  fault(
    "A10.affine",
    "numbers are shifted the wrong way",
    HOLDERS,
    "const value = (doubles[i] - shift) * inverse",
    "const value = (doubles[i] + shift) * inverse",
  ),
  fault("B.unseen", "unseen levels become the first level", HOLDERS, "= code ?? -1", "= code ?? 0"),
  fault(
    "A7.onehot",
    "levels stand in the order in which they were met",
    "data/cells.ts",
    "return [...levels].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0))",
    "return [...levels]",
  ),
  fault(
    "A5.labels",
    "the mean forgets the weights",
    "data/moments.ts",
    "sums[i & 7] += kept[RUN + i] * (kept[i] * inverse)",
    "sums[i & 7] += kept[i] * inverse",
  ),
  fault(
    "A1.posterior",
    "logarithms of posteriors are not normalised",
    "kernels/posterior-rows.ts",
    "logs[at] - sums[i]",
    "logs[at]",
  ),
  fault(
    "A1.posterior",
    "exp without shifting by the largest",
    RESPONSIBILITIES,
    "= max > -Infinity ? max : 0",
    "= 0",
  ),
  fault(
    "B.batch",
    "the rows of the second block overwrite the first",
    "kernels/posterior-rows.ts",
    "turn(scores, k, probabilities, at)",
    "turn(scores, k, probabilities, 0)",
  ),
  fault(
    "A3.likelihood",
    "a fitted model forgets its prior",
    "fitted/predictor.ts",
    "withPrior(stats, priorOf(laid), prior)",
    "withPrior(stats, priorOf(laid), 0 * prior)",
  ),

  // ── questions ──
  fault(
    "A11.prior",
    "the model's own prior is not divided out",
    QUESTION,
    "log(shift[l]) - factors[l]",
    "log(shift[l])",
  ),
  fault(
    "A11.prior",
    "class weights are added to logarithms",
    QUESTION,
    "factors[l] += log(weights[l])",
    "factors[l] += weights[l]",
  ),
  fault(
    "A6.worlds",
    "a question forgets how frequent the levels are",
    SWITCH,
    "fillWeights(out, block.rows, params)\n",
    "",
  ),
  fault(
    "A6.worlds",
    "classes with one matrix begin their lines elsewhere",
    "families/normal/lines.ts",
    "params[at] = -0.5 * square",
    "params[at] = -square",
  ),
  fault(
    "A6.worlds",
    "the least probable level is the label",
    "kernels/best-rows.ts",
    "if (score > most) {",
    "if (score < most) {",
  ),
  fault(
    "A6.worlds",
    "the least probable level is predicted",
    PREDICT,
    "if (probabilities[at + l] > probabilities[at + best]) best = l",
    "if (probabilities[at + l] < probabilities[at + best]) best = l",
  ),
  fault(
    "A6.numbers",
    "the interval leaves out twice what it should",
    PREDICT,
    "const tail = (1 - coverage) / 2",
    "const tail = 1 - coverage",
  ),
  fault(
    "A6.numbers",
    "the spread is told in other units than the number",
    PREDICT,
    "sd: scale * belief.sd(i)",
    "sd: belief.sd(i)",
  ),
  fault(
    "A6.numbers",
    "what lies between the components is no spread",
    NUMERIC,
    "variance[row] + gap * gap",
    "variance[row]",
  ),
  fault(
    "A6.numbers",
    "quantiles take every component for as likely as another",
    NUMERIC,
    "total += weight[row] * leaf.cdf",
    "total += (1 / shares.length) * leaf.cdf",
  ),
  fault(
    "A6.numbers",
    "the first row's responsibilities stand for all",
    NUMERIC,
    "weights.values.slice(slot * rows, (slot + 1) * rows)",
    "new Float64Array(rows).fill(weights.values[slot * rows])",
  ),
  fault(
    "A6.fill",
    "cells that were seen are filled",
    IMPUTE,
    " || !isHole(column, block.cells[place], i)) return",
    ") return",
  ),
  fault(
    "A6.fill",
    "a level that is new is overwritten",
    IMPUTE,
    "Object.hasOwn(strange, column.name) || ",
    "",
  ),
  fault(
    "A6.fill",
    "the doubt about a level is its probability",
    IMPUTE,
    "spread: Math.max(1 - chances[best * rows + row], 0)",
    "spread: chances[best * rows + row]",
  ),
  fault(
    "A6.fill",
    "a level is filled as if nothing else were known",
    IMPUTE,
    "weights[s % node.slots], odds[s])",
    "new Float64Array(rows).fill(1 / node.slots), odds[s])",
  ),
  fault(
    "A6.draws",
    "drawn tables hold nothing of the row",
    IMPUTE,
    "table.push({ ...given[first + i], ...Object.fromEntries(holes) })",
    "table.push({ ...given[0], ...Object.fromEntries(holes) })",
  ),
  fault(
    "A6.draws",
    "every table is drawn by the same dice",
    IMPUTE,
    "dice([seed, j])",
    "dice([seed, 0 * j])",
  ),
  fault(
    "A6.draws",
    "every row is drawn as the first of its block",
    SAMPLE,
    "rowOf(columns, block, row, words)",
    "rowOf(columns, block, 0 * row, words)",
  ),
  fault(
    "A9.sample",
    "the seed of a sample is ignored",
    SAMPLE,
    "const draws = dice(seed)",
    "const draws = dice(0 * seed)",
  ),
  fault(
    "A9.evidence",
    "what is given is not looked at",
    SAMPLE,
    "Object.hasOwn(given, name) ? given[name] : null",
    "null",
  ),
  fault(
    "A9.evidence",
    "a switch is drawn by its prior, whatever the row holds",
    SWITCH,
    "const scores = joints(block, params)\n        const chances",
    "const scores = paramsOf(params)\n        const chances",
  ),
  fault(
    "A11.risk",
    "the action of most risk is chosen",
    DECIDE,
    "if (risks[a] < risks[best]) best = a",
    "if (risks[a] > risks[best]) best = a",
  ),
  fault(
    "A11.risk",
    "what is impossible costs as much as it would",
    DECIDE,
    "if (p > 0 && costs[l][a] !== 0) risk += p * costs[l][a]",
    "risk += (p + 1e-3) * costs[l][a]",
  ),
  fault(
    "A11.reject",
    "declining is free",
    DECIDE,
    "costs.map(row => [...row, reject])",
    "costs.map(row => [...row, 0])",
  ),
  fault(
    "A6.strange",
    "usual rows are called strange",
    "fitted/anomalies.ts",
    "filter(i => scores[i] < threshold)",
    "filter(i => scores[i] > threshold)",
  ),
  fault(
    "A6.strange",
    "a frequent level makes its rows typical",
    "fitted/prototypes.ts",
    "logDensity: score - prior[best]",
    "logDensity: score",
  ),
  fault(
    "A6.explained",
    "both levels speak for the first",
    "fitted/terms.ts",
    "totals[0][c] - totals[1][c]",
    "totals[0][c] + totals[1][c]",
  ),
  fault(
    "A6.explained",
    "the prior has seen the row",
    "fitted/explain.ts",
    "scaled.logJoint(a, 0, { ...block, cells })",
    "scaled.logJoint(a, 1, { ...block, cells })",
  ),
  fault(
    "A2.shares",
    "shares of a normal forget the correlation",
    "families/normal/shares.ts",
    "const own = delta[k] * solved[k]",
    "const own = delta[k] * delta[k]",
  ),
  fault(
    "A6.linear",
    "the log-odds forget how frequent the levels are",
    LINEAR,
    'sums.add({ kind: "1" }, l, node.logWeight(params, 0, l))',
    'sums.add({ kind: "1" }, l, 0)',
  ),
  fault(
    "A6.linear",
    "weights in the units of the data, a bias in others",
    LINEAR,
    'this.add({ kind: "1" }, level, -weight * (shift / scale))',
    'this.add({ kind: "1" }, level, 0)',
  ),
  fault(
    "A8.update",
    "statistics are moved as if no class were new",
    "engine/transfer.ts",
    "at = at * wide[d] +",
    "at = at * sizes[d] +",
  ),
  fault(
    "A8.update",
    "the rows of a new level go to an old one",
    "engine/transfer.ts",
    "return old.map(name => at.get(name)!)",
    "return old.map(() => at.get(fresh[0])!)",
  ),
  fault(
    "A8.update",
    "what was learned before is forgotten",
    "engine/learnable.ts",
    "stats: stats.map((value, j) => value + base[j])",
    "stats: stats.map(value => value + 0 * base.length)",
  ),
  fault(
    "A3.update",
    "the likelihood of earlier rows is left out",
    "engine/learnable.ts",
    "logLikelihood + problem.value(base, params)",
    "logLikelihood + 0 * problem.value(base, params)",
  ),

  // ── learners that take steps ──
  fault(
    "A4",
    "the right level is pushed away",
    CONTRAST,
    "values[slot[i] * rows + i] += weight[i]",
    "values[slot[i] * rows + i] -= weight[i]",
  ),
  fault(
    "A4",
    "the hidden side forgets the weight of the row",
    CONTRAST,
    "values[at + i] *= -weight[i]",
    "values[at + i] *= -1",
  ),
  fault(
    "A4",
    "statistics of rows with holes are not completed",
    CONTRAST,
    'complete(laid, whole, stats, params, regime.against === "nothing" ? found.weight : 0)',
    "void complete",
  ),
  fault(
    "A4",
    "documents that are missing take no word along",
    "engine/word-sets.ts",
    "share * (came[p] - seen[p])",
    "0 * (came[p] - seen[p])",
  ),
  fault(
    "A4",
    "absent words are summed up with the wrong sign of the series",
    "kernels/absent-words.ts",
    "/ n[p]) - series",
    "/ n[p]) + series",
  ),
  fault(
    "A4",
    "the rival is the worst of the wrong levels",
    CONTRAST,
    "!(scores[at] > height)",
    "!(scores[at] < height)",
  ),
  fault(
    "A4",
    "rows count until they are right, whatever the margin",
    CONTRAST,
    "if (!(gap < margin)) continue",
    "if (!(gap < 0)) continue",
  ),
  fault(
    "A4",
    "the rival is drawn near instead of pushed away",
    CONTRAST,
    "against[i] = -weight[i]",
    "against[i] = weight[i]",
  ),
  fault(
    "A4",
    "a target in a leaf is never hidden",
    CONTRAST,
    "      hidden,\n      weight.map(w => -w),",
    "      block,\n      weight.map(w => -w),",
  ),
  fault(
    "A7.classes",
    "class weights are ignored",
    CONTRAST,
    "weight[i] = factors ? block.weight[i] * factors[cells[i]] : block.weight[i]",
    "weight[i] = block.weight[i]",
  ),
  fault(
    "A4",
    "a batch moves by its rows, not by their weight",
    MOVING,
    "((1 - generative) * delta[j]) / expected",
    "((1 - generative) * delta[j]) / block.rows",
  ),
  fault(
    "A5.batch",
    "online EM never forgets",
    MOVING,
    "generative * towards * (plain[j] / seen - before[j])",
    "generative * towards * (plain[j] / seen)",
  ),
  fault(
    "A4.prior",
    "the prior pushes",
    MOVING,
    "direction += ((1 - generative) * firmness",
    "direction -= ((1 - generative) * firmness",
  ),
  fault(
    "A8.state",
    "θ stays where it was when the moments move",
    MOVING,
    "      resolve()\n      const masses",
    "      const masses",
  ),
  fault(
    "A4.mass",
    "the guard looks away",
    "engine/guard.ts",
    "return slots.inside(stats, slot)",
    "return stats.length >= 0",
  ),
  fault(
    "A8.state",
    "words move, the sum over all words does not",
    "engine/words.ts",
    "due += pull\n      for (let p = 0; p < slots; p++) params[size + p] = log(totals[p])",
    "due += pull",
  ),
  fault(
    "A5.still",
    "the prior is added once more to what it has pulled",
    "learners/sdem.ts",
    "        added: 0,",
    "        added: prior,",
  ),
  fault(
    "A5.averaged",
    "the first half of the steps is averaged",
    "learners/descend.ts",
    "2 * t > total",
    "2 * t <= total",
  ),
  fault(
    "A8.resume",
    "a resumed average begins anew",
    "engine/averages.ts",
    "this.#averages = from.map(({ mean, steps }) => this.#begun(mean.slice(), steps))",
    "this.#averages = from.slice(2).map(({ mean, steps }) => this.#begun(mean.slice(), steps))",
  ),
  fault(
    "A5.average",
    "the plain average counts one step too many",
    "learners/schedule.ts",
    "1 / t",
    "1 / (t + 1)",
  ),
  fault(
    "A5.generative",
    "all generative is a little discriminative",
    "learners/sdem.ts",
    "if (generative === 1) {",
    "if (generative === 2) {",
  ),
  fault(
    "A5.batch",
    "the last rows never come",
    "engine/shuffle.ts",
    "while (buffer.length > 0) yield",
    "while (buffer.length >= size) yield",
  ),

  // ── saving ──
  fault(
    "A14",
    "the strength of the prior is not saved",
    "saved/save.ts",
    'prior: encodePlain(prior, "prior")',
    'prior: encodePlain(0, "prior")',
  ),
  fault(
    "A14",
    "statistics are saved in single precision",
    "saved/save.ts",
    "statistics: float64ToBase64(stats)",
    "statistics: float64ToBase64(stats.map(Math.fround))",
  ),
  fault(
    "A14",
    "which columns are labels is not saved",
    "saved/save.ts",
    'labels: encodePlain(schema.labels, "labels")',
    'labels: encodePlain([], "labels")',
  ),
]
