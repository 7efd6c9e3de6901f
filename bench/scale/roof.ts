/** Plain loops in WebAssembly, which sweeps are compared with: compiled by AssemblyScript, run by roofline.ts. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { main as asc } from "assemblyscript/asc"
import { table } from "../page.ts"

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

interface Roof {
  readonly bandwidth: number
  readonly flops: number
  readonly sweeps: readonly { d: number; k: number; gflops: number; gigabytes: number }[]
}

export async function roofline(
  rows: number,
  run: <Answer>(program: string, question: unknown) => Answer,
): Promise<string[]> {
  const room = mkdtempSync(join(tmpdir(), "suffice-scale-"))
  try {
    writeFileSync(join(room, "loops.ts"), LOOPS)
    const wasm = join(room, "loops.wasm")
    const options = ["-O3", "--noAssert", "--enable", "simd", "--runtime", "stub", "--outFile", wasm]
    const { error, stderr } = await asc(["loops.ts", "--baseDir", room, ...options])
    if (error) throw new Error(`${error.message}\n${stderr.toString()}`)
    const { bandwidth, flops, sweeps } = run<Roof>("roofline.js", { rows, wasm })
    return [
      "## Roofline",
      `Plain loops in WebAssembly, two doubles at a time, in the same process: copying ${bandwidth.toFixed(1)} GB/s (read and written), multiplying and adding in the first cache ${flops.toFixed(1)} GFLOP/s.`,
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
