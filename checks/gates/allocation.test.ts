/**
 * Nothing is allocated per row in a sweep: the bytes it allocates over 200,000 rows and over 20,000 differ by what its
 * blocks of 480 rows cost, and by no more.
 *
 * Each model is swept in a Node of its own, in which V8 is held still:
 * a young generation that no sweep fills, so that growth of the heap is what was allocated;
 * one thread, so that code is optimised at the same point in every run;
 * a large inlining budget, so that a number is not boxed because V8 ran out of budget for the call that returns it.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Core } from "./testing/core.ts"

const SRC = fileURLToPath(new URL("../../packages/suffice/src", import.meta.url))
const STILL = ["--expose-gc", "--single-threaded", "--min-semi-space-size=256", "--max-semi-space-size=256"]
const INLINED = [
  "--max-inlined-bytecode-size=10000",
  "--max-inlined-bytecode-size-cumulative=10000",
  "--max-optimized-bytecode-size=1000000",
]
/** Bytes per row, for what a block costs: half of the smallest thing that a row could allocate, a boxed number of 16. */
const MOST = 8
const SMALL = 20_000
const LARGE = 200_000

type Model = import("../../packages/suffice/src/contract/model.ts").Model
type Cell = import("../../packages/suffice/src/contract/cells.ts").Cell
type Columns = import("../../packages/suffice/src/contract/cells.ts").Columns
type Learner = import("../../packages/suffice/src/contract/learner.ts").Learner

/** Columns: x, y, z real; c of three levels, b of two; words; label, always seen; half, seen in every other row; holes, a real with gaps. */
const MODELS: Readonly<Record<string, (core: Core) => Model>> = {
  "naive Bayes, labels seen": ({ classes, independent, gaussian }) =>
    classes("label", independent({ x: gaussian(), y: gaussian({ variance: "tied" }) })),
  "naive Bayes, half of the labels": ({ classes, independent, gaussian, categorical }) =>
    classes("half", independent({ x: gaussian(), holes: gaussian(), c: categorical() })),
  "a mixture of columns": ({ mixture, independent, gaussian, categorical, bernoulli }) =>
    mixture(3, independent({ x: gaussian(), c: categorical(), b: bernoulli() })),
  "a mixture of experts": ({ mixture, independent, gaussian, linear }) =>
    mixture(2, independent({ x: gaussian() }, linear("y", ["x"]))),
  "a mixture in each class": ({ classes, mixture, independent, gaussian }) =>
    classes("label", mixture(2, independent({ x: gaussian(), y: gaussian() }))),
  "a body for each class": ({ classes, independent, gaussian }) =>
    classes("label", {
      p: independent({ x: gaussian() }),
      q: independent({ x: gaussian({ variance: "tied" }) }),
      r: independent({ x: gaussian() }),
    }),
  "multinomial classes": ({ classes, independent, multinomial }) =>
    classes("label", independent({ words: multinomial() })),
  "a mixture of word sets": ({ mixture, independent, wordSet }) =>
    mixture(2, independent({ words: wordSet() })),
  "a mixture of full normals": ({ mixture, normal }) => mixture(3, normal(["x", "y", "z"])),
  "a mixture of full normals with gaps": ({ mixture, normal }) => mixture(3, normal(["x", "y", "holes"])),
  "classes of diagonal normals": ({ classes, normal }) =>
    classes("label", normal(["x", "y", "z"], { covariance: "diag" })),
}

interface Measured {
  readonly small: number
  readonly large: number
  /** Where it was allocated: function and line of the bundle, bytes per row. Only on request: sampling is slow. */
  readonly sites: readonly { readonly name: string; readonly line: number; readonly perRow: number }[]
}

/** Runs in the child, so it uses nothing but its arguments: the bytes one sweep allocates over few and over many rows. */
async function measure(
  core: Core,
  make: ((core: Core) => Model) | "planted",
  [few, many]: readonly [number, number],
  where: boolean,
): Promise<Measured> {
  const { GCProfiler } = process.getBuiltinModule("node:v8")
  const { Session } = process.getBuiltinModule("node:inspector/promises")

  function table(rows: number, names: ReadonlySet<string>): Columns {
    const dice = core.dice(1)
    const pick = (names: string): string => names[dice.integer(names.length)]
    const cells: Record<string, (i: number) => Cell> = {
      x: () => dice.normal(),
      y: () => dice.normal(),
      z: () => dice.normal(),
      c: () => pick("abc"),
      b: () => dice.uniform() < 0.3,
      words: () => [pick("stuvw"), pick("stuvw"), pick("xyz")],
      label: () => pick("pqr"),
      half: i => (i % 2 === 0 ? pick("pqr") : null),
      holes: () => (dice.uniform() < 0.2 ? null : dice.normal()),
    }
    const used = Object.keys(cells).filter(name => names.has(name))
    return Object.fromEntries(
      used.map(name => [name, Array.from({ length: rows }, (_, i) => cells[name](i))]),
    )
  }

  /** The sweep that every learner is given, obtained by a learner that learns nothing. */
  async function sweepOver(rows: number, model: Model): Promise<() => Promise<unknown>> {
    let sweep = async (): Promise<unknown> => undefined
    const onlooker: Learner = {
      name: "onlooker",
      options: {},
      async *learn(problem, dice) {
        const stats = await problem.start.guess(dice)
        const { params } = problem.theta.solve(
          stats.map((value, j) => value + problem.theta.prior[j]),
          0,
        )
        sweep = () => problem.data.sweep(params)
      },
    }
    const data = table(rows, new Set(model.uses.map(use => use.column)))
    for await (const _ of core.learn(model, data as never, { learner: onlooker }));
    return sweep
  }

  /** What the gate must see: one small object per row. */
  function planted(rows: number): () => Promise<unknown> {
    let kept: unknown
    return async () => {
      for (let i = 0; i < rows; i++) kept = { i }
      return kept
    }
  }

  /** Bytes allocated by one run; Infinity if a collection hid some of them. */
  async function bytes(run: () => Promise<unknown>): Promise<number> {
    const profiler = new GCProfiler()
    profiler.start()
    const before = process.memoryUsage()
    await run()
    const after = process.memoryUsage()
    if (profiler.stop()!.statistics.length > 0) return Number.POSITIVE_INFINITY
    // typed arrays store their numbers outside the heap
    return after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers
  }

  async function sitesOf(run: () => Promise<unknown>): Promise<Measured["sites"]> {
    const session = new Session()
    session.connect()
    await session.post("HeapProfiler.startSampling", {
      samplingInterval: 256,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    })
    await run()
    const { profile } = await session.post("HeapProfiler.stopSampling")
    const found = new Map<string, { name: string; line: number; perRow: number }>()
    const visit = ({ callFrame, selfSize, children }: typeof profile.head): void => {
      const { functionName: name, lineNumber } = callFrame
      const site = found.get(`${name} ${lineNumber}`) ?? { name, line: lineNumber, perRow: 0 }
      site.perRow += selfSize / many
      found.set(`${name} ${lineNumber}`, site)
      children.forEach(visit)
    }
    visit(profile.head)
    return [...found.values()].sort((a, b) => b.perRow - a.perRow).filter(({ perRow }) => perRow >= 1)
  }

  const small = make === "planted" ? planted(few) : await sweepOver(few, make(core))
  const large = make === "planted" ? planted(many) : await sweepOver(many, make(core))
  // not between sweeps: a collection discards what V8 has learned about the code
  globalThis.gc?.()
  for (let i = 0; i < 4; i++) {
    await bytes(small)
    await bytes(large)
  }
  // the least of four: late optimisation only adds
  let fewest = Number.POSITIVE_INFINITY
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 4; i++) {
    fewest = Math.min(fewest, await bytes(small))
    least = Math.min(least, await bytes(large))
  }
  if (least === Number.POSITIVE_INFINITY) throw new Error("a collection interrupted every sweep")
  const sites = where ? await sitesOf(large) : []
  return { small: fewest, large: least, sites }
}

const folder = mkdtempSync(join(tmpdir(), "suffice-allocation-"))
const program = join(folder, "measure.mjs")
const measured: Record<string, Measured> = {}

beforeAll(async () => {
  const models = Object.entries(MODELS).map(([name, make]) => `${JSON.stringify(name)}: ${make}`)
  const contents = `import { core } from "../../../checks/gates/testing/core.ts"
    const models = { planted: "planted", ${models.join(",\n")} }
    const measure = ${measure}
    console.log(JSON.stringify(await measure(core, models[process.argv[2]], [${SMALL}, ${LARGE}], process.argv[3] === "where")))`
  await build({
    stdin: { contents, resolveDir: SRC, loader: "js" },
    bundle: true,
    outfile: program,
    format: "esm",
    platform: "node",
    conditions: ["source"],
    target: "es2022",
  })
})

afterAll(() => {
  rmSync(folder, { recursive: true })
  const rows = Object.entries(measured).map(
    ([name, { small, large }]) =>
      `  ${name.padEnd(38)}${perRow({ small, large }).toFixed(2).padStart(7)} bytes per row${((large * 480) / LARGE).toFixed(0).padStart(7)} per block`,
  )
  console.log([`allocated by a sweep, ${LARGE} rows against ${SMALL}:`, ...rows].join("\n"))
})

function perRow({ small, large }: Pick<Measured, "small" | "large">): number {
  return (large - small) / (LARGE - SMALL)
}

async function run(name: string): Promise<Measured> {
  measured[name] = await inChild([...STILL, ...INLINED, program, name])
  return measured[name]
}

async function inChild(args: readonly string[]): Promise<Measured> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] })
  let said = ""
  let wrong = ""
  child.stdout.on("data", text => {
    said += text
  })
  child.stderr.on("data", text => {
    wrong += text
  })
  const code = await new Promise(resolve => child.on("close", resolve))
  if (code !== 0) throw new Error(`node ${args.join(" ")} fails:\n${wrong}`)
  return JSON.parse(said)
}

/**
 * "file, function: bytes per row" of what stays within the heap, at V8's own inlining, so that functions keep their names.
 * esbuild writes the name of each file above its code.
 */
async function sitesOf(name: string): Promise<string[]> {
  const { sites } = await inChild([...STILL, program, name, "where"])
  const lines = readFileSync(program, "utf8").split("\n")
  return sites.map(({ name, line, perRow }) => {
    const file = lines.slice(0, line + 1).findLast(text => /^\/\/ \S+\.ts$/.test(text))
    return `${file?.slice(3).replace(/^.*\/src\//, "") ?? "node"}, ${name || "(anonymous)"}: ${perRow.toFixed(1)} bytes per row`
  })
}

// two at a time: each waits for the one two before it
const turns: Promise<unknown>[] = []
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = Promise.resolve(turns.at(-2)).then(work)
  turns.push(mine.catch(() => undefined))
  return mine
}

test.concurrent.each(Object.keys(MODELS))("a sweep allocates nothing per row: %s", async name => {
  const bytes = perRow(await inTurn(() => run(name)))
  const sites = bytes > MOST ? await inTurn(() => sitesOf(name)) : []
  expect(bytes, `${bytes.toFixed(1)} bytes per row\n${sites.join("\n")}`).toBeLessThanOrEqual(MOST)
})

test("the bound can fail: one small object per row is seen, and where", async () => {
  expect(perRow(await run("planted"))).toBeGreaterThan(MOST)
  expect((await sitesOf("planted")).length).toBeGreaterThan(0)
})
