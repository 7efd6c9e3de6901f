import { afterEach, expect, test } from "vitest"
import type { Chunk, Model } from "../contract.ts"
import { lay } from "../engine/lay.ts"
import { gaussian, independent, mixture } from "../index.ts"
import { kernelsInUse, useKernels } from "../kernels/fast/use.ts"
import { obeyer } from "./obey.ts"
import type { Answer, Order } from "./orders.ts"

const columns = [{ kind: "number", name: "x", shift: 0, scale: 1, variance: 1 }] as const
const model = mixture(2, independent({ x: gaussian() })) as Model
const chunk = (): Chunk => [{ rows: 2, weight: Float64Array.of(1, 2), cells: [Float64Array.of(3, 4)] }]
const order = (): Extract<Order, { order: "lay" }> => ({
  ...{ order: "lay", spec: model.spec, columns, certain: false },
  params: new Float64Array(lay(model, columns).parameters).fill(0.5),
  probe: chunk()[0],
  kernels: "wasm",
})
afterEach(() => useKernels("wasm"))

test("a worker that forgets gives rows and parameters back at once, and then begins anew", () => {
  const said: Answer[] = []
  const obey = obeyer(answer => said.push(answer))
  const [first, second] = [order(), order()]
  const rows = chunk()
  obey(first)
  obey({ order: "own", number: 0, chunk: rows })
  obey({ order: "sweep", numbers: [0] })
  obey({ order: "forget" })
  const { weight, cells } = rows[0]
  expect([weight.length, (cells[0] as Float64Array).length, first.params.length]).toEqual([0, 0, 0])
  expect(() => obey({ order: "sweep", numbers: [0] })).toThrow()
  obey({ order: "forget" })
  obey(second)
  obey({ order: "own", number: 0, chunk: chunk() })
  obey({ order: "sweep", numbers: [0] })
  expect(said.map(({ answer }) => answer)).toEqual(["laid", "swept", "laid", "swept"])
  expect(said.slice(2)).toEqual(said.slice(0, 2))
})

test("a worker computes with the kernels of the fit it works for", () => {
  const obey = obeyer(() => undefined)
  for (const kernels of ["typescript", "wasm", "typescript"] as const) {
    obey({ ...order(), kernels })
    expect(kernelsInUse()).toBe(kernels)
    obey({ order: "forget" })
  }
})
