/** A family's leaf under a label of three levels: three slots, on random rows and weights. */
import {
  type Block,
  type Cell,
  type Column,
  classes,
  type Dice,
  type Family,
  type FamilyKind,
  independent,
  type Leaf,
  type Weights,
} from "suffice"
import type { Bags, Encoded, Part } from "suffice/contract"
import { absorb } from "./absorb.ts"
import type { LooseRow } from "./api.ts"
import { axisOf } from "./axis.ts"
import type { Subject, Trial } from "./law.ts"
import { familyRow, nameOf } from "./models.ts"
import { allNear, near } from "./must.ts"
import { exp } from "./numbers.ts"
import { bagsOf, type Probe, probe } from "./probe.ts"

export interface FamilySubject extends Subject {
  readonly kind: FamilyKind
  readonly family: Family
  readonly options: FamilyKind["specimens"][number]["options"]
  cell(dice: Dice, read: readonly number[]): Cell
}

export function familySubjects(kinds: readonly FamilyKind[]): FamilySubject[] {
  return kinds.flatMap(kind =>
    kind.specimens.map(({ options, cell }) => ({
      name: nameOf(kind, options),
      kind,
      options,
      family: kind.make(options),
      cell,
    })),
  )
}

const SLOTS = ["ant", "bee", "cow"]

export interface Bound {
  readonly probe: Probe
  readonly node: Part
  readonly leaf: Leaf
  readonly column: Column
  readonly place: number
  readonly block: Block
  /** θ of counted rows and one pseudo-row: inside the domain. */
  readonly params: Float64Array
  readonly stats: Float64Array
}

/** The family's leaf with three slots, on rows of the specimen's cells with weights. */
export async function bound({ family, cell }: FamilySubject, { dice, rows }: Trial): Promise<Bound> {
  const data = Array.from(
    { length: rows },
    (_, i): LooseRow => ({
      slot: SLOTS[i % 3],
      ...familyRow(family, cell, dice),
      w: 0.2 + dice.gamma(2),
    }),
  )
  const found = await probe(classes("slot", independent({ value: family })) as never, data, { weight: "w" })
  const node = found.parts.find(part => part.role === "leaf")!
  const place = found.columns.findIndex(column => column.name === "value")
  // what hides inside a leaf must differ, or its values stay equal
  const whole = family.hasLatents
    ? await found.problem.start.guess(dice)
    : (await found.problem.data.sweep(found.problem.theta.solve(found.problem.theta.prior, 0).params)).stats
  const stats = node.ranges.statsOf(whole)
  const withPrior = stats.slice()
  node.leaf.prior(withPrior)
  const params = new Float64Array(node.leaf.shape.parameters)
  node.leaf.solve(withPrior, 0, params)
  return {
    probe: found,
    node,
    leaf: node.leaf,
    column: found.columns[place],
    place,
    block: found.blocks[0],
    params,
    stats: withPrior,
  }
}

/** A block with these encoded cells of the leaf's column only, and what it reads as in the first row. */
export function blockOf({ probe: { columns }, place, block }: Bound, held: Encoded, rows: number): Block {
  return {
    rows,
    weight: new Float64Array(rows).fill(1),
    cells: columns.map(({ kind }, c) => {
      if (c === place) return held
      if (kind === "level") return new Int32Array(rows)
      return new Float64Array(rows).fill((block.cells[c] as Float64Array)[0])
    }),
  }
}

export function bags(lists: readonly (readonly number[])[]): Bags {
  const offsets = new Int32Array(lists.length + 1)
  const words: number[] = []
  const counts: number[] = []
  lists.forEach((list, i) => {
    for (const word of [...new Set(list)].sort((a, b) => a - b)) {
      words.push(word)
      counts.push(list.filter(other => other === word).length)
    }
    offsets[i + 1] = words.length
  })
  return bagsOf(offsets, Int32Array.from(words), Float64Array.from(counts))
}

/** Random weights, row by row and slot by slot. */
export function someWeights(rows: number, slots: number, dice: Dice, signed = false): Float64Array {
  return Float64Array.from(
    { length: rows * slots },
    () => dice.gamma(1) * (signed && dice.uniform() < 0.4 ? -1 : 1),
  )
}

export function each(values: Float64Array): Weights {
  return { form: "each", values }
}

export function absorbed(leaf: Leaf, block: Block, params: Float64Array, weights: Weights): Float64Array {
  const stats = new Float64Array(leaf.shape.statistics)
  absorb(leaf, block, params, weights, stats)
  return stats
}

export function scored(leaf: Leaf, block: Block, params: Float64Array): Float64Array {
  const out = new Float64Array(leaf.shape.slots * block.rows)
  leaf.score(block, params, out)
  return out
}

export function solvedFrom(leaf: Leaf, stats: Float64Array, spread?: Float64Array): Float64Array {
  const params = new Float64Array(leaf.shape.parameters)
  leaf.solve(stats, 0, params, spread)
  return params
}

export function momentsOf(leaf: Leaf, params: Float64Array, mass: Float64Array): Float64Array {
  const stats = new Float64Array(leaf.shape.statistics)
  leaf.moments(params, mass, stats)
  return stats
}

/** A grid over the whole line, dense around encoded numbers: x = 8 t / (1 − t²), with dx. */
export function grid(points: number): { x: Float64Array; dx: Float64Array } {
  const x = new Float64Array(points)
  const dx = new Float64Array(points)
  for (let j = 0; j < points; j++) {
    const t = (2 * (j + 0.5)) / points - 1
    const below = 1 - t * t
    x[j] = (2 * t) / below
    dx[j] = ((2 * (1 + t * t)) / (below * below)) * (2 / points)
  }
  return { x, dx }
}

/** Every value of a discrete support that has weight, or a fine grid, with the measure of each point in the units of the data. */
export function support(
  leafBound: Bound,
): { block: Block; measure: Float64Array; numbers: Float64Array } | undefined {
  const { column } = leafBound
  switch (column.kind) {
    case "level": {
      const codes = Int32Array.from(column.levels, (_, l) => l)
      return {
        block: blockOf(leafBound, codes, codes.length),
        measure: new Float64Array(codes.length).fill(1),
        numbers: new Float64Array(codes.length),
      }
    }
    case "count": {
      const numbers = Float64Array.from({ length: 3000 }, (_, x) => x)
      return {
        block: blockOf(leafBound, numbers, numbers.length),
        measure: new Float64Array(numbers.length).fill(1),
        numbers,
      }
    }
    case "number": {
      const { x: u, dx: du } = grid(20_000)
      const axis = axisOf(column.within?.support)
      const numbers = u.map(axis.out)
      // beyond that, numbers reach the ends of their support
      const inside = (x: number): boolean => !column.within || (x > 1e-140 && x < 1e140 && x !== 1)
      const kept = u.map((_, j) => j).filter(j => inside(numbers[j]))
      const x = Float64Array.from(kept, j => numbers[j])
      return {
        block: blockOf(leafBound, x, x.length),
        measure: Float64Array.from(kept, j => du[j] * axis.slope(u[j]) * column.scale),
        numbers: x,
      }
    }
    case "bag":
    case "steps":
      return undefined
    default:
      return column satisfies never
  }
}

/** A family over bags either takes their length as given (the words of a bag add up to 1), or models for each word whether it occurs. */
export function bagsAddUp(
  found: Bound,
  column: Extract<Column, { kind: "bag" }>,
  leaf: Leaf,
  params: Float64Array,
): void {
  const words = column.words.map((_, w) => w)
  const total = (lists: readonly (readonly number[])[]): Float64Array => {
    const scores = scored(leaf, blockOf(found, bags(lists), lists.length), params)
    const sums = new Float64Array(leaf.shape.slots)
    for (let at = 0; at < scores.length; at++) sums[Math.trunc(at / lists.length)] += exp(scores[at])
    return sums
  }
  const singles = total(words.map(w => [w]))
  const pairs = total(words.flatMap(v => words.map(w => [v, w])))
  if (singles.every(sum => Math.abs(sum - 1) < 1e-9)) {
    allNear(pairs, singles, 1e-9, "the sum over pairs of words")
    return
  }
  const subsets = Array.from({ length: (1 << words.length) - 1 }, (_, mask) =>
    words.filter(w => ((mask + 1) >> w) & 1),
  )
  const sums = total(subsets)
  const [a, b] = [total([[0]]), total([[1]])]
  const ab = total([[0, 1]])
  for (let p = 0; p < leaf.shape.slots; p++) {
    // p(no word) = p(a) p(b) / p(ab), the words being independent
    near(sums[p] + (a[p] * b[p]) / ab[p], 1, 1e-9, `the sum over all sets of words in slot ${p}`)
  }
}
