import { afterEach, expect, test } from "vitest"
import type { Chunk } from "../contract/block.ts"
import type { Model } from "../contract/model.ts"
import { lay } from "../engine/lay.ts"
import { gaussian, independent, mixture } from "../index.ts"
import { kernelsInUse, useKernels } from "../kernels/fast/use.ts"
import type { Command, Reply } from "./messages.ts"
import { commandHandler } from "./worker.ts"

const columns = [{ kind: "number", name: "x", shift: 0, scale: 1, variance: 1 }] as const
const model = mixture(2, independent({ x: gaussian() })) as Model
const chunk = (): Chunk => [{ rows: 2, weight: Float64Array.of(1, 2), cells: [Float64Array.of(3, 4)] }]
const layCommand = (): Extract<Command, { type: "lay" }> => ({
  type: "lay",
  task: { spec: model.spec, columns, certain: false, kernels: "wasm" },
  params: new Float64Array(lay(model, columns).parameters).fill(0.5),
  probe: chunk()[0],
})
afterEach(() => useKernels("wasm"))

test("a worker that forgets gives rows and parameters back at once, and then begins anew", () => {
  const said: Reply[] = []
  const handle = commandHandler(reply => said.push(reply))
  const [first, second] = [layCommand(), layCommand()]
  const rows = chunk()
  handle(first)
  handle({ type: "store", number: 0, chunk: rows })
  handle({ type: "sweep", numbers: [0] })
  handle({ type: "forget" })
  const { weight, cells } = rows[0]
  expect([weight.length, (cells[0] as Float64Array).length, first.params.length]).toEqual([0, 0, 0])
  expect(() => handle({ type: "sweep", numbers: [0] })).toThrow()
  handle({ type: "forget" })
  handle(second)
  handle({ type: "store", number: 0, chunk: chunk() })
  handle({ type: "sweep", numbers: [0] })
  expect(said.map(({ type }) => type)).toEqual(["laid", "swept", "laid", "swept"])
  expect(said.slice(2)).toEqual(said.slice(0, 2))
})

test("a worker computes with the kernels of the fit it works for", () => {
  const handle = commandHandler(() => undefined)
  for (const kernels of ["typescript", "wasm", "typescript"] as const) {
    const command = layCommand()
    handle({ ...command, task: { ...command.task, kernels } })
    expect(kernelsInUse()).toBe(kernels)
    handle({ type: "forget" })
  }
})
