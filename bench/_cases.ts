import { classes, dice, evaluate, fit, gaussian, independent, normal, sdem, em } from "suffice"
type R = { y: string; x: number; z: number }
function make(k: number, n: number, seed: number, sd = 0.1): R[] {
  const d = dice(seed); const rows: R[] = []
  for (let c = 0; c < k; c++) for (let i = 0; i < n; i++) rows.push({ y: `c${c}`, x: c + sd * d.normal(), z: d.normal() })
  return rows
}
const nb = classes("y", independent({ x: gaussian(), z: gaussian() }))
const nbt = classes("y", independent({ x: gaussian({variance:"tied"}), z: gaussian({variance:"tied"}) }))
const lda = classes("y", normal(["x", "z"], { covariance: "tied" }))
const qda = classes("y", normal(["x", "z"], { covariance: "full" }))
const dg = classes("y", normal(["x", "z"], { covariance: "diag" }))
const cases: [string, R[], R[]][] = [
  ["10x2", make(10, 2, 1), make(10, 200, 2)],
  ["10x5", make(10, 5, 1), make(10, 200, 2)],
  ["100x20", make(100, 20, 1), make(100, 50, 2)],
]
function two(n: number, seed: number): R[] {
  const d = dice(seed)
  return Array.from({ length: n }, (_, i) => ({ y: `c${i % 2}`, x: (i % 2 ? 1.5 : 0) + (i % 2 ? 1 : 0.3) * d.normal(), z: d.normal() }))
}
const test = two(4000, 4)
cases.push(["clean", two(1000, 3), test])
cases.push(["far", [...two(1000, 3), ...[-10, 0, 10].map(i => ({ y: "c2", x: 1e4 + i, z: 0 }))], test])
cases.push(["far1u", [...make(2, 500, 3, 0.39), ...[-10, 0, 10].map(i => ({ y: "c2", x: 1e4 + i, z: 0 }))], make(2, 2000, 4, 0.39)])
const typo = two(1000, 3); typo[1].x = 1e5
cases.push(["typo", typo, test])
for (const [name, train, test] of cases) {
  const out: string[] = []
  for (const [mn, m] of [["nb", nb], ["nbt", nbt], ["lda", lda], ["qda", qda], ["diag", dg]] as const)
    for (const [ln, l] of [["em", em()], ["ml", em({ prior: 0 })], ["ncll", sdem()], ["hinge", sdem({ loss: "hinge" })]] as const) {
      const f = await fit(m as never, train as never, { learner: l })
      const e = evaluate(f as never, test as never) as any
      out.push(`${mn}.${ln} ${(100 * (e.accuracy.value ?? e.accuracy)).toFixed(1)}/${(e.logLoss.value ?? e.logLoss).toFixed(2)}`)
    }
  console.log(name, out.join("  "))
}
