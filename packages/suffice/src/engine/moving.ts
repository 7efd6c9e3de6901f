/**
 * Moments η that move by one mini-batch after the other, with θ(η).
 *
 *     η ← η + ρ [ λ·( mean E[s | row] − η )  +  (1 − λ)·mean( E[s | +] − E[s | −] )  +  (1 − λ)·( α − ν·E[s | θ] )/n ]
 *
 * In the code η is `eta`, λ `generative`, n `weight`, α `prior`. λ = 1 is online EM: there the prior enters as in EM, θ(n·η + α). For λ < 1 it is
 * the last term, a pull that moves no mass, and is not added to θ. With λ = 0 or 1, parts of many entries move entry by entry (Leaf.sparse).
 *
 * Long because a step and what it starts from share their arrays.
 */
import { blockAt } from "../blocks/encoded.ts"
import type { Block, Chunk } from "../contract/block.ts"
import type { Course, Grown, Moving, MovingState } from "../contract/moving.ts"
import type { Part } from "../contract/part.ts"
import { exp } from "../kernels/exp.ts"
import { log } from "../kernels/log.ts"
import { openWordMemory } from "../kernels/word-memory.ts"
import { Averages } from "./averages.ts"
import { entryRanges } from "./axes.ts"
import { stretchOf, unitsOf } from "./banks.ts"
import { contrast, gathering } from "./contrast.ts"
import { grownCounts, isNew } from "./grown.ts"
import { guarding, HALVINGS } from "./guard.ts"
import { type Laid, solve, spreadOf } from "./lay.ts"
import { ownMass } from "./masses.ts"
import { meeting } from "./meeting.ts"
import { pulling, rangesOf, walk } from "./pull.ts"

export function moving(
  laid: Laid,
  table: {
    readonly prior: Float64Array
    readonly weight: number
    readonly inMemory?: readonly Chunk[] | undefined
  },
  from: Float64Array | MovingState | Grown,
  {
    regime,
    generative,
    prior: strength,
    spread: given,
    inertia,
    isExact = false,
    averagesWords = false,
  }: Course,
): Moving {
  const size = laid.statistics
  const { prior } = table
  // grows with a stream
  let { weight } = table
  const begun = ("moments" in from ? from.begun : undefined) ?? weight
  const sparse = laid.parts.filter(
    ({ leaf }) => leaf.sparse && (generative === 0 || (generative === 1 && leaf.sparse.shrinks)),
  )
  const dense = laid.parts.filter(part => !sparse.includes(part))
  const ranges = rangesOf(dense)
  /** Parts whose moments move by the mean over rows: their prior goes by how many slots share the rows. */
  const averaged = laid.parts.filter(part => !sparse.includes(part) || !part.leaf.lengthGiven)
  /** Strength of the prior beside η: online EM's is θ(n·η + α). */
  const added = generative === 1 ? strength : 0
  const isState = "moments" in from
  /** Discriminative steps need a fixed spread: the given one, or that of the first statistics. */
  const spread = given ?? (generative < 1 ? spreadOf(laid, countsIn(from, weight)) : undefined)
  /** Parts whose rows stay in the memory of the kernels; all moments are then allocated there too. */
  const kept = sparse.flatMap(part => (part.leaf.sparse?.room ? { part, room: part.leaf.sparse.room } : []))
  const memory = openWordMemory({
    numbers: kept.length > 0 ? size + laid.parameters + sum(kept, ({ room }) => room.numbers) : 0,
    longest: most(kept, ({ room }) => room.longest),
    slots: most(kept, ({ part }) => part.slots),
    kept: sum(kept, ({ part, room }) =>
      sum(table.inMemory?.flat() ?? [], block => room.kept(blockOf(part, block))),
    ),
    scratch: most(kept, ({ room }) => room.scratch),
    isExact,
  })
  const eta = memory.numbers(size)
  if (isState) eta.set(from.moments)
  else firstMoments(from, eta)
  const params = memory.numbers(laid.parameters)
  // sparse parts compute their own θ
  if (from instanceof Float64Array) for (const part of dense) part.solve(from, 0, params, spread)
  const counts = new Float64Array(size)
  // cut once: there may be thousands of parts, and every mini-batch solves them all
  const units = unitsOf(laid.banks, dense)
  const solved = units.map(unit => ({
    unit,
    counts: unit.statsOf(counts),
    params: unit.paramsOf(params),
    spread: spread && unit.spreadOf(spread),
  }))
  if (!(from instanceof Float64Array)) resolve()
  const entries = sparse.map(part => {
    const own = { moments: part.statsOf(eta), params: part.paramsOf(params), prior: part.statsOf(prior) }
    const shrinks = generative === 1
    const start = {
      ...own,
      strength,
      added,
      weight,
      begun,
      holdsPrior: from instanceof Float64Array,
      inertia: inertiaOf(part, part.slots),
      shrinks,
      averaged: averagesWords,
    }
    return { part, moving: part.leaf.sparse!.move(start), none: new Float64Array(part.slots) }
  })
  const averages = new Averages(
    ranges,
    isState ? from.averages : [],
    entries.flatMap(({ part: { statsAt, statistics }, moving: { average } }) =>
      average ? [{ from: statsAt, to: statsAt + statistics, begin: average }] : [],
    ),
  )
  const pull = generative < 1 && strength > 0 ? pulling(laid, dense, prior, spread!, params, eta) : undefined
  const met = from instanceof Float64Array ? undefined : from.met
  const all = meeting(met?.all)
  const contrasted = meeting(met?.contrasted)
  const before = new Float64Array(size)
  const delta = new Float64Array(size)
  const slots = Math.max(
    1,
    most(averaged, part => part.slots),
  )
  const plain = new Float64Array(generative > 0 ? size : 0)
  // sparse parts receive weights, dense ones statistics
  const apart = new Map(entries.map(({ part, moving }) => [part, moving]))
  const gathered = gathering(laid, params, delta, apart)
  const gatheredPlain = generative > 0 ? gathering(laid, params, plain, apart) : undefined
  const guard = generative < 1 ? guarding(laid, dense, before, eta, prior, spread!) : undefined
  const stretches = units.map(unit => stretchOf(unit, eta))
  /** Sparse parts whose contexts have masses. */
  const weighed = new Map(sparse.flatMap(part => (part.leaf.lengthGiven ? [] : [[part, part]])))

  return {
    step(block, rho, perDocument) {
      weight = table.weight
      for (const { part, moving } of entries) moving.refresh?.(blockOf(part, block))
      let loss = 0
      let counted = 0
      let contributing = 0
      let expected = 0
      if (generative < 1) {
        const found = contrast(laid, block, params, regime, delta, gathered)
        loss += (1 - generative) * found.loss
        counted = found.weight
        contributing = contrasted.meet(found)
        // the mean is over all rows of the block: those without the target contribute 0
        expected = found.rows > 0 ? contributing * (block.rows / found.rows) : 0
      }
      let seen = 0
      // weight of the block relative to as many average rows
      let heft = 0
      if (generative > 0) {
        const found = contrast(laid, block, params, { against: "nothing" }, plain, gatheredPlain)
        loss += generative * found.loss
        seen = found.weight
        heft = seen > 0 ? seen / all.meet(found) : 0
        // both means in units of the rows with a target, so that λ weighs one against the other
        if (generative < 1) heft *= contrasted.tally().rows / all.tally().rows
      }
      const pulled = pull?.()
      const firmness = strength * Math.min(1, (ENOUGH * slots) / weight)
      const pulledMasses = pulled && massesOf(pulled, 0)
      for (const { from, to, isSummed, breadth } of stretches) {
        const whole =
          isSummed && perDocument !== undefined ? (perDocument * Math.max(expected, seen)) / weight : rho
        const step = Math.min(whole, (CAUTION * block.rows) / breadth)
        // no step goes beyond the mean of its rows
        const towards = Math.min(whole * heft, 1)
        for (let j = from; j < to; j++) {
          before[j] = eta[j]
          let direction = 0
          if (expected > 0) direction += ((1 - generative) * delta[j]) / expected
          if (pulled) direction += ((1 - generative) * firmness * pulled[j]) / weight
          eta[j] += step * direction
          if (seen > 0) eta[j] += generative * towards * (plain[j] / seen - before[j])
        }
      }
      for (const [start, end] of ranges) {
        delta.fill(0, start, end)
        plain.fill(0, start, end)
      }
      let guarded = guard?.(weight) ?? 0
      resolve()
      const masses = massesOf(eta, 1)
      const towards = generative === 1 ? Math.min(rho * heft, 1) : 0
      const each = generative === 1 ? (seen > 0 ? towards / seen : 0) : (perDocument ?? rho) / weight
      for (const { part, moving, none } of entries) {
        guarded += moving.step(blockOf(part, block), {
          each,
          due: each * contributing,
          towards,
          weight,
          mean: expected > 0 ? rho / expected : 0,
          pull: pulledMasses ? (rho * firmness) / weight : 0,
          delivered: gathered.masses.of(part) ?? none,
          pulledMass: pulledMasses?.get(part) ?? none,
          mass: masses.get(part),
          halvings: HALVINGS,
        })
      }
      return { loss, weight: Math.max(counted, seen), guarded }
    },

    judge() {
      const stats = this.stats()
      const wide = spread ?? spreadOf(laid, stats)
      const handed = solve(laid, stats, added, wide).params
      const unused = new Float64Array(size)
      const into = gathering(laid, handed, unused)
      return block => contrast(laid, block, handed, regime, unused.fill(0), into).loss
    },

    average: () => averages.add(eta),
    restart: () => averages.restart(size),
    settle() {
      for (const { moving } of entries) moving.settle()
    },
    stats: () => averages.over(momentsNow(), weight),
    state: () => ({
      moments: momentsNow(),
      averages: averages.state(),
      met: { all: all.tally(), contrasted: contrasted.tally() },
      begun,
    }),
  }

  /** The rows of a part: of one inside steps, the steps. */
  function blockOf({ steps }: Part, block: Block): Block {
    return blockAt(laid.columns, block, steps)
  }

  function momentsNow(): Float64Array {
    const now = eta.slice()
    for (const { part, moving } of entries) {
      moving.write?.(now.subarray(part.statsAt, part.statsAt + part.statistics))
    }
    return now
  }

  /** The masses of the contexts of sparse parts by these statistics, `total` at the root. */
  function massesOf(stats: Float64Array, total: number): Map<Part, Float64Array> {
    const masses = new Map<Part, Float64Array>()
    if (weighed.size > 0) {
      walk(laid, weighed, stats, total, (part, mass) => void (mass && masses.set(part, mass.slice())))
    }
    return masses
  }

  /** θ(n·η + added·α) of the dense parts. */
  function resolve(): void {
    for (const [start, end] of ranges) {
      for (let j = start; j < end; j++) counts[j] = eta[j] * weight
    }
    const wide = spread ? undefined : spreadOf(laid, counts)
    for (const { unit, counts, params, spread } of solved)
      unit.leaf.solve(counts, added, params, spread ?? unit.spreadOf(wide!))
  }

  /** moments (zeros on entry) ← E[s | θ] of one row; for bags, whose length is given, counts/n plus the inertia of each word. */
  function firstMoments(given: Float64Array | Grown, moments: Float64Array): void {
    const before = given instanceof Float64Array ? undefined : given.grown
    const counts = before
      ? grownCounts(laid, before, spread ?? spreadOf(laid, before))
      : (given as Float64Array)
    const first = new Float64Array(laid.parameters)
    laid.root.descend(moments, Float64Array.of(1), (part, counted) => {
      const mass = counted ?? ownMass(part, counts).map(own => own / weight)
      if (part.leaf.lengthGiven) {
        const more = generative === 0 && sparse.includes(part) ? inertiaOf(part, openness(mass)) : 0
        // only slots that are new lack it
        const fresh = before && isNew(part, before)
        const own = part.statsOf(moments)
        own.set(part.statsOf(counts))
        for (const [from, to] of more > 0 ? entryRanges(part) : [])
          for (let j = from; j < to; j++) if (!fresh || fresh[j]) own[j] += more
        for (let j = 0; j < own.length; j++) own[j] /= weight
        return
      }
      part.solve(counts, 0, first, spread)
      part.moments(first, mass, moments)
    })
  }

  /**
   * Pseudo-counts that every word starts with in each slot. Hinge moves two slots of a row by its whole weight; the other losses move every slot by a
   * little, and the more slots share the rows, the fewer rows each has: they get 1/√(2k) of the inertia, k = e^H being the effective number of slots. On training
   * rows of ten corpora with 2 to 50 classes that gets 84.87 % (log-loss 0.541), and k = slots 84.76 % (0.538); the gain is where classes are uneven:
   * bench/studies/defaults.md.
   */
  function inertiaOf({ leaf }: Part, k: number): number {
    return inertia ?? (leaf.sparse?.inertia ?? 0) / (regime.against === "rival" ? 1 : Math.sqrt(2 * k))
  }
}

/** e^H of these masses: the number of equal ones with the same entropy. */
function openness(mass: Float64Array): number {
  const total = mass.reduce((sum, m) => sum + m, 0)
  let entropy = 0
  for (const m of mass) if (m > 0) entropy -= (m / total) * log(m / total)
  return exp(entropy)
}

/**
 * No step takes more than this fraction of what a row can remove from a correlated normal before it leaves the domain (Leaf.breadth). On
 * training rows of letter-recognition with full normals (d = 16, 26 classes; 12,000 rows, 4,000 held out) hinge gets 94.1 % with 1/16, and no step is
 * guarded; with 1/8 every second step is, the loss explodes on the way, and it ends at 92.5 %. Without a limit (4,500 rows, 1,900 held out) NCLL ends at a
 * log-loss of 0.46, with it at 0.35.
 */
const CAUTION = 1 / 16

/**
 * Rows per slot up to which the prior pulls with its full strength; beyond, with ENOUGH·slots/n of it. A row that is predicted well no longer
 * holds its slot in place, but the prior pulls at every step: over Σρ ≈ 25 it is worth 25 pseudo-rows. That improves the log-loss for slots of up to
 * some 560 rows, hardly for 1,100, and blurs narrow slots of 7,500: bench/studies/pull.md.
 */
const ENOUGH = 1000

function countsIn(from: Float64Array | MovingState | Grown, weight: number): Float64Array {
  if (from instanceof Float64Array) return from
  return "grown" in from ? from.grown : from.moments.map(moment => moment * weight)
}

function most<T>(things: readonly T[], of: (thing: T) => number): number {
  return things.reduce((largest, thing) => Math.max(largest, of(thing)), 0)
}

function sum<T>(things: readonly T[], of: (thing: T) => number): number {
  return things.reduce((total, thing) => total + of(thing), 0)
}
