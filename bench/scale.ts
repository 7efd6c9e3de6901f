/**
 * Growth of cost: time and memory against rows, columns, components, classes and words, each as a curve with its exponent; and the sweeps
 * beside plain loops.
 *
 *     npm run bench -- scale              all; the page and its picture
 *     npm run bench -- scale rows         the curves whose name contains the word, printed
 *     npm run bench -- scale --quick      small, printed
 *
 * Every point is a process of its own. The exponent b of time = a·size^b is fitted by least squares in logarithms over all points. The exponent of
 * the last two points is beside it, since small sizes are mostly overhead. Memory is the peak above an idle process.
 */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle } from "./bundle.ts"
import { type Curve, chart } from "./chart.ts"
import { matching } from "./options.ts"
import { table, writePage } from "./page.ts"
import type { Point } from "./scale/point.ts"
import { roofline } from "./scale/roof.ts"

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

interface Measured {
  readonly axis: Axis
  readonly readings: readonly Reading[]
}

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const FOLDER = here(".cache/scale")

function answerOf<Answer>(program: string, question: unknown): Answer {
  const args = ["--max-old-space-size=8192", join(FOLDER, program), JSON.stringify(question)]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Answer
}

const reading = (point: Point): Omit<Reading, "size"> => answerOf("point.js", point)

/** `floor`: the memory of a process that does nothing. */
function measured(axis: Axis, floor: number, isQuick: boolean): Measured {
  const readings = (isQuick ? axis.small : axis.sizes).map(size => {
    const { seconds, memory } = reading({ axis: axis.name, size })
    console.log(`${axis.name} ${size}: ${(1000 * seconds).toPrecision(3)} ms, ${memory.toFixed(0)} MiB`)
    return { size, seconds, memory: Math.max(memory - floor, 1) }
  })
  return { axis, readings }
}

/** b of y = a·x^b, by least squares in logarithms. */
function exponent(points: readonly (readonly [number, number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)])
  const [mx, my] = [0, 1].map(j => logs.reduce((sum, point) => sum + point[j], 0) / logs.length)
  const cross = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0)
  return cross / logs.reduce((sum, [x]) => sum + (x - mx) * (x - mx), 0)
}

function slopes(readings: readonly Reading[], what: "seconds" | "memory"): string {
  const points = readings.map(reading => [reading.size, reading[what]] as const)
  return `${exponent(points).toFixed(2)} / ${exponent(points.slice(-2)).toFixed(2)}`
}

function report(all: readonly Measured[]): string[] {
  return [
    "What a fit costs as its data grows, on one thread. Exponents b of cost = a·size^b: over all points / of the last two.",
    table(
      ["against", "timed", "exponent of time", "exponent of memory"],
      all.map(({ axis: { name, what }, readings }) => [
        name,
        what,
        slopes(readings, "seconds"),
        slopes(readings, "memory"),
      ]),
    ),
    ...all.flatMap(({ axis, readings }) => [
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
}

const panel = (all: readonly Measured[], title: string, what: "seconds" | "memory"): Curve => ({
  title,
  lines: all.map(({ axis, readings }) => ({
    name: axis.name,
    points: readings.map(reading => [reading.size, reading[what]] as const),
  })),
})

export async function run(options: readonly string[]): Promise<void> {
  const isQuick = options.includes("--quick")
  const words = options.filter(option => option !== "--quick")
  const axes = matching(AXES, words)
  await bundle({ point: here("scale/point.ts"), roofline: here("scale/roofline.ts") }, FOLDER)
  const floor = reading({ axis: "nothing", size: 0 }).memory
  const all = axes.map(axis => measured(axis, floor, isQuick))
  const parts = report(all)
  if (words.length === 0) parts.push(...(await roofline(isQuick ? 10_000 : 100_000, answerOf)))
  if (isQuick || words.length > 0) return console.log(`\n${parts.join("\n\n")}`)
  const panels = [panel(all, "seconds", "seconds"), panel(all, "MiB above an idle process", "memory")]
  writeFileSync(new URL("scale.svg", import.meta.url), chart(panels, "size"))
  writePage("scale", "Scale", [...parts, "![curves](scale.svg)"], {})
}
