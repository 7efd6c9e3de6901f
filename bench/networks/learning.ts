/** EM with missing cells, counting and structure, beside pyAgrum and pgmpy. */
import { categorical, em, fit, type Learner, type Row } from "suffice"
import { structure } from "suffice/structure"
import { fittedOfTables, modelOfTables, type NetworkTables } from "suffice-files/networks"
import { cpu } from "../clock.ts"
import { mean, median } from "../page.ts"
import { asked, codesOf, columnsOf, network, rowsOf } from "./data.ts"
import { bic, distance, type Graph, graphOf } from "./graphs.ts"

export interface Climbed {
  /** Seconds of a sweep, of an iteration. */
  readonly ours: number
  readonly theirs: number
  readonly sweeps: number
  readonly iterations: number
  readonly falls: number
  /** ln p per row of what is seen, by our evaluator: from one start, and the best of `starts`. */
  readonly oursPerRow: number
  readonly bestPerRow: number
  readonly starts: number
  readonly theirsPerRow: number
}

const EM_ROWS = 2000
const STARTS = 6

/** The same weak prior on both sides: nearly maximum likelihood. */
const WEAK = 1e-6

export async function climbed(): Promise<Climbed> {
  const known = network("alarm")
  const rows = rowsOf(known, EM_ROWS, 0.9, 2)
  const marks: number[] = []
  const heights: number[] = []
  const fitted = await fit(modelOfTables(known.tables), rows as never, {
    learner: em({ prior: WEAK, tolerance: 1e-9, maxIterations: 100 }),
    threads: 1,
    onStep: ({ objective }: { readonly objective: number }) => {
      marks.push(cpu())
      heights.push(objective)
    },
  })
  const best = await fit(modelOfTables(known.tables), rows as never, {
    learner: em({ prior: WEAK, tolerance: 1e-9, maxIterations: 60, restarts: STARTS - 1 }),
    threads: 1,
  })
  const each = marks.slice(1).map((mark, n) => mark - marks[n])
  const question = { job: "em", columns: columnsOf(known.tables, false), rows: codesOf(known, rows) }
  const theirs = asked<{
    seconds: number
    iterations: number
    tables: readonly (readonly number[])[]
    orders: readonly (readonly string[])[]
  }>({ ...question, prior: WEAK, epsilon: 1e-6, iterations: 30 })
  const perRow = (fitted: { logDensity(rows: never): Float64Array }): number =>
    mean([...fitted.logDensity(rows as never)])
  return {
    ours: Math.min(...each),
    theirs: theirs.seconds / theirs.iterations,
    sweeps: marks.length,
    iterations: theirs.iterations,
    falls: heights.slice(1).filter((height, n) => height < heights[n] - 1e-9 * Math.abs(height)).length,
    oursPerRow: perRow(fitted as never),
    bestPerRow: perRow(best as never),
    starts: STARTS,
    theirsPerRow: perRow(fittedOfTables(withTables(known.tables, theirs)) as never),
  }
}

/** The network with pyAgrum's tables, whose axes stand in an order of their own. */
function withTables(
  { name, columns }: NetworkTables,
  { tables, orders }: { tables: readonly (readonly number[])[]; orders: readonly (readonly string[])[] },
): NetworkTables {
  const place = new Map(columns.map(({ name }, v) => [name, v]))
  return {
    name,
    columns: columns.map((column, v) => {
      const { parents, levels, probabilities } = column
      // the last name of its list is outermost
      const outer = orders[v].toReversed().map(own => Number(own.slice(1)))
      const inner = [...parents.map(parent => place.get(parent)!), v]
      const strides = outer.map((_, j) =>
        outer.slice(j + 1).reduce((size, u) => size * columns[u].levels.length, 1),
      )
      const table = Float64Array.from(probabilities, (_, e) => {
        let rest = e
        let at = 0
        for (const u of inner.toReversed()) {
          const { length } = columns[u].levels
          at += (rest % length) * strides[outer.indexOf(u)]
          rest = Math.trunc(rest / length)
        }
        return tables[v][at]
      })
      // configurations that no row has: pyAgrum leaves them at 0, or says so otherwise
      for (let c = 0; c < table.length; c += levels.length) {
        const own = table.subarray(c, c + levels.length)
        const sum = own.reduce((a, b) => a + b, 0)
        own.forEach((p, l) => {
          own[l] = sum > 0 ? p / sum : 1 / levels.length
        })
      }
      return { ...column, probabilities: table }
    }),
  }
}

export interface Counted {
  readonly rows: number
  /** Seconds: a sweep over encoded rows; a fit from columns of text; learnParameters; opening the frame. */
  readonly sweep: number
  readonly whole: number
  readonly theirs: number
  readonly opened: number
}

export async function counted(): Promise<Counted> {
  const known = network("alarm")
  const rows = rowsOf(known, 50_000, 1, 3)
  const columns = Object.fromEntries(
    known.tables.columns.map(({ name }) => [name, rows.map(row => row[name])]),
  )
  const sweeps: number[] = []
  const wholes: number[] = []
  for (let round = 0; round < 5; round++) {
    const began = cpu()
    await fit(modelOfTables(known.tables), columns as never, { learner: sweeping(sweeps), threads: 1 })
    wholes.push(cpu() - began - sweeps.slice(-4).reduce((a, b) => a + b, 0))
  }
  const { seconds, opened } = asked<{ seconds: number; opened: number }>({
    job: "counting",
    columns: columnsOf(known.tables, false),
    rows: codesOf(known, rows),
  })
  return {
    rows: rows.length,
    sweep: Math.min(...sweeps),
    whole: Math.min(...wholes),
    theirs: seconds,
    opened,
  }
}

/** EM that sweeps four times more, for the clock. It does not say that it only sweeps: the rows would be read from text in each sweep. */
function sweeping(times: number[]): Learner {
  const plain = em()
  return {
    ...plain,
    sweeps: undefined,
    async *learn(...given) {
      const [problem] = given
      for (let k = 0; k < 4; k++) {
        const began = cpu()
        const { stats } = await problem.data.sweep()
        problem.theta.solve(stats, 1)
        times.push(cpu() - began)
      }
      yield* plain.learn(...given)
    },
  }
}

export interface Searched {
  readonly name: string
  /** Means of the samples. */
  readonly ours: number
  readonly tabu: number
  readonly each: readonly number[]
  /** The least of BIC(ours) − BIC(pyAgrum's). */
  readonly gain: number
  readonly seconds: number
  readonly tabuSeconds: number
  /** Ours / pyAgrum's, median. */
  readonly ratio: number
  /** Of the first sample, where asked. */
  readonly pgmpy?: { readonly seconds: number; readonly distance: number; readonly ratio: number }
}

interface Tried {
  readonly rows: Row[]
  readonly graph: Graph
  readonly seconds: number
}

export const SEARCHED = ["asia", "child", "insurance", "alarm"] as const

export async function searched(name: (typeof SEARCHED)[number]): Promise<Searched> {
  const known = network(name)
  const { columns } = known.tables
  const levels = columns.map(({ levels }) => levels.length)
  const truth = graphOf(
    columns.length,
    columns.flatMap(({ parents }, v) =>
      parents.map(parent => [columns.findIndex(({ name }) => name === parent), v]),
    ),
  )
  const families = Object.fromEntries(columns.map(({ name, levels }) => [name, categorical({ levels })]))
  const search = async (seed: number): Promise<Tried> => {
    const rows = rowsOf(known, 5000, 1, seed) as Row[]
    const began = cpu()
    const { edges } = await structure(rows, { search: "orders", score: "bic", families, seed })
    const seconds = cpu() - began
    const place = (column: string): number => columns.findIndex(({ name }) => name === column)
    const graph = graphOf(
      columns.length,
      edges.map(({ from, to }) => [place(from), place(to)]),
    )
    return { rows, graph, seconds }
  }
  const found: { ours: number; tabu: number; gain: number; seconds: number; theirs: number }[] = []
  let pgmpy: Searched["pgmpy"]
  for (const seed of [1, 2, 3]) {
    const { rows, graph: mine, seconds } = await search(seed)
    const codes = codesOf(known, rows)
    const question = { job: "structure", columns: columnsOf(known.tables, false), rows: codes }
    const tabu = asked<{ seconds: number; edges: number[][] }>({ ...question, system: "pyAgrum" })
    const theirs = graphOf(columns.length, tabu.edges)
    found.push({
      ours: distance(mine, truth),
      tabu: distance(theirs, truth),
      gain: bic(mine, levels, codes) - bic(theirs, levels, codes),
      seconds,
      theirs: tabu.seconds,
    })
    if (name === "child" && seed === 1) {
      const hill = asked<{ seconds: number; edges: number[][] }>({ ...question, system: "pgmpy" })
      pgmpy = {
        seconds: hill.seconds,
        distance: distance(graphOf(columns.length, hill.edges), truth),
        ratio: hill.seconds / seconds,
      }
    }
    const last = found.at(-1)!
    console.log(
      `  ${name} ${seed}: SHD ${last.ours}, pyAgrum ${last.tabu}, BIC ${last.gain.toFixed(1)} above, ${seconds.toFixed(2)} s, ${tabu.seconds.toFixed(2)} s`,
    )
  }
  return {
    name,
    ours: mean(found.map(({ ours }) => ours)),
    tabu: mean(found.map(({ tabu }) => tabu)),
    each: found.map(({ ours }) => ours),
    gain: Math.min(...found.map(({ gain }) => gain)),
    seconds: median(found.map(({ seconds }) => seconds)),
    tabuSeconds: median(found.map(({ theirs }) => theirs)),
    ratio: median(found.map(({ seconds, theirs }) => seconds / theirs)),
    ...(pgmpy && { pgmpy }),
  }
}
