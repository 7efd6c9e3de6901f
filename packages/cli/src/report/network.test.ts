import { dice } from "suffice"
import { expect, test } from "vitest"
import { layoutOf } from "./layered.ts"
import { networkSection } from "./network.ts"

test("columns of a layer do not overlap, and every one stands below its parents", () => {
  const roll = dice(2)
  const nodes = Array.from({ length: 30 }, (_, v) => ({
    name: `column ${v}`,
    parents: Array.from({ length: Math.min(v, 2) }, () => `column ${roll.integer(v)}`).filter(
      (name, j, all) => all.indexOf(name) === j,
    ),
  }))
  const placed = layoutOf(nodes)
  const at = new Map(placed.map(node => [node.name, node]))
  for (const { name, parents } of nodes)
    for (const parent of parents) expect(at.get(name)!.y).toBeGreaterThan(at.get(parent)!.y)
  for (const one of placed)
    for (const other of placed)
      if (one !== other && one.y === other.y)
        expect(Math.abs(one.x - other.x)).toBeGreaterThanOrEqual((one.width + other.width) / 2)
})

test("names are escaped, and directions that rows do not tell are drawn in dashes", () => {
  const { body } = networkSection({
    nodes: [
      { name: "<a>", parents: [] },
      { name: "b", parents: ["<a>"] },
    ],
    arrows: [{ from: "<a>", to: "b", isReversible: true }],
  })
  const { text } = body as { text: string }
  expect(text).toContain("&lt;a&gt;")
  expect(text).not.toContain("<a>")
  expect(text).toContain("stroke-dasharray")
})

test("the arrows of a model that was given are said to be its own, without directions", () => {
  const { body } = networkSection({
    nodes: [
      { name: "a", parents: [] },
      { name: "b", parents: ["a"] },
    ],
    arrows: [{ from: "a", to: "b", isReversible: false }],
    isGiven: true,
  })
  const { text } = body as { text: string }
  expect(text).toContain("These are the arrows of the model")
  expect(text).not.toContain("direction")
  expect(text).toContain("a to b")
})
