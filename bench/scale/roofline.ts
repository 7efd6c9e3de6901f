/**
 * How near the sweeps come to what plain loops reach: flops of an EM iteration of full normals, and bytes of rows it reads, per second; and
 * in the same process a loop that copies and one that multiplies and adds, both in WebAssembly with f64x2 as the kernels are.
 */
import { readFileSync } from "node:fs"
import { dice, mixture, normal } from "suffice"
import { iteration } from "./iteration.ts"

interface Loops {
  readonly memory: WebAssembly.Memory
  copy(from: number, to: number, bytes: number): void
  multiply(at: number, bytes: number, rounds: number): number
}

const { rows, wasm } = JSON.parse(process.argv[2]) as { rows: number; wasm: string }
const seconds = (work: () => unknown): number => {
  const start = performance.now()
  work()
  return (performance.now() - start) / 1000
}
const best = (work: () => unknown): number => Math.min(...Array.from({ length: 7 }, () => seconds(work)))

const { instance } = await WebAssembly.instantiate(readFileSync(wasm))
const loops = instance.exports as unknown as Loops
const BYTES = 1 << 26
loops.memory.grow((2 * BYTES) / 65536 + 1)
const base = 65536
// read and written
const bandwidth = (2 * BYTES) / best(() => loops.copy(base, base + BYTES, BYTES)) / 1e9
const ROUNDS = 4e4
const LENGTH = 9600
// by 96 bytes eight vectors of two, a multiplication and an addition each
const flops = (ROUNDS * (LENGTH / 96) * 8 * 2 * 2) / best(() => loops.multiply(base, LENGTH, ROUNDS)) / 1e9

function numbers(d: number, k: number): { names: string[]; columns: Record<string, Float64Array> } {
  const die = dice(1)
  const names = Array.from({ length: d }, (_, j) => `x${j}`)
  const draw = () => Float64Array.from({ length: rows }, (_, i) => die.normal() + 2 * (i % k))
  return { names, columns: Object.fromEntries(names.map(name => [name, draw()])) }
}

const sweeps = []
for (const [d, k] of [
  [8, 8],
  [32, 8],
]) {
  const { names, columns } = numbers(d, k)
  const time = await iteration(mixture(k, normal(names)), columns)
  // per row and component: x − μ; L⁻¹(x − μ); |z|²; Σ w x; Σ w x xᵀ
  const work = rows * k * (d + d * (d + 1) + 2 * d + 2 * d + d * (d + 1))
  // the rows are read once, on the way up; on the way down they are in the kernels' memory
  sweeps.push({ d, k, gflops: work / time / 1e9, gigabytes: (rows * d * 8) / time / 1e9 })
}
console.log(JSON.stringify({ bandwidth, flops, sweeps }))
