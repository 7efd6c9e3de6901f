/**
 * How cost grows: time and memory against rows, columns, components, classes and words, each as a curve with its exponent; and how near the
 * sweeps come to what plain loops reach.
 *
 *     npm run bench:scale                 all; writes bench/scale.md and bench/scale.svg
 *     npm run bench:scale -- rows         one curve, printed
 *     npm run bench:scale -- --quick      small, printed
 *
 * Every point is a process of its own. The exponent b of time = a·size^b is fitted by least squares in logarithms over all points; the one
 * of the last two points stands beside it, since small sizes are all overhead. Memory is the peak above that of a process which does nothing.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { main as asc } from "assemblyscript/asc"
import { bundle } from "./bundle.ts"
import { type Curve, chart, type Look } from "./chart.ts"
import { table, writePage } from "./page.ts"
import type { Point } from "./scale/point.ts"

interface Axis {
  readonly name: string
  readonly what: string
  readonly sizes: readonly number[]
  readonly small: readonly number[]
}
interface Reading {
  readonly size: number
  readonly seconds: number
  readonly memory: number
}

const powers = (base: number, from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => base ** (from + step * i))

const AXES: readonly Axis[] = [
  {
    name: "rows",
    what: "an EM iteration, mixture of 4 full normals of 4 columns",
    sizes: powers(10, 4, 7),
    small: powers(10, 4, 5),
  },
  {
    name: "columns, diag",
    what: "an EM iteration, mixture of 4 diagonal normals, 16,384 rows",
    sizes: powers(2, 1, 9, 2),
    small: [2, 16],
  },
  {
    name: "columns, full",
    what: "an EM iteration, mixture of 4 full normals, 8,192 rows: d² numbers each",
    sizes: powers(2, 1, 9, 2),
    small: [2, 16],
  },
  {
    name: "components",
    what: "an EM iteration, mixture of full normals of 4 columns, 32,768 rows",
    sizes: powers(2, 1, 6),
    small: [2, 8],
  },
  {
    name: "classes",
    what: "a fit, Gaussian naive Bayes of 8 columns, 100,000 rows: counting, so the number of classes costs next to nothing",
    sizes: powers(2, 1, 9, 2),
    small: [2, 32],
  },
  {
    name: "vocabulary",
    what: "a fit, multinomial classes, 4,000 documents of 100 words (so at most 400,000 occur)",
    sizes: powers(10, 3, 6),
    small: powers(10, 3, 4),
  },
]

const LOOPS = `
export function copy(from: usize, to: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 16) v128.store(to + at, v128.load(from + at))
}
export function multiply(at: usize, bytes: usize, rounds: i32): f64 {
  let a0 = f64x2.splat(0), a1 = f64x2.splat(0), b0 = f64x2.splat(0), b1 = f64x2.splat(0)
  let c0 = f64x2.splat(0), c1 = f64x2.splat(0), d0 = f64x2.splat(0), d1 = f64x2.splat(0)
  for (let i = 0; i < rounds; i++) {
    for (let from = at; from < at + bytes; from += 96) {
      const x0 = v128.load(from)
      const x1 = v128.load(from, 16)
      let w = v128.load(from, 32)
      a0 = f64x2.add(a0, f64x2.mul(w, x0))
      a1 = f64x2.add(a1, f64x2.mul(w, x1))
      w = v128.load(from, 48)
      b0 = f64x2.add(b0, f64x2.mul(w, x0))
      b1 = f64x2.add(b1, f64x2.mul(w, x1))
      w = v128.load(from, 64)
      c0 = f64x2.add(c0, f64x2.mul(w, x0))
      c1 = f64x2.add(c1, f64x2.mul(w, x1))
      w = v128.load(from, 80)
      d0 = f64x2.add(d0, f64x2.mul(w, x0))
      d1 = f64x2.add(d1, f64x2.mul(w, x1))
    }
  }
  const all = f64x2.add(f64x2.add(f64x2.add(a0, a1), f64x2.add(b0, b1)), f64x2.add(f64x2.add(c0, c1), f64x2.add(d0, d1)))
  return f64x2.extract_lane(all, 0) + f64x2.extract_lane(all, 1)
}
`

const given = process.argv.slice(2)
const isQuick = given.includes("--quick")
const wanted = given.filter(word => !word.startsWith("--"))
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const folder = here(".cache/scale")
const load = loadavg()[0]
await bundle({ point: here("scale/point.ts"), roofline: here("scale/roofline.ts") }, folder)

const run = <Answer>(program: string, question: unknown): Answer =>
  JSON.parse(
    execFileSync(
      process.execPath,
      ["--max-old-space-size=8192", join(folder, program), JSON.stringify(question)],
      {
        encoding: "utf8",
      },
    ),
  )
const read = (point: Point): Omit<Reading, "size"> => run("point.js", point)

const floor = read({ axis: "nothing", size: 0 }).memory
const measured = AXES.filter(
  ({ name }) => wanted.length === 0 || wanted.some(word => name.includes(word)),
).map(axis => ({ axis, readings: (isQuick ? axis.small : axis.sizes).map(size => taken(axis, size)) }))

function taken({ name }: Axis, size: number): Reading {
  const { seconds, memory } = read({ axis: name, size })
  console.log(`${name} ${size}: ${(1000 * seconds).toPrecision(3)} ms, ${memory.toFixed(0)} MiB`)
  return { size, seconds, memory: Math.max(memory - floor, 1) }
}

/** b of y = a·x^b, by least squares in logarithms. */
function exponent(points: readonly (readonly [number, number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)])
  const [mx, my] = [0, 1].map(j => logs.reduce((sum, point) => sum + point[j], 0) / logs.length)
  const cross = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0)
  return cross / logs.reduce((sum, [x]) => sum + (x - mx) * (x - mx), 0)
}

const slopes = (readings: readonly Reading[], what: "seconds" | "memory"): string => {
  const points = readings.map(reading => [reading.size, reading[what]] as const)
  return `${exponent(points).toFixed(2)} / ${exponent(points.slice(-2)).toFixed(2)}`
}

const parts = [
  `What a fit costs as its data grows, on one thread. Exponents b of cost = a·size^b: over all points / of the last two.`,
  table(
    ["against", "timed", "exponent of time", "exponent of memory"],
    measured.map(({ axis, readings }) => [
      axis.name,
      axis.what,
      slopes(readings, "seconds"),
      slopes(readings, "memory"),
    ]),
  ),
  ...measured.flatMap(({ axis, readings }) => [
    `## ${axis.name}`,
    table(
      ["size", "ms", "MiB above an idle process"],
      readings.map(({ size, seconds, memory }) => [
        size.toLocaleString("en"),
        (1000 * seconds).toPrecision(3),
        memory.toFixed(0),
      ]),
    ),
  ]),
]
if (wanted.length === 0) parts.push(...(await roofline()))
parts.push(`Load average before: ${load.toFixed(1)}.`)

async function roofline(): Promise<string[]> {
  interface Roof {
    readonly bandwidth: number
    readonly flops: number
    readonly sweeps: readonly { d: number; k: number; gflops: number; gigabytes: number }[]
  }
  const room = mkdtempSync(join(tmpdir(), "suffice-scale-"))
  try {
    writeFileSync(join(room, "loops.ts"), LOOPS)
    const wasm = join(room, "loops.wasm")
    const options = ["-O3", "--noAssert", "--enable", "simd", "--runtime", "stub", "--outFile", wasm]
    const { error, stderr } = await asc(["loops.ts", "--baseDir", room, ...options])
    if (error) throw new Error(`${error.message}\n${stderr.toString()}`)
    readFileSync(wasm)
    const { bandwidth, flops, sweeps } = run<Roof>("roofline.js", { rows: isQuick ? 10_000 : 100_000, wasm })
    return [
      "## Roofline",
      `Plain loops in WebAssembly, two doubles at a time, in the same process: copying ${bandwidth.toFixed(1)} GB/s (read and written), multiplying and adding what lies in the first cache ${flops.toFixed(1)} GFLOP/s.`,
      table(
        ["EM iteration, full", "GFLOP/s", "of the loop", "GB/s of rows", "of the copy"],
        sweeps.map(({ d, k, gflops, gigabytes }) => [
          `d=${d}, k=${k}`,
          gflops.toFixed(2),
          `${((100 * gflops) / flops).toFixed(0)} %`,
          gigabytes.toFixed(2),
          `${((100 * gigabytes) / bandwidth).toFixed(0)} %`,
        ]),
      ),
    ]
  } finally {
    rmSync(room, { recursive: true })
  }
}

const LOOK: Look = { width: 480, height: 380, left: 60, x: { name: "size" }, y: { type: "log" } }
const panel = (title: string, what: "seconds" | "memory"): Curve => ({
  title,
  lines: measured.map(({ axis, readings }) => ({
    name: axis.name,
    points: readings.map(reading => [reading.size, reading[what]] as const),
  })),
})
if (isQuick || wanted.length > 0) console.log(`\n${parts.join("\n\n")}`)
else {
  const svg = chart([panel("seconds", "seconds"), panel("MiB above an idle process", "memory")], LOOK)
  writeFileSync(new URL("scale.svg", import.meta.url), svg)
  writePage("scale", "Scale", [...parts, "![curves](scale.svg)"], { versions: {} })
}
