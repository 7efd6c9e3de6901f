/**
 * The twins against each other: one sweep of EM, or one posterior, with the kernels in TypeScript and in wasm by turns, CPU time, the
 * median of the ratios. Both compute the same bits, and that is checked first.
 *
 *     npm run bench:kernels                 writes bench/kernels.md
 *     npm run bench:kernels -- 7 diag       seven rounds of the jobs with "diag" in their name, printed only
 */
import { writeFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import {
  bernoulli,
  categorical,
  classes,
  dice,
  type Family,
  fit,
  gaussian,
  independent,
  type Learner,
  type Model,
  mixture,
  normal,
} from "suffice"
import { useKernels } from "suffice/kernels"
import { learn } from "suffice/learn"

const ROUNDS = Number(process.argv[2] ?? 7)
const ROWS = 200_000

type Table = Record<string, Float64Array | string[]>

/** Clusters, one per class, in d columns; with `levels`, each number is cut to one of so many. */
function table(d: number, k: number, levels?: number): Table {
  const random = dice(1)
  const centre = Array.from({ length: k * d }, () => 2 * random.normal())
  const label = Array.from({ length: ROWS }, () => random.integer(k))
  const columns: Table = { label: label.map(l => `c${l}`) }
  const cut = (x: number) => (levels ? Math.min(Math.max(Math.floor(x + levels / 2), 0), levels - 1) : x)
  for (let j = 0; j < d; j++) {
    columns[`x${j}`] = Float64Array.from(label, l => cut(centre[l * d + j] + random.normal()))
  }
  return columns
}

const names = (d: number): string[] => Array.from({ length: d }, (_, j) => `x${j}`)

/** A learner that learns nothing: it hands out the sweep that every learner is given. */
async function sweepOf(model: Model, data: Table): Promise<() => Promise<Float64Array>> {
  let sweep = async (): Promise<Float64Array> => new Float64Array(0)
  const onlooker: Learner = {
    name: "onlooker",
    options: {},
    async *learn(problem, random) {
      const stats = await problem.start.guess(random)
      const { params } = problem.theta.solve(
        stats.map((value, j) => value + problem.theta.prior[j]),
        0,
      )
      sweep = async () => (await problem.data.sweep(params)).stats
    },
  }
  for await (const _ of learn(model, data as never, { learner: onlooker }));
  return sweep
}

async function posteriorOf(model: Model, data: Table): Promise<() => Promise<Float64Array>> {
  const fitted = await fit(model, data as never)
  const { label: _, ...features } = data
  return async () => fitted.posterior(features as never).probabilities
}

type Job = readonly [
  name: string,
  work: (data: Table) => Promise<() => Promise<Float64Array>>,
  d: number,
  k: number,
  levels?: number,
]

const each = (d: number, family: () => Family): Model =>
  independent(Object.fromEntries(names(d).map(name => [name, family()]))) as never
const bayes = (d: number, family: () => Family = gaussian): Model =>
  classes("label", each(d, family)) as never

const jobs: Job[] = [
  ...(["full", "tied", "diag", "spherical"] as const).flatMap(covariance =>
    [8, 32].map((d): Job => {
      const model = mixture(8, normal(names(d), { covariance })) as never
      return [`mixture, ${covariance}, d=${d}, k=8: sweep`, data => sweepOf(model, data), d, 8]
    }),
  ),
  [
    "mixture of gaussians, d=8, k=8: sweep",
    data => sweepOf(mixture(8, each(8, gaussian)) as never, data),
    8,
    8,
  ],
  [
    "mixture of categoricals, 30 columns of 5 levels, k=8: sweep",
    data => sweepOf(mixture(8, each(30, categorical)) as never, data),
    30,
    8,
    5,
  ],
  [
    "mixture of bernoullis, 30 columns, k=8: sweep",
    data => sweepOf(mixture(8, each(30, bernoulli)) as never, data),
    30,
    8,
    2,
  ],
  [
    "CategoricalNB, 30 columns of 5 levels, k=5: sweep",
    data => sweepOf(bayes(30, categorical), data),
    30,
    5,
    5,
  ],
  ["CategoricalNB: posterior", data => posteriorOf(bayes(30, categorical), data), 30, 5, 5],
  ["BernoulliNB, 30 columns, k=5: sweep", data => sweepOf(bayes(30, bernoulli), data), 30, 5, 2],
  ["BernoulliNB: posterior", data => posteriorOf(bayes(30, bernoulli), data), 30, 5, 2],
  ["GaussianNB, d=50, k=5: sweep", data => sweepOf(bayes(50), data), 50, 5],
  ["GaussianNB, d=50, k=5: posterior", data => posteriorOf(bayes(50), data), 50, 5],
  ["QDA, d=50, k=5: sweep", data => sweepOf(classes("label", normal(names(50))) as never, data), 50, 5],
  [
    "QDA, d=50, k=5: posterior",
    data => posteriorOf(classes("label", normal(names(50))) as never, data),
    50,
    5,
  ],
  [
    "LDA, d=50, k=5: sweep",
    data => sweepOf(classes("label", normal(names(50), { covariance: "tied" })) as never, data),
    50,
    5,
  ],
  [
    "LDA, d=50, k=5: posterior",
    data => posteriorOf(classes("label", normal(names(50), { covariance: "tied" })) as never, data),
    50,
    5,
  ],
]

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]

const lines = [
  "| 200,000 rows, one thread | TypeScript, CPU s | wasm, CPU s | median ratio |",
  "|---|---|---|---|",
]
const wanted = process.argv[3]
for (const [name, prepare, d, k, levels] of jobs) {
  if (wanted && !name.includes(wanted)) continue
  const data = table(d, k, levels)
  useKernels("typescript")
  const slow = await prepare(data)
  useKernels("wasm")
  const fast = await prepare(data)
  const ours = await fast()
  useKernels("typescript")
  const theirs = await slow()
  if (ours.some((value, j) => !Object.is(value, theirs[j]))) throw new Error(`${name}: the twins differ`)
  const times: [number, number][] = []
  // what a sweep sums with, it takes when it begins
  const on = (kernels: "typescript" | "wasm", work: () => Promise<unknown>): Promise<number> => {
    useKernels(kernels)
    return seconds(work)
  }
  for (let round = 0; round < ROUNDS; round++)
    times.push([await on("typescript", slow), await on("wasm", fast)])
  const cells = [
    median(times.map(([a]) => a)),
    median(times.map(([, b]) => b)),
    median(times.map(([a, b]) => a / b)),
  ]
  lines.push(`| ${name} | ${cells.map(value => value.toFixed(3)).join(" | ")} |`)
  console.log(lines.at(-1))
}
if (!wanted) {
  const text = [
    "# The kernels: TypeScript and wasm",
    "",
    "Written by `npm run bench:kernels`: one sweep of EM, or one posterior (the door included), on both kernels by turns; they compute the same",
    "bits, which is checked first.",
    "",
    "Where labels are seen, every row adds to one slot alone: less is gained, since what is left is reading the rows. poisson is TypeScript only, and",
    "has not been measured. Words have kernels of their own (`assembly/bags.ts`, `assembly/words.ts`): `bench/RESULTS.md`.",
    "",
    `${cpus()[0].model}, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}, load ${loadavg()[0].toFixed(1)}, ${ROUNDS} rounds.`,
    "",
    ...lines,
    "",
  ]
  writeFileSync(new URL("kernels.md", import.meta.url), text.join("\n"))
}
