import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import type { Model } from "../contract/model.ts"
import type { Batch, Source } from "../data/read.ts"
import { fit, gaussian, independent, mixture, multinomial } from "../index.ts"
import { dice } from "../random.ts"
import { disk, readPlace } from "../threads/node-disk.ts"
import { type Disk, SpilledSource } from "./spill.ts"

const folder = mkdtempSync(join(tmpdir(), "suffice-spill-test-"))
afterAll(() => rmSync(folder, { recursive: true }))

const roll = dice(1)
const rows = Array.from({ length: 20000 }, (_, i) => ({
  x: i % 7 === 0 ? null : (i % 2) * 5 + roll.normal(),
  text: `a${i % 11}\t b\n 😀`,
  unused: i,
}))

function counted(): { source: Source; passes: () => number } {
  let passes = 0
  const source = {
    async *[Symbol.asyncIterator](): AsyncGenerator<Batch> {
      passes++
      for (let from = 0; from < rows.length; from += 3000) yield rows.slice(from, from + 3000)
    },
  }
  return { source, passes: () => passes }
}

async function all(source: Source): Promise<unknown[]> {
  const cells: unknown[] = []
  for await (const batch of source) {
    const columns = Array.isArray(batch) ? undefined : (batch as Record<string, ArrayLike<unknown>>)
    if (columns) for (let i = 0; i < columns.x.length; i++) cells.push([columns.x[i], columns.text[i]])
    else for (const { x, text } of batch as typeof rows) cells.push([x ?? Number.NaN, text])
  }
  return cells
}

test.each([
  ["in memory", 1 << 26],
  ["on disk", 1 << 16],
])("a source is read once, and its rows stay the same %s", async (_, most) => {
  const { source, passes } = counted()
  const told: string[] = []
  const options = { folder, onSpill: ({ path }: { path: string }) => told.push(path) }
  const packed = new SpilledSource(source, ["x", "text"], disk, options, most)
  const first = await all(packed)
  expect(packed.frames).toHaveLength(3)
  expect(await all(packed)).toEqual(first)
  expect(await all(packed)).toEqual(first)
  expect(passes()).toBe(1)
  expect(told.length).toBe(most === 1 << 26 ? 0 : 1)
  for (const path of told) expect(statSync(path).mode & 0o777).toBe(0o600)
  packed.end()
  expect(readdirSync(folder)).toEqual([])
})

test("a pass that is left early keeps nothing", async () => {
  const { source } = counted()
  const packed = new SpilledSource(source, ["x"], disk, { folder }, 0)
  let batches = 0
  for await (const _ of packed) if (++batches === 5) break
  expect(packed.frames).toBeUndefined()
  expect(readdirSync(folder)).toEqual([])
})

test("files of a process that was killed are removed by the next, those of one that lives are not", () => {
  const dead = join(folder, "suffice-4194303-0.frames")
  const alive = join(folder, `suffice-${process.ppid}-0.frames`)
  for (const path of [dead, alive]) writeFileSync(path, "rows")
  const file = disk.create(folder)
  expect([existsSync(dead), existsSync(alive)]).toEqual([false, true])
  file.write(Uint8Array.of(1, 2, 3))
  expect([...readPlace(file.path, 1, 2)]).toEqual([2, 3])
  expect(() => readPlace(file.path, 2, 2)).toThrow(
    /^the rows packed into ".*" are cut short: the file has 3 bytes now. Another program has changed it. Fit again, and name a folder of your own with spill: \{ folder \}.$/,
  )
  file.remove()
  rmSync(alive)
  expect(existsSync(file.path)).toBe(false)
})

test("a full disk is said in a sentence, and leaves no file", async () => {
  const full: Disk = {
    create(where) {
      const file = disk.create(where)
      const write = (): never => {
        throw new Error("ENOSPC: no space left on device, write")
      }
      return { ...file, path: "/data/suffice-1-0.frames", write }
    },
  }
  const packed = new SpilledSource(counted().source, ["x"], full, { folder }, 0)
  await expect(all(packed)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: fit: rows that are too many to hold cannot be written to "/data/suffice-1-0.frames": ENOSPC: no space left on device, write. They are packed once into a file, which each sweep reads. Free some space, name a folder that has it with spill: { folder }, or write spill: false to read the source again for each sweep.]`,
  )
  expect(readdirSync(folder)).toEqual([])
})

test("fit learns the same bits from rows, from a source, and from a source on disk with any threads", async () => {
  const model = mixture(2, independent({ x: gaussian(), text: multinomial() })) as Model
  const inMemory = await fit(model, rows as never, { threads: 1 })
  for (const options of [{ spill: false }, { spill: { folder } }, { threads: 2 }] as const) {
    const fitted = await fit(model, counted().source as never, options)
    expect(fitted.toJSON()).toEqual(inMemory.toJSON())
  }
  expect(readdirSync(folder)).toEqual([])
})
