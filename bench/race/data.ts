/**
 * The rows of a job, drawn with a seed and written as raw files, little-endian: tables column after column (x.f64) and once more row after
 * row (rows.f64), so that each side reads them straight into the memory it works on.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Dice, dice } from "suffice"
import type { Job, Size } from "./jobs.ts"

/** Tokens per made-up document. */
export const LENGTH = 40

/** The folder with the files of the job; made once. */
export function dataOf(cache: string, { kind }: Pick<Job, "kind">, size: Size): string {
  const { rows, columns, classes } = size
  const drawn = drawers.find(([kinds]) => kinds.test(kind))
  if (size.corpus || !drawn) return cache
  const [, name, draw] = drawn
  const folder = join(cache, `${name}-both-${rows}-${columns}-${classes}`)
  if (existsSync(folder)) return folder
  const part = `${folder}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true })
  const files = draw(size, dice(rows + columns))
  const write = (file: string, numbers: Float64Array | Int32Array): void =>
    writeFileSync(join(part, file), new Uint8Array(numbers.buffer))
  for (const [file, numbers] of Object.entries(files)) write(file, numbers)
  if (files["x.f64"]) write("rows.f64", transposed(files["x.f64"] as Float64Array, rows, columns))
  renameSync(part, folder)
  return folder
}

function transposed(x: Float64Array, rows: number, columns: number): Float64Array {
  const turned = new Float64Array(x.length)
  for (let j = 0; j < columns; j++) for (let i = 0; i < rows; i++) turned[i * columns + j] = x[j * rows + i]
  return turned
}

type Files = Readonly<Record<string, Float64Array | Int32Array>>
type Draw = (size: Size, die: Dice) => Files

const drawers: readonly (readonly [kinds: RegExp, name: string, draw: Draw])[] = [
  [/^mixture/, "clusters", (size, die) => withStart(numbers(size, die, 3), size)],
  [/^(gaussian|lda|qda)/, "numbers", (size, die) => numbers(size, die, 1.5)],
  [/^bernoulli/, "bits", (size, die) => levels(size, die, 2)],
  [/^categorical/, "levels", (size, die) => levels(size, die, 4)],
  [/^(multinomial-labels|natural|wink)/, "tokens", tokens],
]

/** x = class mean + correlated noise; means lie about `spread` apart in all, whatever the number of columns. */
function numbers({ rows, columns, classes }: Size, die: Dice, spread: number) {
  const means = Float64Array.from(
    { length: classes * columns },
    () => (spread / Math.sqrt(columns)) * die.normal(),
  )
  const y = Int32Array.from({ length: rows }, () => die.integer(classes))
  const common = Float64Array.from({ length: rows }, () => die.normal())
  const x = new Float64Array(rows * columns)
  for (let j = 0; j < columns; j++) {
    for (let i = 0; i < rows; i++) {
      x[j * rows + i] = means[y[i] * columns + j] + die.normal() + 0.3 * common[i]
    }
  }
  return { "x.f64": x, "y.i32": y }
}

/** Where EM starts: equal weights, the first rows as means, and the variance of each column. weights, means, variances. */
function withStart(files: { "x.f64": Float64Array; "y.i32": Int32Array }, { rows, columns, classes }: Size) {
  const x = files["x.f64"]
  const start = new Float64Array(classes * (1 + columns) + columns)
  start.fill(1 / classes, 0, classes)
  for (let j = 0; j < columns; j++) {
    const column = x.subarray(j * rows, (j + 1) * rows)
    const mean = column.reduce((a, b) => a + b, 0) / rows
    start[classes * (1 + columns) + j] = column.reduce((sum, v) => sum + (v - mean) * (v - mean), 0) / rows
    for (let k = 0; k < classes; k++) start[classes + k * columns + j] = column[k]
  }
  return { ...files, "start.f64": start }
}

function levels({ rows, columns, classes }: Size, die: Dice, count: number): Files {
  const y = Int32Array.from({ length: rows }, () => die.integer(classes))
  const x = new Float64Array(rows * columns)
  for (let j = 0; j < columns; j++) {
    const shares = Array.from({ length: classes }, () =>
      Float64Array.from({ length: count }, (_, l) => (l === 0 ? 2 : 0.2 + die.uniform())),
    )
    for (let i = 0; i < rows; i++) x[j * rows + i] = die.categorical(shares[y[i]], 0, count)
  }
  return { "x.f64": x, "y.i32": y }
}

/** Documents of LENGTH words, row after row; each class prefers some words. */
function tokens({ rows, columns, classes }: Size, die: Dice): Files {
  const y = Int32Array.from({ length: rows }, () => die.integer(classes))
  const shares = Array.from({ length: classes }, () =>
    Float64Array.from({ length: columns }, () => 0.1 + die.gamma(0.5)),
  )
  const words = Int32Array.from({ length: rows * LENGTH }, (_, t) =>
    die.categorical(shares[y[Math.floor(t / LENGTH)]], 0, columns),
  )
  return { "tokens.i32": words, "y.i32": y }
}
