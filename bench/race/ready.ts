/** The job of this process: its rows, and how it answers. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { join } from "node:path"
import type { Cell, Columns, Model } from "suffice"
import type { Size } from "./jobs.ts"
import { type Clock, clocked } from "./sides.ts"

export interface Asked {
  readonly kind: string
  readonly size: Size
  readonly threads: number
  /** Of the made-up rows. */
  readonly folder: string
  /** Of the real ones. */
  readonly data: string
  readonly iterations: number
}

/** A job that is ready. */
export interface Ready {
  round(): Promise<Clock>
  result(): Promise<readonly number[]>
}

export const COMPARED = 1000
export const asked = JSON.parse(process.argv[2]) as Asked
export const { size, threads } = asked
export const { rows } = size

export const doubles = (file: string) => new Float64Array(bytes(file))
export const labels = () => new Int32Array(bytes("y.i32"))
/** Straight into the memory that is worked on: no second copy counts as ours. */
export function bytes(file: string): ArrayBuffer {
  const source = openSync(join(asked.folder, file), "r")
  const buffer = new ArrayBuffer(fstatSync(source).size)
  for (let at = 0; at < buffer.byteLength; ) {
    at += readSync(source, new Uint8Array(buffer, at, Math.min(buffer.byteLength - at, 1 << 26)))
  }
  closeSync(source)
  return buffer
}

export const names = Array.from({ length: size.columns }, (_, j) => `x${j}`)
export function columnsOf(): Columns {
  const x = doubles("x.f64")
  return Object.fromEntries(names.map((name, j) => [name, x.subarray(j * rows, (j + 1) * rows)]))
}
export const firstOf = (columns: Columns): Columns =>
  Object.fromEntries(
    names.map(name => [name, (columns[name] as Float64Array).subarray(0, Math.min(COMPARED, rows))]),
  )

export const loose = (model: unknown): Model<Record<string, Cell>> => model as Model<Record<string, Cell>>

/** All of `work` is timed; `compare` picks from its value what is compared. */
export const whole = <T>(work: () => Promise<T>, compare: (value: T) => Iterable<number>): Ready => ({
  round: async () => (await clocked(work)).clock,
  result: async () => [...compare(await work())],
})
