/**
 * A network as a node of the tree.
 *
 *     ln p(seen | p) = Σ_v ln p(x_v | slot c_v·P + p)        over nodes whose own cell and parents are seen
 *                    + Σ_components ln Z                      missing columns, summed out by programs (program.ts)
 *
 * Configuration c of a node's parents in context p is slot c·P + p, the first parent outermost: its table stands at (l·Q + c)·P + p. Columns that are missing,
 * and below which nothing is seen, sum to 1 and are left out upwards. Downwards, a row whose missing level depends on what is seen is delivered once for each level, with that level in its place.
 *
 * Long because the passes up, down and open share what they compute.
 */
import type { Block, Encoded, Weights } from "../../contract/block.ts"
import type { Column } from "../../contract/columns.ts"
import type { Dice } from "../../contract/dice.ts"
import type { Leaf, Work } from "../../contract/leaf.ts"
import type { Plan } from "../../contract/model.ts"
import type { Node, Sink } from "../../contract/node.ts"
import { SufficeError, show } from "../../errors.ts"
import type { FusibleLeaf } from "../../kernels/fusion.ts"
import { log } from "../../kernels/log.ts"
import { grow, growCodes } from "../../kernels/workspace.ts"
import { partOf } from "../kind.ts"
import { layPart } from "../part.ts"
import { adoptNode, contextsOf, describeNode } from "./described.ts"
import { encodedValue, heldLeaf } from "./held.ts"
import { sharesOf } from "./inference/shares.ts"
import { Inference } from "./inference.ts"
import type { LaidNode } from "./layout.ts"
import type { DeclaredNode } from "./nodes.ts"
import { Points } from "./points.ts"
import type { Program } from "./program.ts"

export function layNetwork(plan: Plan, slots: number, declared: readonly DeclaredNode[]): Node {
  const P = slots
  const found = columnsIn(plan, declared)
  const levels = found.map(({ column }) => (column.kind === "level" ? column.levels.length : 0))
  const nodes: LaidNode[] = declared.map((node, v) => layNode(plan, P, node, v, declared, found, levels))
  const inference = new Inference(nodes, levels, P)
  const names = declared.map(({ name }) => name)
  const scratch = grow()
  const own = nodes.map(() => grow())
  const expected = nodes.map(() => grow())
  const slotsOf = nodes.map(() => growCodes())
  // one array per level: a sink may keep what it is given
  const trials: Int32Array[] = []

  const node: Node = {
    slots: P,
    tree: {
      columns: new Set(names),
      parts: () => nodes.map(({ part }) => part),
      switches: () => [],
      contexts: above => nodes.map(node => [node.part, contextsOf(node, nodes, above)] as const),
    },

    up(block, params, out, upToConstant, reuse) {
      const works = (reuse as Work[] | undefined) ?? new Array<Work>(nodes.length)
      inference.read(block)
      inference.score(params, out, works, upToConstant)
      return works
    },

    down(block, params, weights, sink, work) {
      inference.read(block)
      deliver(inference.block, params, weights, sink, work as readonly Work[] | undefined)
    },

    open(block, params, column, out) {
      const v = names.indexOf(column)
      if (levels[v] === 0) {
        throw new SufficeError(
          "target",
          `column ${show(column)} has no levels to choose from. A posterior over levels needs some. Name one of the others.`,
          { column },
        )
      }
      const { rows } = block
      const { held } = nodes[v]
      inference.read(block, held === undefined ? v : -1)
      const rest = scratch(P * rows)
      inference.score(params, rest, new Array<Work>(nodes.length), false, (program, i) => {
        if (held !== undefined || !program.columns.includes(v)) return
        program.down()
        const chances = new Float64Array(levels[v] * P)
        program.marginal(v, chances)
        for (let s = 0; s < levels[v] * P; s++) out[s * rows + i] += log(chances[s])
      })
      for (let s = 0; s < levels[v] * P; s++) {
        const isOther = held !== undefined && Math.trunc(s / P) !== held
        for (let i = 0; i < rows; i++)
          out[s * rows + i] = isOther ? -Infinity : out[s * rows + i] + rest[(s % P) * rows + i]
      }
      return undefined
    },

    start(block, params, weights, dice, sink) {
      // hidden values are drawn; what else is missing is uniform, as nothing is known yet, and given by drawn tables where another run began so
      inference.read(block)
      nodes.forEach(({ isHidden }, v) => {
        if (!isHidden) return
        const codes = new Int32Array(block.rows)
        const rolls = dice.fork(v)
        for (let i = 0; i < codes.length; i++) codes[i] = rolls.integer(levels[v])
        inference.observed.codes[v] = codes
      })
      inference.resolve(true)
      const starting: Sink = {
        leaf: (part, own, weights) =>
          sink.start(part, own, weights, dice.fork(nodes.length + part.ranges.statsAt)),
        choice: (...delivered) => sink.choice(...delivered),
      }
      const guessed = sink.isAgain ? drawnTables(nodes, params, dice.fork(nodes.length)) : params
      deliver(block, guessed, weights, starting, undefined)
    },

    moments(params, mass, stats) {
      inference.nothing()
      sharesOf(inference, nodes, P, params).forEach((share, v) => {
        const { part } = nodes[v]
        const below = share.map((chance, s) => chance * mass[s % P])
        part.leaf.moments(part.ranges.paramsOf(params), below, part.ranges.statsOf(stats))
      })
    },

    // contexts of several parents are counted by no part
    descend(_stats, mass, visit) {
      for (const { part, configurations } of nodes) visit(part, configurations === 1 ? mass : undefined)
    },

    describe: (params, slot) =>
      Object.fromEntries(
        nodes.map((node, v) => [names[v], describeNode(node, nodes, declared[v].parents, params, P, slot)]),
      ),

    adopt(description, slot, mass, stats) {
      nodes.forEach((node, v) => {
        adoptNode(node, nodes, partOf(description, names[v], ""), names[v], P, slot, mass, stats)
      })
    },
    joint: {
      ...(P === 1 && {
        marginals(
          block: Block,
          params: Float64Array,
          out: ReadonlyMap<string, Float64Array>,
          logs: Float64Array,
        ) {
          inference.read(block)
          const own = names.map(name => out.get(name))
          own.forEach((chances, v) => {
            for (let i = 0; chances && i < block.rows; i++) {
              const code = inference.observed.codes[v][i]
              chances.fill(0, i * levels[v], (i + 1) * levels[v])
              if (code >= 0) chances[i * levels[v] + code] = 1
            }
          })
          const spread = (program: Program, i: number): void => {
            program.down()
            for (const v of program.columns)
              if (own[v]) program.marginal(v, own[v].subarray(i * levels[v], (i + 1) * levels[v]))
          }
          inference.score(params, logs, new Array<Work>(nodes.length), false, spread, true)
        },
      }),
      best(block, params, heights) {
        inference.read(block)
        // what is summed out of the score is chosen instead
        const rest = new Float64Array(P)
        inference.score(params, rest, new Array<Work>(nodes.length), false, ({ logZ }) => {
          for (let p = 0; p < P; p++) rest[p] -= logZ[p] > -Infinity ? logZ[p] : 0
        })
        const chosenIn = Array.from({ length: P }, (_, p) => {
          const { values, height } = inference.best(0, params, p)
          heights[p] += rest[p] + height
          return values.slice()
        })
        return (slot, chosen) =>
          nodes.forEach(({ column, name }, v) => {
            if (column.kind === "level") chosen(name, column.levels[chosenIn[slot][v]])
          })
      },
    },

    sample(block, params, slot, dice, chosen) {
      for (const { held, place } of nodes)
        if (held !== undefined) (block.cells[place] as Float64Array | Int32Array)[0] = held
      inference.read(block)
      const values = inference.draw(params, slot, dice, (v, x) => {
        ;(block.cells[nodes[v].place] as Float64Array)[0] = x
      })
      nodes.forEach(({ isHidden, place }, v) => {
        if (levels[v] === 0) return
        if (!isHidden) (block.cells[place] as Int32Array)[0] = values[v]
        else chosen?.(names[v], values[v])
      })
      for (const v of inference.order) {
        const { part, levelParents } = nodes[v]
        if (levels[v] > 0) continue
        let c = 0
        for (const u of levelParents) c = c * levels[u] + values[u]
        part.leaf.sample(part.ranges.paramsOf(params), c * P + slot, block, dice)
      }
    },
  }
  return node

  /** Each node with its weights: those of the contexts, at the configuration of the row's parents. */
  function deliver(
    block: Block,
    params: Float64Array,
    weights: Weights,
    sink: Sink,
    works: readonly Work[] | undefined,
  ): void {
    const { rows } = block
    const { isOpen, isGuessed } = inference.observed.survey()
    const each = nodes.map(({ part, configurations }, v) => {
      if (isOpen[v] || inference.masks.isMasked(v) || (weights.form === "each" && configurations > 1))
        return own[v](part.leaf.shape.slots * rows)
      return undefined
    })
    const guesses = nodes.map(({ part }, v) =>
      isGuessed[v] ? expected[v](levels[v] * part.leaf.shape.slots * rows) : undefined,
    )
    const weightAt = (p: number, i: number): number => {
      if (weights.form === "each") return weights.values[p * rows + i]
      return weights.slot[i] === p ? weights.weight[i] : 0
    }
    nodes.forEach((_, v) => {
      const values = each[v]
      if (!values) return
      const configurations = inference.observed.configurations(v)
      const isPlain = !isGuessed[v] && !inference.masks.isMasked(v)
      for (let i = 0; i < rows; i++) {
        const c = configurations[i]
        if (c < 0 || !(isPlain || !(inference.observed.isGuessed(v, i) || inference.masks.isGrouped(v, i))))
          continue
        for (let p = 0; p < P; p++) values[(c * P + p) * rows + i] = weightAt(p, i)
      }
    })
    const points = new Points(nodes, inference.numbers, params)
    if (isOpen.includes(true) || nodes.some((_, v) => inference.masks.isMasked(v))) {
      inference.posteriors(
        params,
        (v, i, places, base, shares) => {
          const guessed = inference.observed.isGuessed(v, i)
          const to = guessed ? guesses[v]! : each[v]!
          const modulus = nodes[v].part.leaf.shape.slots
          for (let e = 0, j = 0; e < places.length; e++) {
            const at = guessed ? base + places[e] : (base + places[e]) % modulus
            for (let p = 0; p < P; p++, j++) to[(at + p) * rows + i] += weightAt(p, i) * shares[j]
          }
        },
        (group, i, shares) => {
          for (let s = 0; s < shares.length; s++) shares[s] *= weightAt(s % P, i)
          if (sink.normal) points.tell(group, i, shares, sink.normal.bind(sink))
          else points.add(group, i, shares, block)
        },
      )
    }
    nodes.forEach(({ part, place, configurations }, v) => {
      const values = each[v]
      const seen = inference.masks.blockFor(v, block)
      if (values) sink.leaf(part, seen, { form: "each", values }, works?.[v], isOpen[v])
      else if (configurations === 1) sink.leaf(part, seen, weights, works?.[v])
      else if (weights.form === "one") {
        let slot = inference.observed.configurations(v)
        if (P > 1) slot = slotsIn(slot, weights.slot, P, rows, slotsOf[v](rows))
        sink.leaf(part, seen, { form: "one", slot, weight: weights.weight }, works?.[v])
      }
      const guess = guesses[v]
      if (!guess) return
      const size = part.leaf.shape.slots * rows
      for (let l = 0; l < levels[v]; l++) {
        const cells: Encoded[] = block.cells.slice()
        if (!(trials[l]?.length >= rows)) trials[l] = new Int32Array(rows).fill(l)
        cells[place] = trials[l].length === rows ? trials[l] : trials[l].subarray(0, rows)
        sink.leaf(
          part,
          { ...block, cells },
          { form: "each", values: guess.subarray(l * size, (l + 1) * size) },
          undefined,
          true,
        )
      }
    })
    points.deliver(sink)
  }
}

/** The same parameters with other tables: in every slot all distributions over the levels are as probable. */
function drawnTables(nodes: readonly LaidNode[], params: Float64Array, dice: Dice): Float64Array {
  const drawn = params.slice()
  for (const { part, column } of nodes) {
    const { fusion, score } = part.leaf as Leaf & Partial<FusibleLeaf>
    if (column.kind !== "level" || fusion?.score !== score) continue
    const own = drawn.subarray(part.ranges.paramsAt, part.ranges.paramsAt + part.leaf.shape.parameters)
    for (let s = 0; s < part.leaf.shape.slots; s++) {
      let total = 0
      for (let j = s; j < own.length; j += part.leaf.shape.slots) {
        own[j] = -log(1 - dice.uniform())
        total += own[j]
      }
      for (let j = s; j < own.length; j += part.leaf.shape.slots) own[j] = log(own[j] / total)
    }
  }
  return drawn
}

/** Configuration c and context p of each row make slot c·P + p. */
function slotsIn(
  configurations: Int32Array,
  contexts: Int32Array,
  P: number,
  rows: number,
  slot: Int32Array,
): Int32Array {
  for (let i = 0; i < rows; i++) slot[i] = configurations[i] * P + contexts[i]
  return slot
}

export interface Found {
  readonly column: Column
  readonly place: number
}

/** The column of a node in the data; that of a hidden one is made, and lies behind the others. */
export function columnsIn(plan: Plan, declared: readonly DeclaredNode[]): Found[] {
  const seen = declared.map(({ name, isHidden }) => (isHidden ? undefined : plan.column(name)))
  const behind = seen.reduce((most, found) => Math.max(most, found?.place ?? -1), -1) + 1
  seen.forEach((found, v) => {
    if (found?.column.kind !== "level" || found.column.levels.length > 0) return
    const { name } = declared[v]
    throw new SufficeError(
      "data",
      `network: column ${show(name)} is empty in every row. Without levels it has no table, and nothing can depend on it. Leave it out, or name its levels: categorical({ levels: [ … ] }).`,
      { column: name },
    )
  })
  return declared.map(({ name, family }, v) => {
    const levels = family.need.kind === "level" ? (family.need.levels ?? []) : []
    return seen[v] ?? { column: { kind: "level", name, levels }, place: behind + v }
  })
}

/** `isRead`: does something depend on it? `follows`: it stands in steps that depend on each other. */
export function layNode(
  plan: Plan,
  contexts: number,
  node: DeclaredNode,
  v: number,
  declared: readonly DeclaredNode[],
  found: readonly Found[],
  levels: readonly number[],
  isRead = declared.some(({ levelParents, numberParents }) =>
    [...levelParents, ...numberParents].includes(v),
  ),
  follows = false,
): LaidNode {
  const { family, levelParents, numberParents, isHidden, name } = node
  const configurations = levelParents.reduce((product, u) => product * levels[u], 1)
  const { column, place } = found[v]
  const given = numberParents.map(u => found[u].column)
  const places = [place, ...numberParents.map(u => found[u].place)]
  const plain =
    node.held === undefined
      ? family.bind([column, ...given], places, configurations * contexts)
      : heldLeaf(column, place, contexts, node.held)
  const about = {
    family: family.name,
    options: family.options,
    columns: [column],
    given,
    places,
    isChoice: false,
  }
  const believed = (node.held === undefined && plan.believe?.(plain, about)) || plain
  const leaf = plan.standIn?.(believed, [name]) ?? believed
  const when = isHidden ? "always" : isRead ? "missing" : undefined
  const part = layPart(plan, when ? { ...leaf, latent: { ...leaf.latent, when } } : leaf, {
    family: family.name,
    columns: [column],
    given,
    places: isHidden ? [-1] : places,
    network: {
      ...(isHidden && { symmetricContexts: contexts }),
      ...(levelParents.length > 0 && { parents: levelParents.map(u => declared[u].name) }),
      ...(follows && { stepPlace: place }),
    },
  })
  return {
    ...(node.held !== undefined && { held: encodedValue(column, node.held) }),
    name,
    part,
    column,
    place,
    family: family.name,
    isHidden,
    levelParents,
    numberParents,
    configurations,
  }
}
