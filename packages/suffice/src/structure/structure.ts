/**
 * `structure(rows)`: which columns depend on which, found in rows; returned as a declared network, which is then fitted like any other.
 *
 * Cells that are missing are drawn from the network of the round before, ten times (structural EM; Friedman 1998): search, fit, draw, and so on while the
 * score of what is seen rises. The first round goes by the rows in which a column and its parents are seen.
 */
import { beliefs } from "../beliefs/list.ts"
import type { Cell, Columns, Row } from "../contract/cells.ts"
import type { Family } from "../contract/family.ts"
import type { Model } from "../contract/model.ts"
import type { Diagnostic } from "../contract/report.ts"
import { SufficeError, show } from "../errors.ts"
import { bins } from "../families/categorical.ts"
import { log } from "../kernels/log.ts"
import { paced } from "../pause.ts"
import { dice } from "../random.ts"
import { classes } from "../structures/classes.ts"
import { given, type NetworkNode, network } from "../structures/network/declare.ts"
import { chooseFamilies, type LeftOut } from "./columns.ts"
import { type Constraints, constraintsOf } from "./constraints.ts"
import { classOf, isArrow, type PartlyDirected } from "./equivalence.ts"
import { COMPLETED, completing } from "./missing.ts"
import { checkOptions, type StructureOptions } from "./options.ts"
import { orders } from "./orders.ts"
import { pc } from "./pc.ts"
import { Scores } from "./scores.ts"
import { saysTheSame, type Table, tableOf } from "./table.ts"
import { tabu } from "./tabu.ts"
import { dependentOn, treeOf } from "./tree.ts"

/** An arrow of a network. */
export interface Edge {
  readonly from: string
  readonly to: string
  /** The rows cannot tell its direction: turned round, together with others where needed, the network says the same of every table. */
  readonly isReversible: boolean
}

/** A network found in rows. */
export interface Structure {
  /** The declared model: pass it to `fit`, with the same rows. */
  readonly model: Model<Record<string, Cell>, string>
  readonly edges: readonly Edge[]
  /** The score of the network on these rows; where cells are missing, the log-likelihood of what is seen minus the penalty. Of "tree" and "tan" without a score, and of "pc", the log-likelihood. */
  readonly score: number
  /** The score whenever a better network was found. */
  readonly trace: readonly number[]
  /** Columns that are not in the network, and why. */
  readonly leftOut: readonly LeftOut[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Finds a Bayesian network in rows: which columns depend on which. The answer is a declared model, to be fitted. */
export async function structure(
  data: readonly Row[] | Columns,
  options: StructureOptions = {},
): Promise<Structure> {
  checkOptions(options)
  const { weight, signal, target } = options
  const problem = await posed(data, options)
  const { table, constraints, leftOut, diagnostics } = problem
  let found = await paced(searched(table, constraints, options), signal)
  let { score, trace } = found
  if (table.hasHoles) {
    const best = await completing(found, {
      data,
      weight,
      signal,
      seed: options.seed ?? 0,
      penalty: options.score === "aic" ? 1 : 0.5 * log(table.weight),
      modelOf: parents => declaredOf(table, parents, problem, target),
      search: async rows => {
        const families = Object.fromEntries(table.names.map((name, v) => [name, settled(table, v)]))
        const complete = await tableOf(families, rows, COMPLETED, signal)
        return paced(searched(complete, constraints, options), signal)
      },
    })
    found = best.found
    score = best.score
    trace = best.trace
  }
  return {
    model: declaredOf(table, found.parents, problem, target),
    edges: edgesOf(table, found, problem, target),
    score,
    trace,
    leftOut,
    diagnostics,
  }
}

/** Columns, their cells and what is allowed. */
export interface Problem {
  readonly table: Table
  readonly constraints: Constraints
  /** Columns that say the same as another: they are not searched, and depend on it alone. */
  readonly copies: ReadonlyMap<string, { readonly of: string; readonly family: Family }>
  readonly leftOut: readonly LeftOut[]
  readonly diagnostics: readonly Diagnostic[]
}

export async function posed(data: readonly Row[] | Columns, options: StructureOptions): Promise<Problem> {
  const { families = {}, except = [], weight, signal, target } = options
  const chosen = chooseFamilies(data, families, weight === undefined ? except : [...except, weight])
  const all = await tableOf(chosen.families, data, weight, signal)
  // what the caller says of arrows is checked before anything is set aside
  constraintsOf(all.names, all.families, options)
  if (target !== undefined) checkTarget(all, target)
  const copies = copiesAmong(all, options)
  const kept = Object.fromEntries(Object.entries(chosen.families).filter(([name]) => !copies.has(name)))
  const table = copies.size === 0 ? all : await tableOf(kept, data, weight, signal)
  const known = (arrow: readonly [string, string]): boolean => !arrow.some(name => copies.has(name))
  return {
    table,
    constraints: constraintsOf(table.names, table.families, {
      ...options,
      forbid: (options.forbid ?? []).filter(known),
      tiers: (options.tiers ?? []).map(tier => tier.filter(name => !copies.has(name))),
    }),
    copies,
    leftOut: chosen.leftOut,
    diagnostics: [
      ...chosen.diagnostics,
      ...[...copies].map(
        ([column, { of }]): Diagnostic => ({
          code: "duplicate-column",
          column,
          message: `column ${show(column)} says the same as ${show(of)} in every row. Either could stand for the other in every arrow: it depends on ${show(of)} alone, and has no other arrows.`,
        }),
      ),
    ],
  }
}

function checkTarget({ names, columns }: Table, target: string): void {
  const place = names.indexOf(target)
  if (place >= 0 && columns[place].kind === "level") return
  throw new SufficeError(
    "target",
    place < 0
      ? `structure: the target is ${show(target)}, which is no column of the network. Name one that is.`
      : `structure: the target is ${show(target)}, a number. The tree of "tan" stands below a label with levels. Give it levels with { families: { ${show(target)}: categorical() } }, or search by "orders".`,
    { target },
  )
}

function copiesAmong(table: Table, { require: musts = [], target }: StructureOptions): Problem["copies"] {
  const named = new Set([...musts.flat(), target])
  const copies = new Map<string, { of: string; family: Family }>()
  const isConstant = table.columns.map(column => column.kind === "level" && column.levels.length < 2)
  for (let v = 1; v < table.names.length; v++) {
    if (named.has(table.names[v]) || isConstant[v]) continue
    for (let u = 0; u < v; u++) {
      if (isConstant[u] || copies.has(table.names[u]) || !saysTheSame(table, u, v)) continue
      copies.set(table.names[v], { of: table.names[u], family: table.families[v] })
      break
    }
  }
  return copies
}

/** What a search found: parents by number and, where it leaves pairs open, the graph. */
export interface Found {
  readonly parents: readonly (readonly number[])[]
  readonly graph?: PartlyDirected
  readonly score: number
  readonly trace: readonly number[]
}

/** The family of a column, a number as levels cut where it is: drawn cells are intervals, and move no quantile. */
function settled({ columns, families }: Table, v: number): Family {
  const column = columns[v]
  if (column.kind !== "level" || !column.cuts) return families[v]
  return bins(column.cuts, { prior: families[v].options.prior as number })
}

/** One search in a table. */
export function* searched(
  table: Table,
  constraints: Constraints,
  options: StructureOptions,
): Generator<undefined, Found, void> {
  const { search = "orders", maxParents, restarts = 20, seed = 0, ess = 1, significance = 0.05 } = options
  const isPlain = search === "tree" || search === "tan" || search === "pc"
  const score = options.score ?? (isPlain ? "likelihood" : "bic")
  const scores = new Scores(table, { score, ess, beliefs })
  const nodes = table.names.map((_, v) => v)
  switch (search) {
    case "orders":
      return yield* orders(scores, constraints, {
        maxParents: maxParents ?? 4,
        mostParents: maxParents ?? 6,
        restarts,
        dice: dice(seed),
      })
    case "tabu":
      return yield* tabu(scores, constraints, { maxParents: maxParents ?? 6, idle: 30 })
    case "tree":
      checkOneParent(table, constraints)
      return foundTree(scores, yield* treeOf(scores, nodes, constraints, undefined))
    case "tan": {
      const label = table.names.indexOf(options.target!)
      const others = nodes.filter(v => v !== label)
      const most = maxParents ?? 1
      const below =
        most === 1
          ? yield* treeOf(scores, others, constraints, label)
          : yield* dependentOn(scores, others, constraints, label, most)
      return foundTree(
        scores,
        below.map((own, v) => (v === label ? [] : [label, ...own])),
      )
    }
    case "pc": {
      const { graph, parents } = yield* pc(scores, constraints, { significance, most: maxParents ?? 3 })
      return { ...foundTree(scores, parents), graph }
    }
    default:
      return search satisfies never
  }
}

function foundTree(scores: Scores, parents: readonly (readonly number[])[]): Found {
  const score = scores.ofNetwork(parents)
  return { parents, score, trace: [score] }
}

function checkOneParent({ names }: Table, { required }: Constraints): void {
  const v = required.findIndex(own => own.length > 1)
  if (v < 0) return
  throw new SufficeError(
    "option",
    `structure: \`require\` gives ${show(names[v])} ${required[v].length} parents, and the search is "tree", which gives each column one. Require one of them, or search by "orders".`,
    { option: "require", column: names[v] },
  )
}

/** The network as a user would write it. */
function declaredOf(
  table: Table,
  parents: readonly (readonly number[])[],
  { copies }: Problem,
  target: string | undefined,
): Structure["model"] {
  const nodes: Record<string, NetworkNode> = {}
  table.names.forEach((name, v) => {
    if (name === target) return
    const own = parents[v].map(u => table.names[u]).filter(parent => parent !== target)
    nodes[name] = own.length > 0 ? given(own, table.families[v]) : table.families[v]
  })
  for (const [name, { of, family }] of copies) nodes[name] = of === target ? family : given([of], family)
  const model = network(nodes)
  return (target === undefined ? model : classes(target, model)) as unknown as Structure["model"]
}

function edgesOf(table: Table, found: Found, { copies, constraints }: Problem, target?: string): Edge[] {
  const { names } = table
  const graph = found.graph ?? classOf(found.parents, constraints)
  const edges = found.parents.flatMap((own, v) =>
    own.map(u => ({
      from: names[u],
      to: names[v],
      isReversible: target === undefined && !isArrow(graph, u, v),
    })),
  )
  for (const [name, { of }] of copies) edges.push({ from: of, to: name, isReversible: target === undefined })
  return edges
}
