import { expect, test } from "vitest"
import type { Level } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { Family } from "../contract/family.ts"
import type { Axis, Leaf } from "../contract/leaf.ts"
import type { Model } from "../contract/model.ts"
import { classes } from "../index.ts"
import { leafModel } from "../structures/leaf.ts"
import { ownersOf } from "./axes.ts"
import { type Laid, lay } from "./lay.ts"
import { transfer } from "./transfer.ts"

const level = (name: string, levels: readonly Level[]): Column => ({ kind: "level", name, levels })
const few = [level("y", ["a", "b"]), level("u", ["p", "q"]), level("v", [1, 2, 3])]
const more = [level("y", ["c", "a", "b"]), level("u", ["o", "p", "q"]), level("v", [0, 1, 2, 3])]

/** Counts over these axes, one array after the other. */
function counting(axes: readonly (readonly Axis[])[]): Family {
  return {
    name: "counting",
    options: {},
    need: { kind: "level" },
    measure: "mass",
    bind(columns, _places, slots) {
      const lengths = columns.map(column => (column as Extract<Column, { kind: "level" }>).levels.length)
      const sizeOf = (axis: Axis): number => {
        if (typeof axis === "number") return axis
        return axis === "slot" ? slots : lengths[axis === "entry" ? 0 : axis.entry]
      }
      const statistics = axes.reduce(
        (sum, array) => sum + array.reduce<number>((n, axis) => n * sizeOf(axis), 1),
        0,
      )
      return { shape: { slots, axes, statistics, parameters: 0, free: 0 } } as unknown as Leaf
    },
  }
}

const laidOn = (axes: readonly (readonly Axis[])[], columns: readonly Column[]): Laid =>
  lay(classes("y", leafModel(counting(axes), ["u", "v"])) as Model, columns)

/** Each number of the part by what its axes count there; the number itself says where it stood. */
function named(laid: Laid, stats: Float64Array): Map<string, number> {
  const part = laid.parts[1]
  const y = (laid.columns[0] as Extract<Column, { kind: "level" }>).levels
  const names = new Map<string, number>()
  let at = part.ranges.statsAt
  part.leaf.shape.axes.forEach((axes, array) => {
    const counted = axes.map((axis): readonly Level[] => {
      if (typeof axis === "number") return Array.from({ length: axis }, (_, j) => j)
      if (axis === "slot") return y
      return (part.columns[axis === "entry" ? 0 : axis.entry] as Extract<Column, { kind: "level" }>).levels
    })
    const walk = (depth: number, name: string): void => {
      if (depth === counted.length) {
        names.set(name, stats[at++])
        return
      }
      for (const value of counted[depth]) walk(depth + 1, `${name}/${String(value)}`)
    }
    walk(0, String(array))
  })
  expect(at).toBe(part.ranges.statsAt + part.leaf.shape.statistics)
  return names
}

test.each<{ axes: readonly (readonly Axis[])[] }>([
  {
    axes: [
      ["entry", "entry", "slot"],
      ["entry", "slot"],
    ],
  }, // transitions, and where they begin
  {
    axes: [
      ["entry", { entry: 1 }, "slot"],
      ["slot", 2],
    ],
  }, // two columns that meet
  { axes: [[{ entry: 1 }, "slot", { entry: 0 }], [{ entry: 1 }]] },
])("statistics with several axes of entries move to a schema with more levels: $axes", ({ axes }) => {
  const [from, to] = [laidOn(axes, few), laidOn(axes, more)]
  const stats = Float64Array.from({ length: from.statistics }, (_, j) => j + 1)
  const before = named(from, stats)
  const after = named(to, transfer(from, to, stats))
  for (const [name, value] of before) expect([name, after.get(name)]).toEqual([name, value])
  const moved = [...after].filter(([, value]) => value !== 0)
  expect(moved).toHaveLength(before.size)
})

test("each number belongs to the slot its axes say, or to all of them", () => {
  const axes: readonly (readonly Axis[])[] = [
    ["entry", "entry", "slot"],
    [{ entry: 1 }, "slot", 2],
    ["entry"],
  ]
  const part = laidOn(axes, few).parts[1]
  const owners = [...ownersOf(part)]
  expect(owners).toHaveLength(part.leaf.shape.statistics)
  expect(owners.slice(0, 8)).toEqual([0, 1, 0, 1, 0, 1, 0, 1])
  expect(owners.slice(8, 20)).toEqual([0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1])
  expect(owners.slice(20)).toEqual([-1, -1])
})
