import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import type { Bags, Chunk } from "../contract/block.ts"
import type { Model } from "../contract/model.ts"
import { CHUNK } from "../data/cut.ts"
import { Exploration } from "../data/discover.ts"
import { encodeForLearning } from "../data/encode.ts"
import { type Batch, type Source, slicesOf } from "../data/read.ts"
import { classes, em, fit, gaussian, independent, mixture, multinomial } from "../index.ts"
import { columnMemory } from "../kernels/twins.ts"
import { onlineEm, sdem } from "../learn.ts"
import { dice } from "../random.ts"
import { disk, readPlace } from "../threads/node-disk.ts"
import { type Disk, SpilledSource } from "./spill.ts"

const folder = mkdtempSync(join(tmpdir(), "suffice-spill-test-"))
afterAll(() => rmSync(folder, { recursive: true }))

const roll = dice(1)
const rows = Array.from({ length: 20000 }, (_, i) => ({
  y: i % 9 === 0 ? null : `class ${i % 2}`,
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

test("files of a process that was killed are removed when the next fit begins, those of one that lives or of another host are not", () => {
  const file = disk.create(folder)
  const named = (host: string, pid: number): string =>
    file.path.replace(/suffice-\w{6}-\d+-\d+/, `suffice-${host}-${pid}-0`)
  const [, host] = /suffice-(\w{6})-\d+-\d+\.frames$/.exec(file.path)!
  const dead = named(host, 4194303)
  const others = [named(host, process.ppid), named("abcdef", 4194303), file.path]
  for (const path of [dead, ...others]) writeFileSync(path, "")
  // a few rows, which need no file
  new SpilledSource(counted().source, ["x"], disk, { folder })
  expect([dead, ...others].map(path => existsSync(path))).toEqual([false, true, true, true])
  new SpilledSource(counted().source, ["x"], disk, { folder: join(folder, "not", "there") })
  file.write(Uint8Array.of(1, 2, 3))
  expect([...readPlace(file.path, 1, 2)]).toEqual([2, 3])
  expect(() => readPlace(file.path, 2, 2)).toThrow(
    /^the rows packed into ".*" are cut short: the file has 3 bytes now. Another program has changed it. Fit again, and name a folder of your own with spill: \{ folder \}.$/,
  )
  file.remove()
  for (const path of others) rmSync(path, { force: true })
  expect(existsSync(file.path)).toBe(false)
})

test("a full disk is said in a sentence, and leaves no file", async () => {
  const full: Disk = {
    ...disk,
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

const body = independent({ x: gaussian(), text: multinomial() })

test.each([
  ["sweeps", mixture(2, body) as Model, em({ maxIterations: 3 })],
  ["small steps", mixture(2, body) as Model, onlineEm({ epochs: 1 })],
  ["small steps, some rows kept back", classes("y", body) as Model, sdem({ epochs: 1, holdout: 0.2 })],
])(
  "fit learns the same bits from rows, from a source, and from a source that is packed, by %s",
  async (_, model, learner) => {
    const inMemory = await fit(model, rows as never, { learner, threads: 1 })
    for (const options of [{ spill: false }, { spill: { folder } }, { threads: 2 }] as const) {
      const fitted = await fit(model, counted().source as never, { learner, ...options })
      expect(fitted.toJSON()).toEqual(inMemory.toJSON())
    }
    expect(readdirSync(folder)).toEqual([])
  },
)

test("chunks encoded from frames on disk stay as they are, and those that need not are good until the next", async () => {
  const exploration = new Exploration(body.uses, {})
  for (const slice of slicesOf(rows as never)) exploration.look(slice)
  const { schema } = exploration.found()
  const packed = new SpilledSource(counted().source, ["x", "text"], disk, { folder }, 0)
  for await (const _ of packed);
  const copy = (chunk: Chunk): unknown =>
    chunk.map(({ weight, cells: [x, text] }) => {
      const { words, counts, offsets } = text as Bags
      return [x as Float64Array, weight, words, counts, offsets].map(array => Array.from(array))
    })
  const memory: Chunk[] = []
  for await (const chunk of encodeForLearning(schema, rows as never, {}, undefined)) memory.push(chunk)
  const stay: Chunk[] = []
  for await (const chunk of encodeForLearning(schema, packed, {}, undefined)) stay.push(chunk)
  expect(stay.map(copy)).toEqual(memory.map(copy))
  let c = 0
  const brief = encodeForLearning(schema, packed, {}, undefined, undefined, undefined, columnMemory())
  for await (const chunk of brief) expect(copy(chunk)).toEqual(copy(memory[c++]))
  expect(c).toBe(3)
  packed.end()
})

test("more rows than memory holds go to a file, and are learned from by any threads to the bits of memory", async () => {
  const names = Array.from({ length: 64 }, (_, j) => `x${j}`)
  const numbers = Float64Array.from({ length: 3 * CHUNK }, (_, i) =>
    i % 701 === 0 ? NaN : (i % 3) * 2 + roll.normal(),
  )
  /** The last of 17 chunks is shorter. */
  const batches = Array.from({ length: 17 }, (_, c) => {
    const place = (j: number): number => (c * 977 + j * 31) % (2 * CHUNK)
    const size = c === 16 ? 3000 : CHUNK
    return Object.fromEntries(names.map((name, j) => [name, numbers.subarray(place(j), place(j) + size)]))
  })
  const held = Object.fromEntries(
    names.map(name => [name, Float64Array.from(batches.flatMap(cells => Array.from(cells[name])))]),
  )
  const wide = mixture(2, independent(Object.fromEntries(names.map(name => [name, gaussian()])))) as Model
  const learner = em({ maxIterations: 1 })
  const inMemory = await fit(wide, held as never, { learner, threads: 1 })
  const source = {
    async *[Symbol.asyncIterator]() {
      yield* batches
    },
  }
  const told: string[] = []
  const spill = { folder, onSpill: ({ path }: { path: string }) => told.push(path) }
  for (const threads of [1, 2]) {
    const fitted = await fit(wide, source as never, { learner, threads, spill })
    expect(fitted.toJSON()).toEqual(inMemory.toJSON())
  }
  expect(told.length).toBe(2)
  expect(readdirSync(folder)).toEqual([])
})
