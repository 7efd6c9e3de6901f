/**
 * A fitted model by brute force: every assignment of its switches is one world, and nothing is summed cleverly.
 *
 *     p(row) = Σ_worlds p(world) Π_leaves p(cells | world) Π_steps p(step | world)
 *
 * A step is a row with worlds of its own, in the contexts of the world its row is in. Along a chain it has some for each of its states, and every path through
 * them is tried:
 *
 *     p(steps | world) = Σ_paths π_{z_1} p(step 1 | z_1) Π_t a_{z_{t−1} z_t} p(step t | z_t)
 *
 * It uses the leaves and the names of their contexts, and none of the passes up, down and open. Long because it is a second model.
 */
import { type Block, type Cell, type Column, SufficeError } from "suffice"
import type { Encoded, Part } from "suffice/contract"
import type { LooseFitted, LooseRow } from "./api.ts"
import { exp, logSumExp } from "./numbers.ts"
import { namesOf } from "./parts.ts"
import { bagsOf, blank, type Probe, probe } from "./probe.ts"
import { fitted, type ModelSubject } from "./subjects.ts"
import { isHole } from "./variants.ts"

interface World {
  readonly logWeight: number
  /** The value of every switch this world has; of nested ones with the same name, the outermost. */
  readonly values: ReadonlyMap<string, string>
  readonly leaves: readonly { readonly node: Part; readonly slot: number }[]
  /** Of a step, by the column of the steps. */
  readonly within: ReadonlyMap<string, readonly World[] | Chain>
}

/** What is needed to try the paths of a chain, in logarithms. */
interface Chain {
  readonly column: string
  readonly states: readonly string[]
  readonly initial: readonly number[]
  /** By the state before; the last one is the end, if there is one. */
  readonly transitions: readonly (readonly number[])[]
  /** Of a step, by its state. */
  readonly worlds: readonly (readonly World[])[]
}

export interface Share {
  /** p(world | row) */
  readonly weight: number
  /** Mean of a numeric column in this world, given what else was seen, in the units of the data. */
  readonly mean: number
  readonly variance: number
  below(x: number): number
}

export interface Worlds {
  readonly count: number
  /** ln p(row) */
  logDensity(row: LooseRow): number
  /** p(target = level | the rest of the row), for a switch or a column with levels. */
  posterior(row: LooseRow, target: string, levels: readonly Cell[]): Float64Array
  /** The distribution of a number in each world. */
  shares(row: LooseRow, target: string): Share[]
}

/** A model and the same model as worlds. */
export async function inWorlds(
  subject: ModelSubject,
  rows: readonly LooseRow[],
): Promise<{ readonly model: LooseFitted; readonly worlds: Worlds }> {
  const model = await fitted(subject, { data: rows, options: {} }, { steps: 4 })
  const found = await probe(subject.model, rows)
  const { params } = found.problem.theta.solve(found.problem.start.adopt(model.describe()), 0)
  return { model, worlds: worldsOf(found, params) }
}

function worldsOf(found: Probe, params: Float64Array): Worlds {
  const worlds = enumerate([...found.root.tree.contexts([""])], params, found.columns)
  const isColumn = (name: string): boolean => found.columns.some(column => column.name === name)
  const joints = (row: LooseRow): Float64Array => jointsOf(worlds, found.columns, row, params)

  return {
    count: worlds.length,
    logDensity: row => logSumExp(joints(row)),

    posterior(row, target, levels) {
      const logs = levels.map(level => {
        const asked = joints(isColumn(target) ? { ...row, [target]: level } : row)
        if (isColumn(target)) return logSumExp(asked)
        return logSumExp(asked.filter((_, w) => worlds[w].values.get(target) === String(level)))
      })
      const total = logSumExp(logs)
      return Float64Array.from(logs, value => exp(value - total))
    },

    shares(row, target) {
      const unknown = { ...row, [target]: null }
      const block = encoded(found.columns, unknown)
      const place = found.columns.findIndex(({ name }) => name === target)
      const column = found.columns[place]
      const { shift, scale } = column.kind === "number" ? column : { shift: 0, scale: 1 }
      const logs = joints(unknown)
      const total = logSumExp(logs)
      return worlds.map(({ leaves }, w) => {
        const { node, slot } = leaves.find(({ node }) => namesOf(node).includes(target))!
        const mean = new Float64Array(1)
        const variance = new Float64Array(1)
        node.leaf.numbers!.expect(block, node.ranges.paramsOf(params), slot, place, mean, variance)
        return {
          weight: exp(logs[w] - total),
          mean: shift + scale * mean[0],
          variance: scale * scale * variance[0],
          below: x => node.leaf.numbers!.cdf((x - shift) / scale, mean[0], variance[0]),
        }
      })
    },
  }
}

/** ln p(row, world) of every world. */
function jointsOf(
  worlds: readonly World[],
  columns: readonly Column[],
  row: LooseRow,
  params: Float64Array,
): Float64Array {
  const block = encoded(columns, row)
  const isColumn = (name: string): boolean => columns.some(column => column.name === name)
  return Float64Array.from(worlds, ({ logWeight, values, leaves, within }) => {
    for (const [column, value] of values) {
      const seen = isColumn(column) ? row[column] : null
      if (!isHole(seen) && String(seen) !== value) return Number.NEGATIVE_INFINITY
    }
    let sum = logWeight
    for (const { node, slot } of leaves) {
      const scores = new Float64Array(node.leaf.shape.slots)
      node.leaf.score(block, node.ranges.paramsOf(params), scores)
      sum += scores[slot]
    }
    for (const column of columns) {
      if (column.kind !== "steps") continue
      const steps = stepsIn(row[column.name])
      const own = within.get(column.name)!
      if ("states" in own) sum += alongPaths(own, column.columns, steps, params)
      else for (const step of steps) sum += logSumExp(jointsOf(own, column.columns, step, params))
    }
    return sum
  })
}

/** ln p(steps), every path tried. */
function alongPaths(
  { column, states, initial, transitions, worlds }: Chain,
  columns: readonly Column[],
  steps: readonly LooseRow[],
  params: Float64Array,
): number {
  if (steps.length === 0) return 0
  const scores = steps.map(step =>
    states.map((state, l) => {
      const seen = columns.some(({ name }) => name === column) ? step[column] : null
      if (!isHole(seen) && String(seen) !== state) return Number.NEGATIVE_INFINITY
      return logSumExp(jointsOf(worlds[l], columns, step, params))
    }),
  )
  const k = states.length
  let tried: number[][] = [[]]
  for (const _ of steps) tried = tried.flatMap(path => states.map((_, l) => [...path, l]))
  const paths = tried.map(path =>
    path.reduce(
      (sum, state, t) =>
        sum + scores[t][state] + (t === 0 ? initial[state] : transitions[path[t - 1]][state]),
      transitions[path[path.length - 1]][k] ?? 0,
    ),
  )
  return logSumExp(paths)
}

/** The worlds of rows with these columns; `depth`: in how many steps they stand, `known`: the contexts of the row whose steps they are. */
function enumerate(
  parts: readonly (readonly [Part, readonly string[]])[],
  params: Float64Array,
  columns: readonly Column[],
  depth = 0,
  known: ReadonlySet<string> = new Set([""]),
): World[] {
  type Growing = Omit<World, "within"> & { readonly contexts: ReadonlySet<string> }
  let worlds: Growing[] = [{ contexts: known, logWeight: 0, values: new Map(), leaves: [] }]
  for (const [part, names] of parts) {
    // that there are steps is given, and what stands in them has worlds of its own
    if (part.steps.length > depth || isSteps(part.columns[0].name) || isOfChain(part)) continue
    worlds = worlds.flatMap(world => {
      const slot = names.findIndex(name => world.contexts.has(name))
      if (slot < 0) return [world] // the body of another value
      if (part.role === "leaf") return [{ ...world, leaves: [...world.leaves, { node: part, slot }] }]
      const [column] = part.columns as readonly Extract<Column, { kind: "level" }>[]
      return column.levels.map((level, l) => ({
        ...world,
        contexts: new Set([...world.contexts, `${names[slot]}/${column.name}=${String(level)}`]),
        logWeight: world.logWeight + part.ranges.paramsOf(params)[l * part.leaf.shape.slots + slot],
        values: new Map([[column.name, String(level)], ...world.values]),
      }))
    })
  }
  return worlds.map(world => ({
    ...world,
    within: new Map(columns.flatMap(column => inSteps(column, world))),
  }))

  function isSteps(name: string): boolean {
    return columns.some(column => column.kind === "steps" && column.name === name)
  }

  function inSteps(column: Column, { contexts }: Growing): [string, World[] | Chain][] {
    if (column.kind !== "steps") return []
    const inner = parts.filter(([{ steps }]) => steps[depth] === column.name)
    const chained = inner.find(
      ([{ family }, names]) => family === "visits" && names.some(n => contexts.has(n)),
    )
    if (!chained) return [[column.name, enumerate(inner, params, column.columns, depth + 1, contexts)]]
    const [visits, names] = chained
    const state = visits.columns[0].name
    const here = names.find(name => contexts.has(name))!
    const states = (visits.columns[0] as Extract<Column, { kind: "level" }>).levels.map(String)
    const under = states.map(level => `${here}/${state}=${level}`)
    /** The logarithms of one slot, entry by entry. */
    const logsIn = (family: string, context: string): number[] => {
      const [part, slots] = parts.find(
        ([part, slots]) =>
          part.family === family && part.columns[0].name === state && slots.includes(context),
      )!
      const slot = slots.indexOf(context)
      const own = part.ranges.paramsOf(params)
      return Array.from(
        { length: part.leaf.shape.parameters / part.leaf.shape.slots },
        (_, l) => own[l * part.leaf.shape.slots + slot],
      )
    }
    return [
      [
        column.name,
        {
          column: state,
          states,
          initial: logsIn("initial", here),
          transitions: under.map(context => logsIn("transitions", context)),
          worlds: under.map(context =>
            enumerate(inner, params, column.columns, depth + 1, new Set([...contexts, context])),
          ),
        },
      ],
    ]
  }
}

/** The parts of a chain are no switches of their own. */
function isOfChain({ family }: Part): boolean {
  return family === "initial" || family === "transitions" || family === "visits"
}

/** Steps as rows; one in which nothing is seen has no cell. */
function stepsIn(cell: Cell): LooseRow[] {
  return isHole(cell) ? [] : (cell as unknown as readonly (LooseRow | null)[]).map(step => step ?? {})
}

/** The door, in a few lines: one row as a block. */
function encoded(columns: readonly Column[], row: LooseRow): Block {
  const block = blank(columns)
  return {
    ...block,
    cells: columns.map((column, place): Encoded => {
      const cell = row[column.name]
      if (isHole(cell)) return block.cells[place]
      switch (column.kind) {
        case "level":
          return Int32Array.of(column.levels.indexOf(cell as never))
        case "number":
          return Float64Array.of(((cell as number) - column.shift) / column.scale)
        case "count":
          return Float64Array.of(cell as number)
        case "bag":
          return bagOf(column.words, cell)
        case "steps":
          return stepsOf(column.columns, stepsIn(cell))
        default:
          return column satisfies never
      }
    }),
  }
}

function stepsOf(columns: readonly Column[], steps: readonly LooseRow[]): Encoded {
  const rows = steps.map(step => encoded(columns, step))
  const offsets = Int32Array.of(0, rows.length)
  const cells = columns.map(({ kind }, place): Encoded => {
    const own = rows.map(({ cells }) => (cells[place] as Float64Array)[0])
    return kind === "level" ? Int32Array.from(own) : Float64Array.from(own)
  })
  return {
    offsets,
    block: { rows: rows.length, weight: new Float64Array(rows.length).fill(1), cells, offsets },
  }
}

function bagOf(vocabulary: readonly string[], cell: Cell): Encoded {
  const list = typeof cell === "string" ? cell.split(" ") : cell
  if (!Array.isArray(list)) throw new SufficeError("cell", `${String(cell)} is no list of words.`)
  const words = [...new Set(list.map(word => vocabulary.indexOf(word)))].filter(word => word >= 0)
  const counts = Float64Array.from(words, w => list.filter(word => word === vocabulary[w]).length)
  return bagsOf(Int32Array.of(0, words.length), Int32Array.from(words), counts)
}
