/**
 * What is missing in the rows of a block, and the programs that sum it out.
 *
 * A node's factor depends on the missing ones among itself and its parents; missing columns that share a factor form a component, and each component has a program.
 * Programs are remembered by component, not by row: rows with many different holes have few different components. Missing numbers that others read are integrated
 * out first (numbers.ts): a group of them is a factor over the missing levels it depends on.
 *
 * Long because what rows show, the programs made for it and what they leave share their arrays.
 */
import { isHole } from "../../blocks/encoded.ts"
import type { Block, Encoded } from "../../contract/block.ts"
import type { Column } from "../../contract/columns.ts"
import type { Dice } from "../../contract/dice.ts"
import type { Leaf, Work } from "../../contract/leaf.ts"
import type { Part } from "../../contract/part.ts"
import { firstSlot } from "../../kernels/all-ones.ts"
import { exp } from "../../kernels/exp.ts"
import type { FusibleLeaf } from "../../kernels/fusion.ts"
import { grow, growCodes } from "../../kernels/workspace.ts"
import { childrenOf, parentsFirst } from "./graph.ts"
import { type Group, MissingNumbers } from "./numbers.ts"
import { type Evidence, type Factor, Program } from "./program.ts"

/** A node of a network with its part. */
export interface Laid {
  readonly name: string
  readonly part: Part
  readonly column: Column
  /** Of its cell in a block; a hidden node's lies behind those of the data. */
  readonly place: number
  readonly family: string
  readonly isHidden: boolean
  /** The cell of every row, if the column is set from outside. */
  readonly held?: number
  readonly levelParents: readonly number[]
  readonly numberParents: readonly number[]
  /** Q: of the parents with levels. */
  readonly configurations: number
}

const SEEN = 0
/** Missing, and something below it is seen or asked for. */
const RELEVANT = 1
/** Missing, and nothing below it is seen: it sums to 1. */
const BARREN = 2

/** What is missing in a row, as it is summed and integrated out. */
interface Pattern {
  readonly programs: readonly Program[]
  readonly groups: readonly Group[]
}

/** Beyond these the caches begin anew. */
const MOST_PATTERNS = 20_000
const MOST_ENTRIES = 1 << 23

export class Inference {
  /** The codes of each node with levels; −1: missing. */
  readonly codes: Int32Array[] = []
  /** Parents first. */
  readonly order: readonly number[]
  readonly #nodes: readonly Laid[]
  readonly #levels: readonly number[]
  readonly #contexts: number
  readonly #children: readonly (readonly number[])[]
  readonly #names: readonly string[]
  /** The step that a level of each column makes in the table of a node: its own, then its parents'. */
  readonly #strides: readonly (readonly (readonly [column: number, stride: number])[])[]
  readonly #numbers: MissingNumbers
  readonly #borders: readonly (readonly number[])[]
  readonly #isBorder: Uint8Array
  readonly #patterns = new Map<string, Pattern>()
  readonly #programs = new Map<string, Program>()
  #entries = 0
  readonly #tables: (Float64Array | undefined)[] = []
  readonly #logTables: (Float64Array | undefined)[] = []
  readonly #wholeTables: (Float64Array | undefined)[] = []
  readonly #scores: Float64Array[]
  readonly #scratch: readonly ((length: number) => Float64Array)[]
  #base: Int32Array
  readonly #values: Int32Array
  /** By node: has its table been compared with the parameters in this pass? */
  readonly #isCurrent: Uint8Array
  #states = new Uint8Array(0)
  /** By node: is its cell missing in some row of the block? Is it relevant in some? */
  readonly #isMissing: boolean[]
  readonly #isRelevant: boolean[]
  /** By node: the configuration of its parents in every row; not found until asked for. */
  readonly #configurations: Int32Array[] = []
  readonly #isFound: Uint8Array
  readonly #codeScratch: readonly ((length: number) => Int32Array)[]
  #rows = 0
  #asked = -1
  #block: Block | undefined
  /** By node: the block in which the rows of a group say nothing to its leaf; undefined: there are none. */
  #masked: (Block | undefined)[] = []
  #isStarting = false

  /**
   * `borders`: lists of columns with levels. What is missing of one of them has a factor of its own, of which `setBorder` says what it is (dynamic/lay.ts): what the steps
   * before or after this one say of these columns together.
   */
  constructor(
    nodes: readonly Laid[],
    levels: readonly number[],
    contexts: number,
    borders: readonly (readonly number[])[] = [],
  ) {
    this.#nodes = nodes
    this.#levels = levels
    this.#contexts = contexts
    this.#borders = borders
    this.#isBorder = Uint8Array.from(nodes, (_, v) => (borders.some(border => border.includes(v)) ? 1 : 0))
    this.#names = nodes.map(({ name }) => name)
    this.#children = childrenOf(nodes.map(node => [...node.levelParents, ...node.numberParents]))
    this.#numbers = new MissingNumbers(nodes, levels, contexts, nodes.length + borders.length)
    this.order = parentsFirst(nodes.map(node => [...node.levelParents, ...node.numberParents]))!
    this.#strides = nodes.map(({ levelParents, part }, v) => {
      let stride = contexts
      const steps: [number, number][] = []
      for (const u of [...levelParents].reverse()) {
        steps.unshift([u, stride])
        stride *= levels[u]
      }
      if (levels[v] > 0) steps.unshift([v, part.slots])
      return steps
    })
    this.#scores = nodes.map(() => new Float64Array(0))
    this.#scratch = nodes.map(() => grow())
    this.#base = new Int32Array(nodes.length)
    this.#values = new Int32Array(nodes.length)
    this.#isCurrent = new Uint8Array(nodes.length)
    this.#isMissing = nodes.map(() => false)
    this.#isRelevant = nodes.map(() => false)
    this.#isFound = new Uint8Array(nodes.length)
    this.#codeScratch = nodes.map(() => growCodes())
  }

  /** What the rows of a block show. `asked`: a column whose cells are ignored. */
  read(block: Block, asked = -1): void {
    const { rows } = block
    const nodes = this.#nodes
    const count = nodes.length
    this.#rows = rows
    this.#asked = asked
    this.#block = this.#withHeld(block)
    if (asked >= 0 && !nodes[asked].isHidden) {
      const cells: Encoded[] = this.#block.cells.slice()
      cells[nodes[asked].place] = new Int32Array(rows).fill(-1)
      this.#block = { ...this.#block, cells }
    }
    if (this.#states.length < rows * count) this.#states = new Uint8Array(rows * count)
    const none = nodes.some(({ isHidden }) => isHidden) ? new Int32Array(rows).fill(-1) : undefined
    for (let v = 0; v < count; v++) {
      if (this.#levels[v] > 0)
        this.codes[v] = nodes[v].isHidden
          ? ((v === asked ? undefined : block.assumed?.get(nodes[v].name)) ?? none!)
          : (this.#block.cells[nodes[v].place] as Int32Array)
    }
    this.resolve()
  }

  /** The rows as they are read: what is set from outside stands in them. */
  get block(): Block {
    return this.#block!
  }

  #withHeld(block: Block): Block {
    let cells: Encoded[] | undefined
    for (const { held, place, column } of this.#nodes) {
      if (held === undefined) continue
      cells ??= block.cells.slice()
      const own = (block.cells[place] as Float64Array | Int32Array).slice()
      for (let i = 0; i < own.length; i++) if (isHole(column, own, i)) own[i] = held
      cells[place] = own
    }
    return cells ? { ...block, cells } : block
  }

  /** What can be told from the codes, after a change of them. `isStarting`: there are no parameters yet. */
  resolve(isStarting = false): void {
    this.#isStarting = isStarting
    this.#numbers.read(this.#block, this.codes)
    const nodes = this.#nodes
    const count = nodes.length
    const rows = this.#rows
    const states = this.#states
    this.#isFound.fill(0)
    states.fill(SEEN, 0, rows * count)
    for (let v = 0; v < count; v++) {
      if (this.#levels[v] > 0) this.#isMissing[v] = markHoles(this.codes[v], rows, states, v, count)
      else {
        const cells = this.#block?.cells[nodes[v].place]
        let isMissing = false
        for (let i = 0; i < rows; i++) {
          if (cells && !isHole(nodes[v].column, cells, i)) continue
          states[i * count + v] = BARREN
          isMissing = true
        }
        this.#isMissing[v] = isMissing
      }
    }
    for (let k = this.order.length - 1; k >= 0; k--) {
      const v = this.order[k]
      this.#isRelevant[v] = false
      if (!this.#isMissing[v]) continue
      const children = this.#children[v]
      for (let i = 0; i < rows; i++) {
        const at = i * count
        if (states[at + v] === SEEN) continue
        let isRelevant = v === this.#asked || this.#isBorder[v] === 1
        for (let j = 0; j < children.length && !isRelevant; j++)
          isRelevant = states[at + children[j]] !== BARREN
        if (!isRelevant) continue
        states[at + v] = RELEVANT
        this.#isRelevant[v] = true
      }
    }
    this.#mask()
  }

  /** Numbers of a group are not for their leaves: their own cells are taken out, and what they read is put in. */
  #mask(): void {
    this.#masked = []
    const block = this.#block
    if (!this.#numbers.isAny || !block) return
    const count = this.#nodes.length
    for (let i = 0; i < this.#rows; i++) {
      if (this.#numbers.parents.every(v => this.#states[i * count + v] === SEEN)) continue
      for (const { told } of this.#patternOf(i, true).groups) {
        for (const v of told) {
          const { place, numberParents } = this.#nodes[v]
          this.#masked[v] ??= {
            ...block,
            cells: block.cells.map((cells, at) =>
              at === place || numberParents.some(u => this.#nodes[u].place === at)
                ? (cells as Float64Array).slice()
                : cells,
            ),
          }
          const { cells } = this.#masked[v]
          for (const u of numberParents) {
            const own = cells[this.#nodes[u].place] as Float64Array
            if (own[i] !== own[i]) own[i] = 0
          }
          ;(cells[place] as Float64Array)[i] = NaN
        }
      }
    }
  }

  /** One row in which nothing is seen. */
  nothing(): void {
    this.#rows = 1
    this.#asked = -1
    this.#block = undefined
    if (this.#states.length < this.#nodes.length) this.#states = new Uint8Array(this.#nodes.length)
    const none = Int32Array.of(-1)
    for (let v = 0; v < this.#nodes.length; v++) if (this.#levels[v] > 0) this.codes[v] = none
    this.resolve()
  }

  /** The configuration of the parents of v in every row; −1 where one is missing. Codes themselves, where they say it. */
  configurations(v: number): Int32Array {
    if (this.#isFound[v] === 1) return this.#configurations[v]
    const { levelParents } = this.#nodes[v]
    const rows = this.#rows
    let found: Int32Array
    if (levelParents.length === 0) found = firstSlot(rows)
    else if (levelParents.length === 1) found = this.codes[levelParents[0]]
    else {
      const [first, second, ...others] = levelParents
      found = this.#codeScratch[v](rows)
      join(this.codes[first], this.codes[second], this.#levels[second], rows, found)
      for (const u of others) join(found, this.codes[u], this.#levels[u], rows, found)
    }
    this.#configurations[v] = found
    this.#isFound[v] = 1
    return found
  }

  /** The same in one row. */
  configuration(v: number, row: number): number {
    return this.configurations(v)[row]
  }

  /** Is the level of v missing, while something below it is seen? */
  guess(v: number, row: number): boolean {
    return this.#levels[v] > 0 && this.#states[row * this.#nodes.length + v] === RELEVANT
  }

  /** Is v in a group of missing numbers? Its statistics are then those that `posteriors` tells of the group. */
  isGrouped(v: number, row: number): boolean {
    if (!this.#masked[v]) return false
    return this.#patternOf(row, true).groups.some(({ told }) => told.includes(v))
  }

  /** Is v in a group of some row? */
  isMasked(v: number): boolean {
    return this.#masked[v] !== undefined
  }

  get numbers(): MissingNumbers {
    return this.#numbers
  }

  /** By node: is a parent, or its own guessed level, missing in some row? Is its own level guessed in some row? */
  survey(): { readonly isOpen: boolean[]; readonly isGuessed: boolean[] } {
    const isGuessed = this.#nodes.map((_, v) => this.#levels[v] > 0 && this.#isRelevant[v])
    const isMissing = this.#nodes.map((_, v) => this.#levels[v] > 0 && this.#isMissing[v])
    const isOpen = this.#nodes.map(
      ({ levelParents }, v) => isGuessed[v] || levelParents.some(u => isMissing[u]),
    )
    return { isOpen, isGuessed }
  }

  /** The block as a node sees it: a hidden one with its codes in place, a number without the rows of groups. */
  seenBy(v: number, block: Block): Block {
    if (!this.#nodes[v].isHidden) return this.#masked[v] ?? block
    const cells: Encoded[] = block.cells.slice()
    cells[this.#nodes[v].place] = this.codes[v]
    return { ...block, cells }
  }

  /**
   * out[p·rows + i] += ln p(what is seen of row i | p). `visit` is told of every program after its upward pass; `isWhole`: the programs sum out all that is missing, what
   * is barren as well.
   */
  score(
    params: Float64Array,
    out: Float64Array,
    works: Work[],
    upToConstant?: boolean,
    visit?: (program: Program, row: number) => void,
    isWhole = false,
  ): void {
    this.scoreSeen(params, out, works, upToConstant)
    for (let i = 0; i < this.#rows; i++) this.sumOut(i, params, out, visit, isWhole)
  }

  /** out[p·rows + i] += ln p of the nodes whose own cell and parents are seen. */
  scoreSeen(params: Float64Array, out: Float64Array, works: Work[], upToConstant?: boolean): void {
    this.#isCurrent.fill(0)
    const block = this.#block!
    const rows = this.#rows
    const P = this.#contexts
    this.#nodes.forEach(({ part, levelParents, isHidden }, v) => {
      if (isHidden && !block.assumed) return
      if (levelParents.length === 0 && !isHidden) {
        works[v] = part.leaf.score(
          this.#masked[v] ?? block,
          part.paramsOf(params),
          out,
          upToConstant,
          works[v],
        )
        return
      }
      const isLevel = this.#levels[v] > 0
      if (isLevel) {
        const table = this.#logTable(v, params)
        readTable(table, this.codes[v], this.configurations(v), part.slots, P, rows, out)
        return
      }
      const scores = this.#scratch[v](part.slots * rows)
      works[v] = part.leaf.score(this.#masked[v] ?? block, part.paramsOf(params), scores, false, works[v])
      this.#scores[v] = scores
      const configurations = this.configurations(v)
      for (let i = 0; i < rows; i++) {
        const c = configurations[i]
        if (c < 0) continue
        for (let p = 0; p < P; p++) out[p * rows + i] += scores[(c * P + p) * rows + i]
      }
    })
  }

  /** out[p·rows + i] += ln p of the others in row i, what is missing summed out; after `scoreSeen`. */
  sumOut(
    i: number,
    params: Float64Array,
    out: Float64Array,
    visit?: (program: Program, row: number) => void,
    isWhole = false,
  ): void {
    const rows = this.#rows
    const P = this.#contexts
    if (!this.#isRelevant.includes(true) && !(isWhole && this.#isMissing.includes(true))) return
    const count = this.#nodes.length
    let isAny = false
    for (let j = i * count; j < (i + 1) * count && !isAny; j++)
      isAny = this.#states[j] === RELEVANT || (isWhole && this.#states[j] === BARREN)
    if (!isAny) return
    const { programs, groups } = this.#patternOf(i, isWhole)
    this.#integrate(groups, i, params)
    for (const { boundary, logs } of groups)
      if (boundary.length === 0) for (let p = 0; p < P; p++) out[p * rows + i] += logs[p]
    for (const program of programs) {
      program.up(this.#evidence(program, i, params))
      for (let p = 0; p < P; p++) out[p * rows + i] += program.logZ[p]
      visit?.(program, i)
    }
  }

  /** The factor of what is missing of a border, in the row that is summed out next: ln p, the last column changing fastest, then the context. */
  setBorder(border: number, logs: Float64Array): void {
    this.#scores[this.#nodes.length + border] = logs
  }

  /** How a program knows the factor of a border. */
  borderId(border: number): number {
    return this.#nodes.length + border
  }

  /** The missing numbers of a row become factors over levels. */
  #integrate(groups: readonly Group[], row: number, params: Float64Array): void {
    for (const group of groups) {
      if (this.#isStarting) group.logs.fill(0)
      else this.#numbers.solve(group, row, params)
      this.#scores[group.id] = group.logs
    }
  }

  /**
   * Told of every row and node with a missing parent or level: p(entry | seen) at e·P + p, and the place of each entry in the node's table or, if it has no levels,
   * among its slots. `visitGroup` is told of every group of missing numbers: p(configuration | seen), by context.
   */
  posteriors(
    params: Float64Array,
    visit: (v: number, row: number, places: Int32Array, base: number, shares: Float64Array) => void,
    visitGroup?: (group: Group, row: number, shares: Float64Array) => void,
  ): void {
    this.prepare(params)
    for (let i = 0; i < this.#rows; i++) this.posteriorsOf(i, params, visit, visitGroup)
  }

  /** Before `posteriorsOf`. */
  prepare(params: Float64Array): void {
    this.#scoreNumbers(params)
  }

  /** The same of one row, after `prepare`; `visitProgram` is told of every program, which has been passed both ways. */
  posteriorsOf(
    i: number,
    params: Float64Array,
    visit: (v: number, row: number, places: Int32Array, base: number, shares: Float64Array) => void,
    visitGroup?: (group: Group, row: number, shares: Float64Array) => void,
    visitProgram?: (program: Program, row: number) => void,
  ): void {
    const P = this.#contexts
    const apart = this.#nodes.length
    const { programs, groups } = this.#patternOf(i, true)
    this.#integrate(groups, i, params)
    const isTold = visitGroup && !this.#isStarting
    for (const group of groups)
      if (isTold && group.boundary.length === 0) visitGroup(group, i, new Float64Array(P).fill(1))
    for (const program of programs) {
      program.up(this.#evidence(program, i, params))
      program.down()
      visitProgram?.(program, i)
      for (const v of program.families.keys()) {
        if (v >= apart && v < apart + this.#borders.length) continue
        if (v >= apart) {
          const group = groups.find(({ id }) => id === v)!
          const { map, posterior } = program.family(v)
          const shares = new Float64Array(group.logs.length)
          for (let e = 0, j = 0; e < map.length; e++)
            for (let p = 0; p < P; p++) shares[map[e] + p] += posterior[j++]
          if (isTold) visitGroup(group, i, shares)
          continue
        }
        if (!this.guess(v, i) && this.configuration(v, i) >= 0) continue
        const { map, posterior } = program.family(v)
        visit(v, i, map, this.#base[v], posterior)
      }
    }
  }

  /** p(configuration | context) of every node in row 0, at c·P + p. */
  shares(params: Float64Array, visit: (v: number, share: Float64Array) => void): void {
    const P = this.#contexts
    const all = this.#nodes.map(({ part }) => new Float64Array(part.slots))
    const isMet = this.#nodes.map(() => false)
    this.#nodes.forEach((_, v) => {
      const c = this.configuration(v, 0)
      if (c < 0) return
      isMet[v] = true
      for (let p = 0; p < P; p++) all[v][c * P + p] = 1
    })
    this.posteriors(params, (v, _row, places, base, shares) => {
      if (isMet[v]) return
      const { slots } = this.#nodes[v].part
      for (let e = 0, j = 0; e < places.length; e++)
        for (let p = 0; p < P; p++) all[v][((base + places[e]) % slots) + p] += shares[j++]
    })
    all.forEach((share, v) => void visit(v, share))
  }

  /** The levels of row 0, those that are missing drawn together, given what is seen; missing numbers that others read are told to `number`. */
  draw(
    params: Float64Array,
    context: number,
    dice: Dice,
    number: (v: number, x: number) => void,
  ): Int32Array {
    const values = this.#fill(0, params, program => program.draw(context, dice, this.#values))
    for (const group of this.#patternOf(0, true).groups) {
      let s = context
      group.boundary.forEach((u, j) => {
        s += values[u] * group.strides[j]
      })
      this.#numbers.draw(group, s, dice, number)
    }
    return values
  }

  /** The levels of a row, those that are missing the most probable ones together. Returns their log-probability with what is seen. */
  best(row: number, params: Float64Array, context: number): { values: Int32Array; height: number } {
    let height = 0
    const values = this.#fill(row, params, (program, evidence) => {
      height += program.best(evidence, context, this.#values)
    })
    return { values, height }
  }

  #fill(
    row: number,
    params: Float64Array,
    choose: (program: Program, evidence: Evidence) => void,
  ): Int32Array {
    this.#scoreNumbers(params)
    const values = this.#values
    for (let v = 0; v < this.#nodes.length; v++) if (this.#levels[v] > 0) values[v] = this.codes[v][row]
    const { programs, groups } = this.#patternOf(row, true)
    this.#integrate(groups, row, params)
    for (const program of programs) {
      const evidence = this.#evidence(program, row, params)
      program.up(evidence)
      choose(program, evidence)
    }
    return values
  }

  #scoreNumbers(params: Float64Array): void {
    this.#isCurrent.fill(0)
    const block = this.#block
    this.#nodes.forEach(({ part, levelParents }, v) => {
      if (this.#levels[v] > 0 || levelParents.length === 0 || !block) return
      const scores = this.#scratch[v](part.slots * this.#rows)
      part.leaf.score(this.#masked[v] ?? block, part.paramsOf(params), scores)
      this.#scores[v] = scores
    })
  }

  #evidence(program: Program, row: number, params: Float64Array): Evidence {
    const states = this.#states.subarray(row * this.#nodes.length)
    // all of them first: some are then replaced in a copy
    for (const v of program.families.keys())
      if (this.#levels[v] > 0 && this.#isCurrent[v] === 0) this.#table(v, params)
    let tables = this.#tables
    for (const v of program.families.keys()) {
      if (v >= this.#nodes.length) continue
      let base = 0
      for (const [u, stride] of this.#strides[v]) {
        const code = this.codes[u][row]
        if (code >= 0) base += stride * code
      }
      this.#base[v] = base
      if (this.#levels[v] === 0 || states[v] !== BARREN || !this.#nodes[v].part.leaf.belief) continue
      if (tables === this.#tables) tables = this.#tables.slice()
      tables[v] = this.#wholeTables[v]
    }
    return {
      tables: tables as Float64Array[],
      scores: this.#scores,
      rows: this.#rows,
      row,
      apart: this.#nodes.length,
      base: this.#base,
    }
  }

  /** ln p(l | slot) at l·slots + s: the parameters of a plain leaf; others are asked level by level. */
  #logTable(v: number, params: Float64Array): Float64Array {
    const { part, place } = this.#nodes[v]
    const own = part.paramsOf(params)
    const { fusion, score } = part.leaf as Leaf & Partial<FusibleLeaf>
    if (fusion?.score === score) return own
    const count = this.#levels[v]
    const cells: Encoded[] = []
    cells[place] = Int32Array.from({ length: count }, (_, l) => l)
    const scores = new Float64Array(part.slots * count)
    part.leaf.score({ rows: count, weight: new Float64Array(count).fill(1), cells }, own, scores)
    const table = new Float64Array(scores.length)
    for (let s = 0; s < part.slots; s++)
      for (let l = 0; l < count; l++) table[l * part.slots + s] = scores[s * count + l]
    return table
  }

  /**
   * p(l | slot), made again where the logarithms have changed. Where they are E[ln p], as while a posterior is learned, they add up to less than 1: a barren
   * node, which must sum to 1, then has a table of its own.
   */
  #table(v: number, params: Float64Array): void {
    const { part } = this.#nodes[v]
    this.#isCurrent[v] = 1
    const logs = this.#logTable(v, params)
    let table = this.#tables[v]
    let before = this.#logTables[v]
    if (!table || !before) {
      table = new Float64Array(logs.length).fill(1)
      before = new Float64Array(logs.length)
      this.#tables[v] = table
      this.#logTables[v] = before
    }
    let isChanged = false
    for (let j = 0; j < logs.length; j++) {
      if (logs[j] === before[j]) continue
      before[j] = logs[j]
      table[j] = exp(logs[j])
      isChanged = true
    }
    // before the first step the logarithms are all 0
    if ((isChanged || !this.#wholeTables[v]) && part.leaf.belief)
      this.#wholeTables[v] = normalised(table, part.slots)
  }

  /** The programs and groups for what is missing in a row: everything, or only what something seen depends on. */
  #patternOf(row: number, isWhole: boolean): Pattern {
    const count = this.#nodes.length
    const own = this.#states.subarray(row * count, (row + 1) * count)
    let key = isWhole ? "w" : "r"
    for (let v = 0; v < count; v++) key += own[v]
    const known = this.#patterns.get(key)
    if (known) return known
    if (this.#patterns.size >= MOST_PATTERNS) this.#forget()
    const groups = this.#numbers.isAny
      ? this.#numbers.groupsOf(
          v => own[v] !== SEEN,
          v => own[v] === RELEVANT,
          isWhole,
        )
      : []
    if (this.#base.length < count + this.#numbers.count)
      this.#base = new Int32Array(count + 2 * this.#numbers.count)
    const pattern = { groups, programs: this.#componentsOf(own, groups, isWhole) }
    this.#patterns.set(key, pattern)
    return pattern
  }

  #forget(): void {
    this.#programs.clear()
    this.#patterns.clear()
    this.#numbers.forget()
    this.#entries = 0
  }

  #componentsOf(states: Uint8Array, groups: readonly Group[], isWhole: boolean): Program[] {
    const isIn = (v: number): boolean =>
      this.#levels[v] > 0 && (states[v] === RELEVANT || (isWhole && states[v] === BARREN))
    const factors: Factor[] = groups.flatMap(({ id, boundary, strides }) =>
      boundary.length > 0 ? [{ node: id, columns: boundary, strides, kind: "density" }] : [],
    )
    this.#borders.forEach((border, b) => {
      const columns = border.filter(isIn)
      if (columns.length === 0) return
      let stride = this.#contexts
      const strides: number[] = []
      for (const u of [...columns].reverse()) {
        strides.unshift(stride)
        stride *= this.#levels[u]
      }
      factors.push({ node: this.borderId(b), columns, strides, kind: "density" })
    })
    const grouped = new Set(groups.flatMap(({ told, families }) => (isWhole ? told : families)))
    this.#nodes.forEach((_, v) => {
      if (grouped.has(v)) return
      const steps = this.#strides[v].filter(([u]) => isIn(u))
      const isLevel = this.#levels[v] > 0
      const isCounted = isLevel ? states[v] !== BARREN || isWhole : states[v] === SEEN
      if (steps.length === 0 || (!isCounted && !isWhole)) return
      factors.push({
        node: v,
        columns: steps.map(([u]) => u),
        strides: steps.map(([, stride]) => stride),
        kind: isLevel ? "table" : isCounted ? "density" : "none",
      })
    })
    const home = this.#nodes.map((_, v) => v)
    const root = (v: number): number => (home[v] === v ? v : root(home[v]))
    for (const { columns } of factors) for (const u of columns) home[root(u)] = root(columns[0])
    const together = new Map<number, { readonly columns: number[]; readonly own: Factor[] }>()
    this.#nodes.forEach((_, v) => {
      if (!isIn(v)) return
      const found = together.get(root(v))
      if (found) found.columns.push(v)
      else together.set(root(v), { columns: [v], own: [] })
    })
    for (const factor of factors) together.get(root(factor.columns[0]))?.own.push(factor)
    return Array.from(together.values(), ({ columns, own }) => {
      const key = `${columns.join()}|${own.map(({ node, kind }) => `${node}${kind[0]}`).join()}`
      const known = this.#programs.get(key)
      if (known) return known
      const program = new Program(columns, own, this.#levels, this.#contexts, this.#names)
      this.#entries += program.entries
      if (this.#entries > MOST_ENTRIES) {
        this.#programs.clear()
        this.#patterns.clear()
        this.#entries = program.entries
      }
      this.#programs.set(key, program)
      return program
    })
  }
}

// Separate functions, because engines optimise loops over parameters better than over captured variables.

/** states[i·count + v] ← BARREN where the code is missing. Is it anywhere? */
function markHoles(codes: Int32Array, rows: number, states: Uint8Array, v: number, count: number): boolean {
  let all = 0
  for (let i = 0; i < rows; i++) all |= codes[i]
  if (all >= 0) return false
  for (let i = 0; i < rows; i++) if (codes[i] < 0) states[i * count + v] = BARREN
  return true
}

/** found_i ← c_i·L + code_i; −1 where one of them is. */
function join(c: Int32Array, codes: Int32Array, levels: number, rows: number, found: Int32Array): void {
  for (let i = 0; i < rows; i++) found[i] = (c[i] | codes[i]) < 0 ? -1 : Math.imul(c[i], levels) + codes[i]
}

/** out[p·rows + i] += table[code_i·slots + c_i·P + p] where neither is missing. */
function readTable(
  table: Float64Array,
  codes: Int32Array,
  configurations: Int32Array,
  slots: number,
  P: number,
  rows: number,
  out: Float64Array,
): void {
  for (let p = 0; p < P; p++) {
    const to = p * rows
    for (let i = 0; i < rows; i++) {
      if (codes[i] >= 0 && configurations[i] >= 0)
        out[to + i] += table[codes[i] * slots + configurations[i] * P + p]
    }
  }
}

/** The same table, each slot adding up to 1. */
function normalised(table: Float64Array, slots: number): Float64Array {
  const whole = table.slice()
  for (let s = 0; s < slots; s++) {
    let sum = 0
    for (let j = s; j < table.length; j += slots) sum += table[j]
    for (let j = s; j < table.length; j += slots) whole[j] /= sum
  }
  return whole
}
