/** A table that memory does not hold: where its rows went is said, and what to do if they cannot go there. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { dice, em, gaussian, independent } from "suffice"
import { afterAll, afterEach, expect, test, vi } from "vitest"
import { toldOf } from "./failure.ts"
import { learned } from "./rows/learn.ts"

const folder = mkdtempSync(join(tmpdir(), "suffice-spilled-"))
afterEach(() => vi.unstubAllEnvs())
afterAll(() => rmSync(folder, { recursive: true }))

const CHUNK = 8192
const roll = dice(1)
const numbers = Float64Array.from({ length: 2 * CHUNK }, () => roll.normal())
const names = Array.from({ length: 64 }, (_, j) => `x${j}`)
/** 71 MB in frames. */
const CHUNKS = 17
const train = {
  async *[Symbol.asyncIterator]() {
    for (let c = 0; c < CHUNKS; c++)
      yield Object.fromEntries(names.map((name, j) => [name, numbers.subarray(c + j, c + j + CHUNK)]))
  },
}

async function run(): Promise<{ rows: number | undefined; notes: string[]; left: string[] }> {
  const notes: string[] = []
  const bar = { advance() {}, at() {}, stop() {}, show: async () => undefined }
  const session = {
    signal: new AbortController().signal,
    note: (text: string) => void notes.push(text),
    progress: () => bar,
  }
  const wanted = {
    model: independent(Object.fromEntries(names.map(name => [name, gaussian()]))),
    learner: { learner: em() },
  }
  const parts = { train, test: async () => ({}) }
  const { fitted } = await learned(session as never, wanted as never, parts as never, CHUNKS * CHUNK, {})
  return { rows: fitted.training?.rows, notes, left: readdirSync(folder) }
}

test("it is packed into a file, which is said and removed", async () => {
  vi.stubEnv("TMPDIR", folder)
  const { rows, notes, left } = await run()
  expect(rows).toBe(CHUNKS * CHUNK)
  expect(notes.map(note => note.replace(/\S+\.frames/, "FILE"))).toEqual([
    "More rows than memory holds: packed into FILE until the end.",
  ])
  expect(notes[0]).toContain(folder)
  expect(left).toEqual([])
})

test("a place that cannot take it is said, as it is typed", async () => {
  writeFileSync(join(folder, "file"), "")
  vi.stubEnv("TMPDIR", join(folder, "file"))
  const error = await run().catch(error => error)
  expect(toldOf(error).message.replace(/EEXIST.*?'\.|ENOTDIR.*?'\./, "ENOTDIR.")).toMatchInlineSnapshot(
    `"fit: rows that are too many to hold cannot be written to the folder for temporary files: ENOTDIR. They are packed once into a file, which each sweep reads. Free some space, or set TMPDIR to a folder that has it."`,
  )
})
