/**
 * Soft k-means is EM on a mixture of normals whose covariance is held at the identity.
 *
 *     E   r_ik = softmax_k( ln π_k − ½ ‖x_i − μ_k‖² )          some prints lack the minus sign
 *     M   μ_k = Σ_i r_ik x_i / Σ_i r_ik,  π_k = Σ_i r_ik / m    and the division by Σ_i r_ik
 *
 * Both steps are written out here and compared with every step of the learner.
 */
import { dice, em, type Fitted, mixture, normal } from "suffice"
import { learn } from "suffice/learn"

// ── three round clouds, 300 points each ────────────────────────────────────────────────────────────
const centres = [0, 4, 2].map((x, k) => ({ x, y: [0, 0, 3][k] }))
const roll = dice(3)
const points = Array.from({ length: 900 }, (_, i) => centres[i % 3]).map(({ x, y }) => ({
  x: x + roll.normal(),
  y: y + roll.normal(),
}))

type Part = { "x, y": { mean: { x: number; y: number } } }
type Cluster = [share: number, x: number, y: number] // π_k, μ_k
function clustersOf(fitted: Fitted): Cluster[] {
  const { cluster } = fitted.describe() as { cluster: { probabilities: number[]; given: Part[] } }
  const means = Object.values(cluster.given).map(part => part["x, y"].mean)
  return means.map(({ x, y }, k) => [cluster.probabilities[k], x, y])
}

function eStep(clusters: Cluster[]): number[][] {
  return points.map(p => {
    const weights = clusters.map(([share, x, y]) => share * Math.exp(-((p.x - x) ** 2 + (p.y - y) ** 2) / 2))
    return weights.map(weight => weight / weights.reduce((a, b) => a + b))
  })
}
function mStep(r: number[][]): Cluster[] {
  return centres.map((_, k) => {
    const sum = (of: (i: number) => number) => points.reduce((total, _, i) => total + r[i][k] * of(i), 0)
    const n = sum(() => 1)
    return [n / points.length, sum(i => points[i].x) / n, sum(i => points[i].y) / n]
  })
}
const gap = (a: number[], b: number[]) => Math.max(...a.map((value, j) => Math.abs(value - b[j])))

// ── every step of EM beside the two by hand ────────────────────────────────────────────────────────
const model = mixture(3, normal(["x", "y"], { covariance: "identity" }), { name: "cluster" })
const gaps = { e: 0, m: 0 }
let [found, next]: Cluster[][] = [[], []]
for await (const step of learn(model, points, { learner: em({ prior: 0 }), seed: 3 })) {
  found = clustersOf(step.fitted())
  if (step.iteration > 0) gaps.m = Math.max(gaps.m, gap(found.flat(), next.flat()))
  gaps.e = Math.max(gaps.e, gap(eStep(found).flat(), [...step.fitted().responsibilities(points)]))
  next = mStep(eStep(found))
}
const off = centres.map(({ x, y }) => Math.min(...found.map(([, mx, my]) => Math.hypot(mx - x, my - y))))
export const result = {
  "largest gap of an E-step to the formula": { stated: 0, measured: gaps.e },
  "largest gap of an M-step to the formula": { stated: 0, measured: gaps.m },
  "farthest centre from the truth": { stated: 0, measured: Math.max(...off) },
}
console.table(result)
