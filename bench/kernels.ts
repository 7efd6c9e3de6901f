/**
 * The kernels in WebAssembly beside the same in TypeScript: one sweep of EM, or one posterior, by turns; processor time, the median of the
 * ratios. Both results are bit-identical, which is checked first.
 *
 *     npm run bench -- kernels                 seven rounds of all jobs, and the page
 *     npm run bench -- kernels diag            the jobs whose name contains the word, printed
 *     npm run bench -- kernels diag --quick    one round of 20,000 rows
 */
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
import { cpu } from "./clock.ts"
import { matching } from "./options.ts"
import { median, table, writePage } from "./page.ts"

const ROWS = 200_000
const QUICK_ROWS = 20_000
const ROUNDS = 7

type Table = Record<string, Float64Array | string[]>

/** Clusters, one per class, in d columns; with `levels`, each number is cut to one of so many. */
function clusters(rows: number, { d, k, levels }: Job): Table {
  const random = dice(1)
  const centre = Array.from({ length: k * d }, () => 2 * random.normal())
  const label = Array.from({ length: rows }, () => random.integer(k))
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

interface Job {
  readonly name: string
  work(data: Table): Promise<() => Promise<Float64Array>>
  readonly d: number
  readonly k: number
  readonly levels?: number
}

const each = (d: number, family: () => Family): Model =>
  independent(Object.fromEntries(names(d).map(name => [name, family()]))) as never
const bayes = (d: number, family: () => Family = gaussian): Model =>
  classes("label", each(d, family)) as never

const sweepJob = (name: string, model: Model, d: number, k: number, levels?: number): Job => ({
  name: `${name}: sweep`,
  work: data => sweepOf(model, data),
  d,
  k,
  ...(levels !== undefined && { levels }),
})

/** One sweep, and one posterior. */
const bothJobs = (name: string, model: Model, d: number, k: number, levels?: number): Job[] => {
  const sweep = sweepJob(name, model, d, k, levels)
  return [sweep, { ...sweep, name: `${name}: posterior`, work: data => posteriorOf(model, data) }]
}

const qda = classes("label", normal(names(50))) as never
const lda = classes("label", normal(names(50), { covariance: "tied" })) as never

const JOBS: readonly Job[] = [
  ...(["full", "tied", "diag", "spherical"] as const).flatMap(covariance =>
    [8, 32].map(d =>
      sweepJob(
        `mixture, ${covariance}, d=${d}, k=8`,
        mixture(8, normal(names(d), { covariance })) as never,
        d,
        8,
      ),
    ),
  ),
  sweepJob("mixture of gaussians, d=8, k=8", mixture(8, each(8, gaussian)) as never, 8, 8),
  sweepJob(
    "mixture of categoricals, 30 columns of 5 levels, k=8",
    mixture(8, each(30, categorical)) as never,
    30,
    8,
    5,
  ),
  sweepJob("mixture of bernoullis, 30 columns, k=8", mixture(8, each(30, bernoulli)) as never, 30, 8, 2),
  ...bothJobs("CategoricalNB, 30 columns of 5 levels, k=5", bayes(30, categorical), 30, 5, 5),
  ...bothJobs("BernoulliNB, 30 columns, k=5", bayes(30, bernoulli), 30, 5, 2),
  ...bothJobs("GaussianNB, d=50, k=5", bayes(50), 50, 5),
  ...bothJobs("QDA, d=50, k=5", qda, 50, 5),
  ...bothJobs("LDA, d=50, k=5", lda, 50, 5),
]

/** Processor seconds of TypeScript, of WebAssembly, and the median ratio. */
async function timed(job: Job, rows: number, rounds: number): Promise<number[]> {
  const data = clusters(rows, job)
  const prepared = async (kernels: "typescript" | "wasm") => {
    useKernels(kernels)
    const work = await job.work(data)
    return async () => {
      // a sweep takes its kernels when it begins
      useKernels(kernels)
      const began = cpu()
      const value = await work()
      return { seconds: cpu() - began, value }
    }
  }
  const [slow, fast] = [await prepared("typescript"), await prepared("wasm")]
  const expected = (await slow()).value
  const { value } = await fast()
  if (value.some((x, j) => !Object.is(x, expected[j]))) throw new Error(`${job.name}: the kernels differ`)
  const times: [number, number][] = []
  for (let round = 0; round < rounds; round++) times.push([(await slow()).seconds, (await fast()).seconds])
  return [
    median(times.map(([a]) => a)),
    median(times.map(([, b]) => b)),
    median(times.map(([a, b]) => a / b)),
  ]
}

export async function run(options: readonly string[]): Promise<void> {
  const words = options.filter(option => option !== "--quick")
  const isQuick = options.includes("--quick")
  const rows = isQuick ? QUICK_ROWS : ROWS
  const rounds = isQuick ? 1 : ROUNDS
  const lines: string[][] = []
  for (const job of matching(JOBS, words)) {
    lines.push([job.name, ...(await timed(job, rows, rounds)).map(value => value.toFixed(3))])
    console.log(lines.at(-1)!.join("  "))
  }
  const parts = [
    `One sweep of EM, or one posterior with its encoding of rows, on both kernels by turns, ${rounds} rounds. The results are bit-identical, which is checked first.
Where labels are observed, every row adds to one component alone and less is gained. Kernels of words are measured by the race ([RESULTS.md](RESULTS.md)).`,
    table(
      [`${rows.toLocaleString("en")} rows, one thread`, "TypeScript, CPU s", "wasm, CPU s", "median ratio"],
      lines,
    ),
  ]
  if (isQuick || words.length > 0) console.log(`\n${parts.join("\n\n")}`)
  else writePage("kernels", "The kernels: TypeScript and wasm", parts, {})
}
