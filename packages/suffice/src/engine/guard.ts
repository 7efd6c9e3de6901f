/**
 * Steps that would leave the domain are shortened, slot by slot. A slot gets the mass of its context or, if no part counts that, its own mass after the
 * step; its shape, the moments per unit of mass, moves back towards where it was until θ exists.
 *
 *     shape = (1 − t)·before/m₀ + t·after/m₁,   t = 1, ½, ¼, … 0          slot = mass · shape
 *
 * If all slots share an array (a tied variance), they move together.
 */
import type { Bank, BankedParts } from "../contract/bank.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Part } from "../contract/part.ts"
import { ownersOf } from "./axes.ts"
import { headOf, unitsOf } from "./banks.ts"
import type { Laid } from "./lay.ts"
import { ownMass } from "./masses.ts"
import { walk } from "./pull.ts"

/** A step is halved this often at most; then it is not taken. */
export const HALVINGS = 12
/** A slot with less than this share of all mass is empty. */
const EMPTY = 1e-9
/** A mass that is off by less is right. */
const ROUNDING = 1e-9
/** Pseudo-counts a word keeps if the prior gives it none. */
const LEAST = 1e-3

/**
 * A guard over these parts: each call corrects `after` in place, and returns how many slots were moved back. Masses that are off by rounding are set right.
 * Counts of words are clamped to those of the prior, per row, all rows having `weight`; those of a chain's transitions to a hundredth of it. `spread`: V, which the bounds on variances are relative to.
 */
export function guarding(
  laid: Laid,
  parts: readonly Part[],
  before: Float64Array,
  after: Float64Array,
  prior: Float64Array,
  spread: Float64Array,
): (weight: number) => number {
  const guarded = (part: Part): GuardedPart => guardedPart(part, before, after, spread)
  const byPart = new Map(
    unitsOf(laid.banks, parts).map(unit => [
      headOf(unit),
      "parts" in unit ? guardedBank(unit, after, spread, guarded) : guarded(unit),
    ]),
  )
  return weight => {
    let count = 0
    walk(laid, byPart, after, 1, (own, mass) => {
      if (!("leaf" in own)) count += guardPart(own, mass, weight)
      // few parts of a bank go astray: the others are not looked at one by one
      else if (!mass) for (let j = 0; j < own.size; j++) count += guardPart(own.part(j), undefined, weight)
      else
        for (let j = own.next(mass, 0); j >= 0; j = own.next(mass, j + 1))
          count += guardPart(own.part(j), mass, weight)
    })
    return count
  }

  /** How many of its slots were moved back. */
  function guardPart(own: GuardedPart, counted: Float64Array | undefined, weight: number): number {
    const { part, slots, old, fresh, spread } = own
    if (!slots) {
      for (let j = part.ranges.statsAt; j < part.ranges.statsAt + part.leaf.shape.statistics; j++) {
        const least = part.role !== "leaf" ? leastChoice(before[j], prior[j]) : prior[j] || LEAST
        after[j] = Math.max(after[j], least / weight)
      }
      return 0
    }
    const mass = counted ?? reachableMass(part, before, after)
    if (slots.shared) {
      const wrong = mass.some((wanted, p) => !fine(slots, fresh, p, wanted, spread))
      return wrong ? shortenAll(slots, old, fresh, mass, spread) : 0
    }
    let count = 0
    for (let p = 0; p < mass.length; p++) {
      if (!fine(slots, fresh, p, mass[p], spread)) count += shortenOne(slots, old, fresh, mass[p], p, spread)
    }
    return count
  }
}

interface GuardedBank {
  readonly leaf: Bank
  readonly size: number
  /** The first part from `from` on that must be corrected; −1: none. */
  next(mass: Float64Array, from: number): number
  part(j: number): GuardedPart
}

function guardedBank(
  { leaf, parts, ranges: { statsOf, spreadOf } }: BankedParts,
  after: Float64Array,
  spread: Float64Array,
  guarded: (part: Part) => GuardedPart,
): GuardedBank {
  const fresh = statsOf(after)
  const own = spreadOf(spread)
  const made: GuardedPart[] = []
  return {
    leaf,
    size: parts.length,
    next: (mass, from) => leaf.firstAstray(fresh, mass, ROUNDING, own, from),
    part(j) {
      made[j] ??= guarded(parts[j])
      return made[j]
    },
  }
}

/** What never occurred need not be possible; what did keeps a hundredth of its pseudo-counts, so that it can fall far below what was never seen. */
function leastChoice(before: number, prior: number): number {
  return before > 0 ? 0.01 * prior || LEAST : 0
}

/** A part and its stretch of each array, cut once: there may be thousands of parts, and a call for every mini-batch. */
interface GuardedPart {
  readonly part: Part
  /** Undefined: counts of words. */
  readonly slots: Slots | undefined
  readonly old: Float64Array
  readonly fresh: Float64Array
  readonly spread: Float64Array
}

function guardedPart(
  part: Part,
  before: Float64Array,
  after: Float64Array,
  spread: Float64Array,
): GuardedPart {
  return {
    part,
    slots: part.leaf.shape.lengthGiven ? undefined : slotsOf(part),
    old: part.ranges.statsOf(before),
    fresh: part.ranges.statsOf(after),
    spread: part.ranges.spreadOf(spread),
  }
}

/** The part's own masses, moved from `before` towards `after` as far as no slot becomes empty. */
function reachableMass(part: Part, before: Float64Array, after: Float64Array): Float64Array {
  const old = ownMass(part, before)
  const fresh = ownMass(part, after)
  for (let halvings = 0; halvings < HALVINGS; halvings++) {
    const t = 1 / (1 << halvings)
    const mass = fresh.map((m, p) => (t < 1 ? old[p] + t * (m - old[p]) : m))
    const least = EMPTY * mass.reduce((sum, m) => sum + m, 0)
    if (mass.every((m, p) => m > least || m === old[p])) return mass
  }
  return old
}

/** What the guard needs to know of a part. */
interface Slots {
  readonly leaf: Leaf
  /** Some array belongs to all slots together. */
  readonly shared: boolean
  /** The slot that each number belongs to; −1: all of them. */
  readonly owner: Int32Array
  /** The numbers of each slot, where none are shared. */
  readonly entries: readonly Int32Array[]
  /** Scratch: statistics of a shortened step. */
  readonly tried: Float64Array
}

function slotsOf(part: Part): Slots {
  const owner = ownersOf(part)
  const shared = owner.includes(-1)
  const entries: number[][] = Array.from({ length: shared ? 0 : part.leaf.shape.slots }, () => [])
  if (!shared) for (const [j, p] of owner.entries()) entries[p].push(j)
  return {
    leaf: part.leaf,
    shared,
    owner,
    entries: entries.map(own => Int32Array.from(own)),
    tried: new Float64Array(owner.length),
  }
}

function fine(
  slots: Slots,
  stats: Float64Array,
  slot: number,
  wanted: number,
  spread: Float64Array,
): boolean {
  if (!(Math.abs(slots.leaf.mass(stats, slot) - wanted) <= ROUNDING * wanted)) return false
  return slots.leaf.inside(stats, slot, spread)
}

/** Give the slot its mass, and move it back until it is inside; returns 1 if it had to be moved. Nothing but its own numbers is read: a part may have thousands of slots. */
function shortenOne(
  { leaf, entries, tried }: Slots,
  old: Float64Array,
  fresh: Float64Array,
  wanted: number,
  slot: number,
  spread: Float64Array,
): number {
  const own = entries[slot]
  const before = leaf.mass(old, slot)
  const after = leaf.mass(fresh, slot)
  let t = 1
  for (let halvings = 0; halvings <= HALVINGS; halvings++) {
    t = halvings === HALVINGS ? 0 : 1 / (1 << halvings)
    for (let e = 0; e < own.length; e++)
      tried[own[e]] = shaped(old[own[e]], before, fresh[own[e]], after, wanted, t)
    if (t === 0 || (after > 0 && leaf.inside(tried, slot, spread))) break
  }
  for (let e = 0; e < own.length; e++) fresh[own[e]] = tried[own[e]]
  return t < 1 ? 1 : 0
}

/** The same for all slots together, which share an array. */
function shortenAll(
  { leaf, owner, tried }: Slots,
  old: Float64Array,
  fresh: Float64Array,
  mass: Float64Array,
  spread: Float64Array,
): number {
  const own = (stats: Float64Array): Float64Array => mass.map((_, p) => leaf.mass(stats, p))
  const sum = (masses: Float64Array): number => masses.reduce((total, m) => total + m, 0)
  const [before, after] = [own(old), own(fresh)]
  const all = { before: sum(before), after: sum(after), wanted: sum(mass) }
  let t = 1
  for (let halvings = 0; halvings <= HALVINGS; halvings++) {
    t = halvings === HALVINGS ? 0 : 1 / (1 << halvings)
    for (let j = 0; j < tried.length; j++) {
      const p = owner[j]
      tried[j] =
        p < 0
          ? shaped(old[j], all.before, fresh[j], all.after, all.wanted, t)
          : shaped(old[j], before[p], fresh[j], after[p], mass[p], t)
    }
    if (t === 0 || mass.every((_, p) => after[p] > 0 && leaf.inside(tried, p, spread))) break
  }
  fresh.set(tried)
  return t < 1 ? 1 : 0
}

/** mass · ((1 − t)·before/m₀ + t·after/m₁); a slot whose context is empty has no shape. */
function shaped(before: number, m0: number, after: number, m1: number, mass: number, t: number): number {
  return mass === 0 ? 0 : mass * ((1 - t) * (before / m0) + (t > 0 ? t * (after / m1) : 0))
}
