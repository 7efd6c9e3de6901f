/**
 * Assigns rows to parts with given shares s_f of the rows (which add up to 1). Every part gets at least one, if there are enough.
 */
import type { Dice } from "../contract/dice.ts"

/**
 * Rows at random, every stratum spread over the parts in proportion. The rows are laid out stratum by stratum, shuffled, and dealt
 * in that order, taking turns: so the whole is within one row of each share and every stratum within two. `strata`: one code 0 … per row.
 */
export function dealt(strata: Int32Array, shares: readonly number[], dice: Dice): Int32Array {
  const rank = shuffled(codesOf(strata), dice) // so that rare strata can go to any part
  const place = new Int32Array(rank.length)
  rank.forEach((stratum, at) => {
    place[stratum] = at
  })
  const order = shuffled(strata.length, dice).sort((a, b) => place[strata[a]] - place[strata[b]]) // stable
  const turns = turnsOf(strata.length, shares)
  const first = dice.integer(strata.length) // otherwise a level with one row would always go to the same part
  const parts = new Int32Array(strata.length)
  order.forEach((row, j) => {
    parts[row] = turns[(first + j) % turns.length]
  })
  return mended(parts, order.reverse(), shares.length)
}

/**
 * Whole groups, in proportion as far as they allow: from the largest group down, each goes where it least raises
 * Σ_f Σ_l (n_fl − s_f N_l)² / N_l, n_fl being the rows of stratum l in part f (the greedy rule of stratified group folds).
 * Undefined if there are fewer groups than parts.
 */
export function dealtByGroup(
  groups: Int32Array,
  strata: Int32Array,
  shares: readonly number[],
  dice: Dice,
): Int32Array | undefined {
  const count = codesOf(groups)
  if (count < shares.length) return undefined
  const levels = codesOf(strata)
  const total = new Float64Array(levels)
  const held = new Float64Array(count * levels)
  const size = new Float64Array(count)
  groups.forEach((group, i) => {
    total[strata[i]]++
    held[group * levels + strata[i]]++
    size[group]++
  })
  const order = shuffled(count, dice).sort((a, b) => size[b] - size[a])
  const n = shares.map(() => new Float64Array(levels))
  const rows = new Float64Array(shares.length)
  const parts = new Int32Array(count)
  for (const group of order) {
    const costs = shares.map((share, f) => {
      let cost = 0
      for (let l = 0; l < levels; l++) {
        const g = held[group * levels + l]
        if (g > 0) cost += (g * (2 * (n[f][l] - share * total[l]) + g)) / total[l]
      }
      return cost
    })
    let part = 0
    for (let f = 1; f < shares.length; f++) {
      // if two parts are equally good up to rounding, the emptier one
      const gain = costs[part] - costs[f]
      if (gain > 1e-9 || (gain > -1e-9 && rows[f] < rows[part])) part = f
    }
    parts[group] = part
    rows[part] += size[group]
    for (let l = 0; l < levels; l++) n[part][l] += held[group * levels + l]
  }
  const settled = mended(parts, order.reverse(), shares.length)
  return groups.map(group => settled[group])
}

/**
 * Where to cut rows in order of time without separating rows of equal time, as close as possible to the wanted
 * cuts: n cuts, strictly ascending; undefined if the times do not allow as many. `times` are ascending.
 */
export function cutsByTime(
  times: readonly (number | string | bigint)[],
  wanted: readonly number[],
): number[] | undefined {
  const possible: number[] = []
  for (let i = 1; i < times.length; i++) if (times[i] !== times[i - 1]) possible.push(i)
  const cuts: number[] = []
  let from = 0
  for (let c = 0; c < wanted.length; c++) {
    const last = possible.length - (wanted.length - c) // leave one for each cut to come
    if (from > last) return undefined
    let best = from
    for (let j = from + 1; j <= last; j++) {
      if (Math.abs(possible[j] - wanted[c]) < Math.abs(possible[best] - wanted[c])) best = j
    }
    cuts.push(possible[best])
    from = best + 1
  }
  return cuts
}

/** The order in which parts take turns: next is always the part furthest behind its share. */
function turnsOf(count: number, shares: readonly number[]): Int32Array {
  const had = new Float64Array(shares.length)
  return Int32Array.from({ length: count }, (_, j) => {
    let part = 0
    for (let f = 1; f < shares.length; f++) {
      if (shares[f] * (j + 1) - had[f] > shares[part] * (j + 1) - had[part]) part = f
    }
    had[part]++
    return part
  })
}

/** An empty part takes one item from the largest part: the first of `order` there. */
function mended(parts: Int32Array, order: Int32Array, count: number): Int32Array {
  for (;;) {
    const items = new Int32Array(count)
    for (const part of parts) items[part]++
    const empty = items.indexOf(0)
    const fullest = items.indexOf(items.reduce((most, n) => Math.max(most, n)))
    if (empty < 0 || items[fullest] < 2) return parts
    parts[order.find(item => parts[item] === fullest)!] = empty
  }
}

function shuffled(count: number, dice: Dice): Int32Array {
  const order = Int32Array.from({ length: count }, (_, i) => i)
  dice.shuffle(order)
  return order
}

function codesOf(codes: Int32Array): number {
  return codes.reduce((most, code) => Math.max(most, code + 1), 0)
}
