/** One point of a curve, in a process of its own: `node point.js { axis, size }` prints seconds and the peak of memory in MiB. */
import {
  type Cell,
  classes,
  dice,
  fit,
  gaussian,
  independent,
  type Model,
  mixture,
  multinomial,
  normal,
} from "suffice"
import { median } from "../page.ts"
import { peak } from "../peak.ts"
import { iteration } from "./iteration.ts"

export interface Point {
  readonly axis: string
  readonly size: number
}

const { axis, size } = JSON.parse(process.argv[2]) as Point
const die = dice(1)
const named = (count: number) => Array.from({ length: count }, (_, j) => `x${j}`)

function numbers(rows: number, columns: number, groups: number): Record<string, Float64Array> {
  // so near each other that EM is not done at once
  const apart = 2 / Math.sqrt(columns)
  const draw = () => Float64Array.from({ length: rows }, (_, i) => die.normal() + apart * (i % groups))
  return Object.fromEntries(named(columns).map(name => [name, draw()]))
}

/** Seconds of a whole fit. */
async function fitting(model: unknown, data: unknown): Promise<number> {
  const times: number[] = []
  const began = performance.now()
  while (times.length < 3 || (times.length < 9 && performance.now() - began < 3000)) {
    const start = performance.now()
    await fit(model as Model<Record<string, Cell>>, data as never, { threads: 1 })
    times.push((performance.now() - start) / 1000)
  }
  return median(times.slice(1))
}

const DOCUMENTS = 4000
const LENGTH = 100

/** One reading of each axis. */
const AXES: Readonly<Record<string, () => Promise<number>>> = {
  nothing: async () => 0,
  rows: () => iteration(mixture(4, normal(named(4))), numbers(size, 4, 4)),
  "columns, diag": () =>
    iteration(mixture(4, normal(named(size), { covariance: "diag" })), numbers(16_384, size, 4)),
  "columns, full": () => iteration(mixture(4, normal(named(size))), numbers(8192, size, 4)),
  components: () => iteration(mixture(size, normal(named(4))), numbers(32_768, 4, size)),
  classes() {
    const columns = numbers(100_000, 8, size)
    const y = Int32Array.from({ length: 100_000 }, (_, i) => i % size)
    const body = independent(Object.fromEntries(named(8).map(name => [name, gaussian()])))
    return fitting(classes("y", body), { ...columns, y })
  },
  vocabulary() {
    const rows = Array.from({ length: DOCUMENTS }, (_, i) => ({
      y: i % 4,
      // every word occurs, whatever their number
      t: Array.from(
        { length: LENGTH },
        (_, j) => `w${i * LENGTH + j < size ? i * LENGTH + j : die.integer(size)}`,
      ),
    }))
    return fitting(classes("y", independent({ t: multinomial() })), rows)
  },
}

const seconds = await AXES[axis]()
console.log(JSON.stringify({ seconds, memory: peak() }))
