/**
 * Exact inference over the missing cells of the rows of a block.
 *
 * The factor of a node depends on the missing cells among itself and its parents. Missing columns that share a factor form a component, summed out by its program
 * (inference/patterns.ts). Missing numbers with children are integrated out first (numbers.ts): a group of them is a factor over missing levels.
 */
import type { Block } from "../../contract/block.ts"
import type { Dice } from "../../contract/dice.ts"
import type { Work } from "../../contract/leaf.ts"
import { RowEvidence } from "./inference/evidence.ts"
import { Masks } from "./inference/masks.ts"
import { BARREN, Observed, RELEVANT } from "./inference/observed.ts"
import { Patterns } from "./inference/patterns.ts"
import { addScores, addTable } from "./inference/scores.ts"
import { type LaidNode, type NetworkLayout, networkLayout } from "./layout.ts"
import { type Group, MissingNumbers } from "./numbers.ts"
import type { Evidence, Program } from "./program.ts"

/** Receives p(entry | observed) of a node in a row, at e·P + p, and the index of each entry in its table or slots. */
export type VisitNode = (
  v: number,
  row: number,
  places: Int32Array,
  base: number,
  shares: Float64Array,
) => void
/** Receives p(configuration | observed) of a group of missing numbers, by context. */
export type VisitGroup = (group: Group, row: number, shares: Float64Array) => void
/** Called after the passes of a program. */
export type VisitProgram = (program: Program, row: number) => void

export class Inference {
  /** Observed cells of the rows of `read`. */
  readonly observed: Observed
  readonly numbers: MissingNumbers
  readonly masks: Masks
  readonly #network: NetworkLayout
  readonly #patterns: Patterns
  readonly #evidence: RowEvidence
  readonly #values: Int32Array
  #isStarting = false

  /**
   * `borders`: lists of columns with levels, each with a factor over its missing columns: the message of the steps before or after (dynamic/lay.ts), given
   * by `setBorder`.
   */
  constructor(
    nodes: readonly LaidNode[],
    levels: readonly number[],
    contexts: number,
    borders: readonly (readonly number[])[] = [],
  ) {
    this.#network = networkLayout(nodes, levels, contexts, borders)
    this.numbers = new MissingNumbers(nodes, levels, contexts, nodes.length + borders.length)
    this.observed = new Observed(this.#network)
    this.#patterns = new Patterns(this.#network, this.numbers)
    this.masks = new Masks(this.#network, this.observed, this.numbers, this.#patterns)
    this.#evidence = new RowEvidence(this.#network, this.observed, this.numbers)
    this.#values = new Int32Array(nodes.length)
  }

  /** Parents first. */
  get order(): readonly number[] {
    return this.#network.order
  }

  /** The rows, with fixed columns filled in. */
  get block(): Block {
    return this.observed.block!
  }

  /** Reads the rows of a block. `target`: a column whose cells are ignored. */
  read(block: Block, target = -1): void {
    this.observed.read(block, target)
    this.resolve()
  }

  /** Reads one row without observed cells. */
  nothing(): void {
    this.observed.readNothing()
    this.resolve()
  }

  /** Derives patterns and masks after a change of codes. `isStarting`: there are no parameters yet. */
  resolve(isStarting = false): void {
    this.#isStarting = isStarting
    this.numbers.read(this.observed.block, this.observed.codes)
    this.observed.resolve()
    this.masks.read()
  }

  /** out[p·rows + i] += ln p(observed cells of row i | p). `visit`: called after each upward pass; `isWhole`: barren nodes are summed out too. */
  score(
    params: Float64Array,
    out: Float64Array,
    works: Work[],
    upToConstant?: boolean,
    visit?: VisitProgram,
    isWhole = false,
  ): void {
    this.scoreObserved(params, out, works, upToConstant)
    for (let i = 0; i < this.observed.rows; i++) this.sumOut(i, params, out, visit, isWhole)
  }

  /** out[p·rows + i] += ln p of the nodes with observed cells and parents. */
  scoreObserved(params: Float64Array, out: Float64Array, works: Work[], upToConstant?: boolean): void {
    const { nodes } = this.#network
    this.#evidence.tables.begin()
    for (let v = 0; v < nodes.length; v++) {
      const { part, levelParents, isHidden } = nodes[v]
      if (isHidden && !this.block.assumed) continue
      if (levelParents.length > 0 || isHidden) this.#scoreGiven(v, params, out, works)
      else
        works[v] = part.leaf.score(
          this.masks.blockOf(v),
          part.ranges.paramsOf(params),
          out,
          upToConstant,
          works[v],
        )
    }
  }

  /** The same for a node with parents: its slots are configurations and contexts. */
  #scoreGiven(v: number, params: Float64Array, out: Float64Array, works: Work[]): void {
    const { nodes, levels, contexts } = this.#network
    const { part } = nodes[v]
    const { rows, codes } = this.observed
    const { tables, scores, scratch } = this.#evidence
    const configurations = this.observed.configurations(v)
    if (levels[v] > 0) {
      addTable(tables.logs(v, params), codes[v], configurations, part.leaf.shape.slots, contexts, rows, out)
      return
    }
    scores[v] = scratch[v](part.leaf.shape.slots * rows)
    works[v] = part.leaf.score(
      this.masks.blockOf(v),
      part.ranges.paramsOf(params),
      scores[v],
      false,
      works[v],
    )
    addScores(scores[v], configurations, contexts, rows, out)
  }

  /** out[p·rows + i] += ln p of the other nodes in row i, missing cells summed out; after `scoreObserved`. */
  sumOut(i: number, params: Float64Array, out: Float64Array, visit?: VisitProgram, isWhole = false): void {
    const { nodes, contexts: P } = this.#network
    const { rows, states } = this.observed
    const count = nodes.length
    let isAny = false
    for (let j = i * count; j < (i + 1) * count && !isAny; j++)
      isAny = states[j] === RELEVANT || (isWhole && states[j] === BARREN)
    if (!isAny) return
    const { programs, groups } = this.#patterns.of(this.observed, i, isWhole)
    this.#evidence.integrate(groups, i, params, this.#isStarting)
    for (const { boundary, logs } of groups)
      if (boundary.length === 0) for (let p = 0; p < P; p++) out[p * rows + i] += logs[p]
    for (const program of programs) {
      program.up(this.#evidence.of(program, i, params))
      for (let p = 0; p < P; p++) out[p * rows + i] += program.logZ[p]
      visit?.(program, i)
    }
  }

  /** Sets the log-factor of a border for the next row; the last missing column changes fastest, then the context. */
  setBorder(border: number, logs: Float64Array): void {
    this.#evidence.scores[this.borderId(border)] = logs
  }

  /** Factor number of a border in programs. */
  borderId(border: number): number {
    return this.#network.nodes.length + border
  }

  /** Visits every row and node with a missing parent or level, and every group of missing numbers. */
  posteriors(params: Float64Array, visit: VisitNode, visitGroup?: VisitGroup): void {
    this.prepare(params)
    for (let i = 0; i < this.observed.rows; i++) this.posteriorsOf(i, params, visit, visitGroup)
  }

  /** Called before `posteriorsOf`. */
  prepare(params: Float64Array): void {
    this.#evidence.begin(params, this.masks)
  }

  /** The same for one row, after `prepare`. `visitProgram`: called after both passes of each program. */
  posteriorsOf(
    i: number,
    params: Float64Array,
    visit: VisitNode,
    visitGroup?: VisitGroup,
    visitProgram?: VisitProgram,
  ): void {
    const { nodes, borders, contexts } = this.#network
    const count = nodes.length
    const { programs, groups } = this.#patterns.of(this.observed, i, true)
    this.#evidence.integrate(groups, i, params, this.#isStarting)
    const onGroup = this.#isStarting ? undefined : visitGroup
    for (const group of groups)
      if (group.boundary.length === 0) onGroup?.(group, i, new Float64Array(contexts).fill(1))
    for (const program of programs) {
      program.up(this.#evidence.of(program, i, params))
      program.down()
      visitProgram?.(program, i)
      for (const v of program.families.keys()) {
        if (v >= count && v < count + borders.length) continue
        if (v >= count) {
          const group = groups.find(({ id }) => id === v)!
          onGroup?.(group, i, sharesOf(program, group, contexts))
          continue
        }
        if (!this.observed.isGuessed(v, i) && this.observed.configurations(v)[i] >= 0) continue
        const { map, posterior } = program.family(v)
        visit(v, i, map, this.#evidence.base[v], posterior)
      }
    }
  }

  /** Draws the missing levels of row 0 jointly, given the observed cells; `number` receives missing numbers with children. */
  draw(
    params: Float64Array,
    context: number,
    dice: Dice,
    number: (v: number, x: number) => void,
  ): Int32Array {
    const values = this.#choose(0, params, program => program.draw(context, dice, this.#values))
    for (const group of this.#patterns.of(this.observed, 0, true).groups) {
      let s = context
      group.boundary.forEach((u, j) => {
        s += values[u] * group.strides[j]
      })
      this.numbers.draw(group, s, dice, number)
    }
    return values
  }

  /** The jointly most probable levels of a row, with their log-probability and that of the observed cells. */
  best(row: number, params: Float64Array, context: number): { values: Int32Array; height: number } {
    let height = 0
    const values = this.#choose(row, params, (program, evidence) => {
      height += program.best(evidence, context, this.#values)
    })
    return { values, height }
  }

  #choose(
    row: number,
    params: Float64Array,
    pick: (program: Program, evidence: Evidence) => void,
  ): Int32Array {
    this.prepare(params)
    const values = this.#values
    const { levels } = this.#network
    for (let v = 0; v < values.length; v++) if (levels[v] > 0) values[v] = this.observed.codes[v][row]
    const { programs, groups } = this.#patterns.of(this.observed, row, true)
    this.#evidence.integrate(groups, row, params, this.#isStarting)
    for (const program of programs) {
      const evidence = this.#evidence.of(program, row, params)
      program.up(evidence)
      pick(program, evidence)
    }
    return values
  }
}

/** p(configuration of a group | observed), by context. */
function sharesOf(program: Program, group: Group, P: number): Float64Array {
  const { map, posterior } = program.family(group.id)
  const shares = new Float64Array(group.logs.length)
  for (let e = 0, j = 0; e < map.length; e++) for (let p = 0; p < P; p++) shares[map[e] + p] += posterior[j++]
  return shares
}
