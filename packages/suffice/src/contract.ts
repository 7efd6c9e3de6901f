/**
 * The contracts of Suffice: types, and nothing else. Each member is documented by the equation it computes.
 * Long because it is the one page that everything else is written against.
 *
 *     p(row | θ) = h · exp( θ·s(row) − A(θ) )        η = E[s | θ]
 *
 * A family says what s is, how a block of rows adds to it (`absorb`) and how θ comes back (`solve`).
 * A structure combines families: log-densities go up the tree, weights come down.
 * A learner chooses the weights. Nobody else needs to know which.
 */

// ── cells, as users write them ─────────────────────────────────────────────────────────────────────

export type Level = string | number | boolean
/** A document of sparse counts: `sparse` makes them. */
export interface SparseBag {
  readonly source: object
  readonly row: number
  toJSON(): Readonly<Record<string, number>>
}
/** A bag of words: text (tokenised at the door), a list of words, or counts by word: in an object, a Map, or sparse. */
export type Bag =
  | string
  | readonly string[]
  | Readonly<Record<string, number>>
  | ReadonlyMap<string, number>
  | SparseBag
/** A label that is not certain: a weight for each level. One copy of the row per level, so weighted. */
export type SoftLabel = Readonly<Record<string, number>>
/**
 * Steps: rows within a row. A list of rows, columns of equal length by name, or, where there is one column, a list of its cells. `null` in a list is a step
 * in which nothing is seen.
 */
export type Steps = readonly Cell[] | { readonly [name: string]: ArrayLike<Cell> }
export type Cell = Level | Bag | SoftLabel | Row | Steps | bigint | null | undefined
export type Row = { readonly [name: string]: Cell }
/** Columns: arrays or typed arrays of one length, by name. */
export type Columns = Readonly<Record<string, ArrayLike<Cell>>>

// ── columns and blocks, as the door leaves them ────────────────────────────────────────────────────

/** Where the numbers of a column live: everywhere, at x ≥ 0, at x > 0, or at 0 < x < 1. Each lies within the one before it. */
export type Support = "any" | "notNegative" | "positive" | "share"

/** What a family asks the door to make of a cell. */
export type Need =
  /**
   * A real number, held as (x − shift)/scale. "own": each column by its own spread; "common": one scale for the leaf's columns. With a
   * support, cells elsewhere are refused, and nothing is shifted: held as x/scale, scale being the mean, and a share as it is.
   */
  | { readonly kind: "number"; readonly scale: "own" | "common"; readonly support?: Support }
  /** A non-negative integer, held as it is. */
  | { readonly kind: "count" }
  /** One of finitely many levels, held as a code. "binary": booleans, or 0 and 1. "named": the levels are given as text, whatever the type of the cells. */
  | {
      readonly kind: "level"
      readonly levels?: readonly Level[]
      readonly binary?: boolean
      readonly named?: boolean
    }
  /** A bag of words, held as word codes and counts. */
  | {
      readonly kind: "bag"
      readonly text: TextOptions
      readonly words?: readonly string[]
      readonly reading: Reading
    }
  /** A list of rows that a body models: its own columns, none of which stands outside. */
  | { readonly kind: "steps"; readonly uses: readonly Use[] }

/** How text becomes words. The choices travel with the model. */
export interface TextOptions {
  readonly lowercase: boolean
  /** Runs of up to so many neighbouring words are words too; absent: 1. */
  readonly ngrams?: number
  /** Words that are dropped before anything is made of them. */
  readonly stopWords?: readonly string[]
  /** The name of the stemmer: the function itself is no data. */
  readonly stem?: string
  /** Only words that stand in at least so many documents of the training rows, by weight, in at most this share of them, and so many of the most frequent. */
  readonly minDocuments?: number
  readonly maxDocuments?: number
  readonly maxWords?: number
  /** Buckets in place of words: see text/hash.ts. */
  readonly hash?: number
  /** A bag without a known word is seen: all of them are absent. Else it is missing. */
  readonly empty?: "seen"
  /** What a count weighs; absent in a need: as the learner likes it. */
  readonly scaling?: "raw" | "log" | "l2" | "tfidf"
  /** tfidf: the documents of the training rows, and in how many of them each word stands; both by weight. */
  readonly documents?: number
  readonly frequencies?: readonly number[]
}

/** Cuts the ending of a word. */
export type Stem = (word: string) => string

/**
 * How cells become bags, in both passes of the door: text/reading.ts. A family over bags brings it along, so that models without bags need
 * not carry it. It holds functions only: what it depends on stands in the options of the text.
 */
export interface Reading {
  /**
   * The first pass. `known`: the column as an earlier model has it. `scaling`: where the options leave it open. `remember`: the
   * texts are in memory and come again, so that their words need not be looked for twice.
   */
  explore(
    need: Extract<Need, { kind: "bag" }>,
    known: Column | undefined,
    scaling: TextOptions["scaling"],
    remember: boolean,
  ): {
    /** Cells that are read together, from this one on, but none of weight 0: where they end. */
    run(cells: ArrayLike<Cell>, weights: Float64Array, from: number): number
    /** Of a row of this weight. False: no bag. */
    look(cell: Cell, weight: number): boolean
    readonly seen: boolean
    column(name: string): Column
  }
  /** Further passes. */
  holder(column: Column): Holder
  /** The column has been encoded: what was remembered of its texts can go. */
  forget(column: Column): void
}

/** How long a chunk is needed: until the next one begins, or as long as the fit lasts. */
export type Lifetime = "chunk" | "fit"

/** One column of a chunk under construction: cells come in, held cells go out. */
export interface Holder {
  /** The next chunk, of at most `rows` rows. What was cut from one that lasts stays as it is. `numbers`: where a column of numbers goes, if given. */
  begin(rows: number, lifetime: Lifetime, numbers?: Float64Array): void
  /** Grows the capacity to `rows` rows; those already read are kept. */
  extend(rows: number): void
  /** Holds cells from … to − 1 at places at, at + 1, …; cell 0 is that of row `first`. */
  read(
    cells: ArrayLike<Cell>,
    first: number,
    from: number,
    to: number,
    at: number,
    strangers: Strangers,
  ): void
  /** So many missing cells, from this place on. */
  skip(count: number, at: number): void
  /** `numbers`: of the rows in the data. */
  cut(from: number, to: number, numbers?: Pick<Block, "first" | "numbers">): Held
  /** Where a block must end that begins at this row, and ends at `to` otherwise; absent: there. */
  endOf?(from: number, to: number): number
}

/** Who hears of levels and words that are not in the schema. */
export interface Strangers {
  level(row: number, column: string, level: Level): void
  word?(row: number, column: string, word: string): void
}

/** Takes the words of a document: entries from … to − 1, each word once, in any order. The arrays are used again. */
export interface BagSink {
  addWords(codes: Int32Array, counts: Float64Array | Int32Array, from: number, to: number): void
}

/**
 * A column after the first pass over the data. Numbers: x = shift + scale·held; `variance` is the pooled variance of the held values, 1 where
 * they do not differ; `empty`: no row holds one; `within`: where they live, unless that is everywhere.
 */
export type Column =
  | {
      readonly kind: "number"
      readonly name: string
      readonly shift: number
      readonly scale: number
      readonly variance: number
      readonly empty?: true
      readonly within?: Within
    }
  | { readonly kind: "count"; readonly name: string; readonly mean: number }
  | { readonly kind: "level"; readonly name: string; readonly levels: readonly Level[] }
  | {
      readonly kind: "bag"
      readonly name: string
      readonly words: readonly string[]
      readonly text: TextOptions
    }
  /** The columns of the steps. */
  | { readonly kind: "steps"; readonly name: string; readonly columns: readonly Column[] }

/** A support other than the whole line, and the pooled moments of what is held there; of an empty column they are those of 1, of a share ½. */
export interface Within {
  readonly support: Exclude<Support, "any">
  readonly mean: number
  /** Of ln x, where x > 0; else 0. */
  readonly logMean: number
  readonly logVariance: number
  /** Of ln(1 − x), of shares; else 0. */
  readonly restLogMean: number
}

/** Rows within rows: row i owns the inner rows [offsets[i], offsets[i+1]) of the block. They weigh what they weigh within their row. */
export interface Nested {
  readonly offsets: Int32Array
  readonly block: Block
  /** 1 for rows whose cell is missing as a whole, where that is told apart from an empty one; absent: none is. */
  readonly missing?: ArrayLike<number> | undefined
}

/** Bags are nested blocks of one column, the words, whose weights are their counts; both have names of their own, since text goes by them. */
export interface Bags extends Omit<Nested, "block"> {
  /** block.cells[0] */
  readonly words: Int32Array
  /** block.weight */
  readonly counts: Float64Array
  /** What the counts weigh, once a family that scales documents has looked. */
  scaled?: Float64Array | undefined
  /** Of a mini-batch: row i is row rows[i] of from[i]. Its words are gathered when somebody asks for them. */
  readonly picked?: { readonly from: readonly Bags[]; readonly rows: readonly number[] } | undefined
}

/** Held cells of one column: numbers and counts (NaN = missing), codes (−1 = missing), bags or steps (empty = no evidence). */
export type Held = Float64Array | Int32Array | Bags | Nested

/** Rows processed together. `cells` goes by the column's place in the schema. */
export interface Block {
  readonly rows: number
  readonly weight: Float64Array
  readonly cells: readonly Held[]
  /** For messages, the number of row 0 in the data: those of the others follow it, unless `numbers` has them. */
  readonly first?: number | undefined
  readonly numbers?: Float64Array | undefined
  /** Of steps, those of their rows: `first` and `numbers` are then the rows'. */
  readonly offsets?: Int32Array | undefined
}

/** A fixed number of rows, cut into blocks: the unit of threads, determinism and checkpoints. */
export type Chunk = readonly Block[]

// ── weights ────────────────────────────────────────────────────────────────────────────────────────

/**
 * r: how much of each row belongs to each slot; signed under sdEM.
 * "each": values[p·rows + i]. "one": row i belongs to slot[i] alone, with weight[i].
 */
export type Weights =
  | { readonly form: "each"; readonly values: Float64Array }
  | { readonly form: "one"; readonly slot: Int32Array; readonly weight: Float64Array }

/** Weights as leaves get them: with the sums that several families need. */
export type SummedWeights = Weights & {
  /** Σ_i w (1, x_i, x_i²) over the rows of slot p that hold x, at 3p: good until the next call. */
  sums(x: Float64Array): Float64Array
  /** stats[l·slots + p] += Σ_i w over the rows of slot p with code l; −1 is missing. */
  count(codes: Int32Array, stats: Float64Array): void
}

// ── families ───────────────────────────────────────────────────────────────────────────────────────

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Plain data: parameters by name, in the units of the data. */
export type Description = { readonly [key: string]: Json }

/** A source of random draws; random.ts makes them. Nothing is allocated per draw. */
export interface Dice {
  /** u in [0, 1), a multiple of 2^−53. */
  uniform(): number
  /** A whole number in 0 … n − 1, each exactly equally likely; 1 ≤ n ≤ 2^53. */
  integer(n: number): number
  /** x ~ N(0, 1). */
  normal(): number
  /** x ~ Gamma(shape, 1): density x^(shape − 1) e^−x / Γ(shape). */
  gamma(shape: number): number
  /** x ~ Beta(a, b). */
  beta(a: number, b: number): number
  /** out ~ Dirichlet(alpha); sums to 1, up to rounding, even where every gamma draw would underflow. */
  dirichlet(alpha: Float64Array, out: Float64Array): void
  /** n ~ Poisson(rate). */
  poisson(rate: number): number
  /** i in 0 … count − 1 with probability weights[offset + i] / Σ weights; weights ≥ 0 and not all 0. */
  categorical(weights: Float64Array, offset: number, count: number): number
  /** A uniformly random order, in place. */
  shuffle(items: Int32Array | Uint32Array): void
  /** An independent stream, named by this one's present state and the label. This stream does not advance. */
  fork(label: number): Dice
  /** What `diceFrom` needs to go on from here: four words, and the second normal where one is waiting. */
  state(): readonly number[]
}

/** A kind of distribution over one or several columns, given those it reads; `Value` is the type of its cells. */
export interface Family<Value = unknown> {
  readonly name: string
  /** What saving writes down and loading hands back to the maker. */
  readonly options: Description
  readonly need: Need
  readonly measure: "density" | "mass"
  /** Columns that it conditions on: p(cells | reads). It reads them as it needs its own, and does not model them. */
  readonly reads?: readonly string[]
  /** Fix the columns (and their places in a block), those it reads after its own, and the number of slots. */
  bind(columns: readonly Column[], places: readonly number[], slots: number): Leaf
  /** Only for the compiler: the type of a cell. */
  readonly cell?: Value
}

/** What an upward pass leaves for the downward pass over the same block. Only the node or leaf that made it looks inside. */
export type Work = unknown

/**
 * An axis of statistics. "slot": one per slot. "entry": one per level or word of the column; { entry: c }: of the leaf's column c. A number: that long, whatever the schema.
 * Transitions between the levels of one column are ["entry", "entry", "slot"].
 */
export type Axis = "slot" | "entry" | { readonly entry: number } | number

/** A family bound to its columns: pure functions over its own part of θ (`params`) and of the statistics (`stats`). */
export interface Leaf {
  readonly slots: number
  /** How many numbers its statistics and its parameters take, over all slots. */
  readonly statistics: number
  /**
   * How the statistics are laid out: one array after the other, each with its axes, outermost first. With it, statistics can move to a schema with more
   * levels, words or slots.
   */
  readonly axes: readonly (readonly Axis[])[]
  readonly parameters: number
  /** Free parameters over all slots: what AIC and BIC count. */
  readonly free: number
  /** When does `absorb` need θ? "missing": for rows with a missing cell. "always": something hides inside. Absent: never. */
  readonly guesses?: "missing" | "always"
  /**
   * stats += first statistics of these rows, where something hides inside: guesses that differ by value, since EM never leaves equal ones. With
   * `value`, that one alone begins anew at the rows. Absent: `absorb` needs no guess to begin with.
   */
  start?(block: Block, weights: Weights, dice: Dice, stats: Float64Array, value?: number): void
  /** How much of the rows each value holds that hides inside: entry value·slots + p. EM begins those anew that hold less than a row. */
  hidden?(stats: Float64Array): Float64Array
  /** How many numbers say how far rows lie apart within slots, over all of them; absent: none, and nobody asks for them. */
  readonly spreads?: number
  /**
   * spread ← V(stats), of counts: how far rows lie apart within slots, robust to a few far cells. What the prior shrinks variances
   * towards, and what floors are relative to. Learners keep it fixed while they climb, so that what they climb stays the same.
   */
  spread?(stats: Float64Array, spread: Float64Array): void
  /**
   * stats += strength·α: the conjugate prior as pseudo-statistics. Where there is a spread V, α = ν·E[s | x̄_p, V] in each slot: around
   * its own mean, that of the statistics `around`, so that means are free. Without `spread` V(around), without `around` V(stats) and its means.
   */
  prior(stats: Float64Array, strength?: number, spread?: Float64Array, around?: Float64Array): void
  /**
   * out[p·rows + i] += ln p(x_i | θ_p), missing cells integrated out; `upToConstant`: what a row has in common for all slots may be left out. Returns what
   * `absorb` of the same block can use again, if anything; `spent` is an earlier one that may be overwritten.
   */
  score(block: Block, params: Float64Array, out: Float64Array, upToConstant?: boolean, spent?: Work): Work
  /** stats += Σ_i w[p,i] · E[s(x_i) | what was seen, θ_p]. True if θ mattered (something had to be guessed). */
  absorb(
    block: Block,
    params: Float64Array,
    weights: SummedWeights,
    stats: Float64Array,
    work?: Work,
  ): boolean
  /**
   * stats += Σ_i w[p,i] · E[s(x_i) | what it reads, θ_p] over the rows that `absorb` left out, its own cell being missing. EM has no
   * use for them: they say nothing of θ. Learners that take partial steps need the statistics of whole rows.
   */
  absorbHoles?(block: Block, params: Float64Array, weights: Weights, stats: Float64Array): void
  /**
   * params ← θ(stats + strength·α), α as `prior` adds it, around the means of these statistics. Slots without mass get the pooled parameters. Returns how
   * many slots were held at the edge of the domain, which is relative to the spread V; without it to V(stats).
   */
  solve(stats: Float64Array, strength: number, params: Float64Array, spread?: Float64Array): number
  /** value(α, θ), where that takes less than α in an array; absent: computed from `prior` and `value`. Not where there is a spread. */
  logPrior?(params: Float64Array): number
  /** stats += Σ_p mass[p] · E[s | θ_p]: back from θ to η. */
  moments(params: Float64Array, mass: Float64Array, stats: Float64Array): void
  /** Is θ(stats) of this slot well inside the domain (variances and probabilities clear of 0)? Steps that leave it are shortened. */
  inside(stats: Float64Array, slot: number, spread?: Float64Array): boolean
  /** Lift each slot to this mass by E[s | θ], where its columns were seen by different masses; absent: one `mass` says it all. */
  complete?(params: Float64Array, mass: Float64Array, stats: Float64Array): void
  /** The length of what it models is given, not modelled (bags of words): a missing cell then says nothing about the mass. */
  readonly lengthGiven?: true
  /** Present where a step need not touch all entries: words, of which a mini-batch has few. */
  readonly sparse?: Sparse
  /**
   * Columns that must stay positive definite together, times the matrices that share the mass; absent: no more than one. Taking away a
   * row of relative weight w leaves Σ positive definite if w·(x − μ)ᵀΣ⁻¹(x − μ) < 1, and that distance is about the number of columns.
   */
  readonly breadth?: number
  /** Throws where the score is no log-density: then there is nothing to sample from, and no likelihood to compare. */
  checkDensity?(): void
  /** Σ_p ⟨stats_p, θ_p⟩ − n_p A(θ_p) (+ n_p ln h where h depends on nothing but the statistics): the log-likelihood of fully seen rows. */
  value(stats: Float64Array, params: Float64Array): number
  /** n_p: the weight this leaf saw in slot p. */
  mass(stats: Float64Array, slot: number): number
  /** θ_p by name, in the units of the data. */
  describe(params: Float64Array, slot: number): Description
  /** The inverse of describe: stats += mass · E[s | the described θ_p]. */
  adopt(description: Description, slot: number, mass: number, stats: Float64Array): void
  /** Draw the leaf's columns from slot p into held cells: row 0 of `block`. Cells that are not missing are evidence. */
  sample(params: Float64Array, slot: number, block: Block, dice: Dice): void
  /** mean[i], variance[i] of one numeric column in slot p given what was seen of the leaf's other columns, held units. Only for numbers and counts. */
  expect?(
    block: Block,
    params: Float64Array,
    slot: number,
    place: number,
    mean: Float64Array,
    variance: Float64Array,
  ): void
  /** P(X ≤ x) of a cell whose mean and variance `expect` gave, held units. */
  cdf?(x: number, mean: number, variance: number): number
  /** out[c] += the share of column c, or of word c of a bag, in ln p(row 0 | θ_p); they add up to the score. Absent: it is one share. */
  contributions?(block: Block, params: Float64Array, slot: number, out: Float64Array): void
  /** ln p(row | θ_p) − ln h(row) = Σ weight · feature(row), held units, where no cell is missing. Absent: it is not linear in features. */
  linear?(params: Float64Array, slot: number): readonly Weighted[]
}

/**
 * Moments that move entry by entry: a step touches the entries of its rows, and θ of those. What it does to all entries alike, such as the prior's pull, is kept as
 * a few numbers by slot, or as a debt that is settled now and then.
 */
export interface Sparse {
  /** What every entry starts with above what was counted: how firmly entries stay where they are. Absent: nothing. */
  readonly inertia?: number
  /** How many entries the rows of a block have, each row counted: the kernels keep what they read again and again. Absent: they keep nothing. */
  kept?(block: Block): number
  /** Sets the moments in motion. */
  move(start: SparseStart): SparseMoving
}

/** The leaf's own stretches of the moments, of θ, which is computed from them, and of α. */
export interface SparseStart {
  readonly moments: Float64Array
  readonly params: Float64Array
  readonly prior: Float64Array
  /** Of the prior. */
  readonly strength: number
  /** n: of all rows. */
  readonly weight: number
  readonly inertia: number
}

export interface SparseMoving {
  /** Weights that the next step goes by; copied, since nodes use their arrays again. */
  take(weights: Weights): void
  /** Adds what the rows give to the entries they have. Returns how many slots were moved back into the domain. */
  step(block: Block, step: SparseStep): number
  /** Every entry gets what it is owed, and everything is computed from the moments: the same state whatever the way to it. */
  settle(): void
  /** The moments as they are; absent: they always stand in the array they began in. */
  write?(moments: Float64Array): void
  /** A mean over steps to come, which goes on from this one; absent: these moments are not averaged. */
  average?(mean: Float64Array, steps: number): LazyMean
}

/** A mean that is brought up to date when somebody looks: of numbers that mostly stay as they are. */
export interface LazyMean {
  /** The present moments count. */
  add(): void
  write(mean: Float64Array): void
  /** No step counts any more. */
  end(): void
}

export interface SparseStep {
  /** What a row's unit of weight is worth where rows add up (bags, whose length is given), and how much of the prior's pull is due for it. */
  readonly each: number
  readonly due: number
  /** What it is worth where the mean over rows counts, and what a unit of the prior's pull is worth then. */
  readonly mean: number
  readonly pull: number
  /** Weight that came to each slot, what the pull brings to it from above, and the mass it should have then, where a part counts it. */
  readonly came: Float64Array
  readonly brought: Float64Array
  readonly mass: Float64Array | undefined
  /** A step out of the domain is halved this often at most; then it is not taken. */
  readonly halvings: number
}

/** A function of the row in which a log-density can be linear. "count": how often a word occurs. "word": 1 if it does. */
export type Feature =
  | { readonly kind: "1" }
  | { readonly kind: "x" | "x²"; readonly column: string }
  | { readonly kind: "xy"; readonly column: string; readonly other: string }
  | { readonly kind: "level"; readonly column: string; readonly level: Level }
  | { readonly kind: "count" | "word"; readonly column: string; readonly word: string }

export type Weighted = readonly [feature: Feature, weight: number]

/** What a file cannot hold, by name. */
export interface Given {
  readonly stemmers?: Readonly<Record<string, Stem>> | undefined
}

/** How a family presents itself to saving, `auto()` and the laws: one entry of the list of families. */
export interface FamilyKind {
  readonly name: string
  /** The family with these options; throws on options it does not know. `given`: functions that options name. */
  make(options: Description, given?: Given): Family
  /** Would this family suit the column? If so, the reason. The first kind of the list that says so is chosen. */
  suits?(summary: ColumnSummary): string | undefined
  /** For the laws: options to try, and a random cell that lies in the support. */
  readonly specimens: readonly {
    readonly options: Description
    /** `read`: the cells of the columns it reads. */
    cell(dice: Dice, read: readonly number[]): Cell
  }[]
}

/** What `auto()` saw of one column. */
export interface ColumnSummary {
  readonly name: string
  readonly rows: number
  readonly missing: number
  readonly numbers: number
  readonly integers: number
  readonly negatives: number
  /** Of the numbers; ±Infinity where there are none. */
  readonly smallest: number
  readonly largest: number
  /** Of the numbers; NaN where there are none. */
  readonly mean: number
  readonly variance: number
  readonly booleans: number
  readonly strings: number
  /** Strings that hold white space, and cells that are word lists or word counts. */
  readonly texts: number
  readonly bags: number
  /** Distinct values (counting stops at the cap). */
  readonly distinct: number
}

// ── models ─────────────────────────────────────────────────────────────────────────────────────────

/**
 * A column as one place of the tree uses it. Columns with the same `group` share their scale, where the need says so.
 * "read": nothing models the column, something is modelled given it.
 */
export interface Use {
  readonly column: string
  readonly need: Need
  readonly measure: "density" | "mass"
  readonly group: string
  readonly role: "cell" | "label" | "hidden" | "read"
  /** The columns it is modelled given: where the cell is seen, so must they be, or the leaf refuses the row. */
  readonly reads?: readonly string[]
}

/**
 * A declared model. `Cells` maps column names to the type of their cells (a hidden column is optional), `Target` is the
 * default target.
 * The last member exists only for the compiler.
 */
export interface Model<Cells = unknown, Target extends string = string> {
  readonly kind: string
  readonly uses: readonly Use[]
  readonly target: string | undefined
  /** What saving writes down; structures/list.ts revives it. */
  readonly spec: Description
  /** Fix the tree for data of this schema: `slots` contexts at this node. */
  lay(plan: Plan, slots: number): Node
  readonly types?: { readonly cells: Cells; readonly target: Target }
}

/** What a node needs to know while the tree is laid out. */
export interface Plan {
  column(name: string): { readonly column: Column; readonly place: number }
  /** The columns of steps that are being laid out, outermost first: none for rows of the data. */
  readonly steps: readonly string[]
  /** The plan of what models the steps in this column: columns and places are those of its nested blocks. */
  within(column: string): Plan
  /** Reserve room in the arrays of the whole model: statistics, parameters, spreads. Returns where it begins. */
  reserve(
    statistics: number,
    parameters: number,
    spreads?: number,
  ): { readonly statsAt: number; readonly paramsAt: number; readonly spreadAt: number }
  /** What takes a leaf's place in the tree: an explanation scales its scores. */
  standIn?(leaf: Leaf, names: readonly string[]): Leaf
  /** What scores the nodes of a product in fewer calls than one each; undefined or absent: nothing does. */
  fuse?(nodes: readonly Node[]): FusedUp | undefined
}

/** `up` of several nodes: out[p·rows + i] += Σ_nodes ln p(row i | context p). `works`: those of the nodes, the spent ones to begin with. */
export type FusedUp = (
  block: Block,
  params: Float64Array,
  out: Float64Array,
  works: Work[],
  upToConstant?: boolean,
) => void

/** Where the weights of a downward pass go: statistics, rows, or leaf scores. */
export interface Sink {
  /** `work`: what its score returned for the block, where an upward pass came before. */
  leaf(part: Part, block: Block, weights: Weights, work?: Work): void
  /**
   * Weights of the values that a part chooses: slot value·slots + p. `guessed`: some of them depended on θ. `entropy`: Σ w H(value | row), where the
   * weights are the switch's own.
   */
  choice(part: Part, block: Block, weights: Weights, guessed: boolean, entropy?: number): void
}

/** A switch that wants the values of its rows guessed. */
export interface Guess {
  readonly node: SwitchNode
  readonly block: Block
  readonly weights: Weights
  readonly label: Int32Array | undefined
  readonly dice: Dice
}

/** A sink that guesses. */
export interface GuessingSink extends Sink {
  /** values[(l·P + p)·rows + i], the weight of row i in value l of context p. */
  guess(asked: Guess): Float64Array
  /** As `leaf`, for a part in which something may hide: Leaf.start. */
  start(part: Part, block: Block, weights: Weights, dice: Dice, value?: number): void
}

/** The value a hidden switch took in a drawn row. */
export type Chosen = (column: string, level: Level) => void

/** A laid-out model. P = `slots` contexts; every matrix is P × rows, slots outer, rows inner. */
export interface Node {
  readonly slots: number
  /** Those it models; what it reads is not among them. */
  readonly columns: ReadonlySet<string>
  /**
   * out[p·rows + i] += ln p(row i | context p); `upToConstant`: what a row has in common for all contexts may be left out. Returns what `down` needs; `spent` is an
   * earlier one that may be overwritten.
   */
  up(block: Block, params: Float64Array, out: Float64Array, upToConstant?: boolean, spent?: Work): Work
  /** Hand the weights on: to the sink, and to the nodes below. `work`: what `up` returned for the same block, as it was then; none is needed where nothing is hidden. */
  down(block: Block, params: Float64Array, weights: Weights, sink: Sink, work?: Work): void
  /**
   * out[(l·P + p)·rows + i] = ln p(row i, column = l | context p), for every level l, where there are zeros; whatever the row says of the column
   * is ignored. `upToConstant`: what a row has in common for all levels and contexts may be left out. Returns a work, which
   * `pass` takes where the node is a switch over the column; `spent` is an earlier one that may be overwritten.
   */
  open(
    block: Block,
    params: Float64Array,
    column: string,
    out: Float64Array,
    upToConstant?: boolean,
    spent?: Work,
  ): Work
  /**
   * The best wrong value of a column in each row, where there are too many to `open` them: ȳ is the value other than the row's own, y, with the largest
   * margin(y, ȳ) + ln p(row, ȳ). The margin between two values is the given one, or for values of several steps that of each step in which they differ.
   * Absent, or undefined: the values can be enumerated.
   */
  rival?(block: Block, params: Float64Array, column: string, margin: number): Rival | undefined
  /** As `down`, with first guesses for what is hidden (k-means++ or dice) instead of responsibilities. */
  start(block: Block, params: Float64Array, weights: Weights, dice: Dice, sink: GuessingSink): void
  /** What owns parameters in this subtree, depth first, and what chooses. */
  parts(): Iterable<Part>
  switches(): Iterable<SwitchNode>
  /** stats += Σ_p mass[p] · E[s | θ, context p]: back from θ to η. */
  moments(params: Float64Array, mass: Float64Array, stats: Float64Array): void
  /**
   * Visit every part with the masses of its contexts, as far as these statistics tell: those of this node are given, those below a switch are its counts.
   * Undefined: no part counts these contexts (values of several parents, steps of nested rows). A part there goes by the mass it holds itself.
   */
  descend(
    stats: Float64Array,
    mass: Float64Array | undefined,
    visit: (part: Part, mass: Float64Array | undefined) => void,
  ): void
  /** The same, each with the names of its slots: the values of the switches above it. `names` are those of this node's contexts. */
  contexts(names: readonly string[]): Iterable<readonly [Part, readonly string[]]>
  describe(params: Float64Array, slot: number): Description
  /** The inverse of describe: stats += mass · E[s | description] for context `slot`. */
  adopt(description: Description, slot: number, mass: number, stats: Float64Array): void
  /** Draw everything the block's row 0 does not hold, in context `slot`, given what it holds; `chosen` hears of hidden switches. */
  sample(block: Block, params: Float64Array, slot: number, dice: Dice, chosen?: Chosen): void
}

/** What rows are set against; see Node.rival. */
export interface Rival {
  /** ȳ of each row, as cells of the column; missing where there is none. */
  readonly cells: Held
  /** margin(y, ȳ) − ( ln p(row, y) − ln p(row, ȳ) ): what the row loses, where it is above 0. 0 where there is no rival. */
  readonly shortfall: Float64Array
}

/**
 * A bound family with its place in the arrays of the whole model, and its columns: what learners, guards, transfer and saving go by. A leaf owns one, a switch
 * one for the probabilities of its values, a product none.
 */
export interface Part {
  readonly leaf: Leaf
  /** Of the family. */
  readonly family: string
  /** The columns it models. Of a switch the one it chooses by, which need not stand in the data. */
  readonly columns: readonly Column[]
  readonly names: readonly string[]
  /** Names of the columns it is modelled given, and these columns. */
  readonly reads: readonly string[]
  readonly given: readonly Column[]
  /** Where its columns, and then those it is given, stand in the blocks it gets; −1: nowhere. */
  readonly places: readonly number[]
  /** The columns of steps that it stands in, outermost first: its blocks are nested in those of the data. */
  readonly steps: readonly string[]
  /** Its values are chosen inside the tree and delivered as weights (Sink.choice), not read from cells: every row has one. */
  readonly isChoice: boolean
  /** How much of the rows each of its values holds that no cell shows: entry value·slots + p. Absent: it hides nothing. */
  hidden?(stats: Float64Array): Float64Array
  readonly slots: number
  readonly statistics: number
  readonly parameters: number
  readonly free: number
  readonly statsAt: number
  readonly paramsAt: number
  /** The part's own stretch of an array over the whole model. */
  statsOf(stats: Float64Array): Float64Array
  paramsOf(params: Float64Array): Float64Array
  spreadOf(spread: Float64Array): Float64Array
  /** As those of its leaf, over arrays of the whole model. */
  prior(stats: Float64Array, strength?: number, spread?: Float64Array, around?: Float64Array): void
  solve(stats: Float64Array, strength: number, params: Float64Array, spread?: Float64Array): number
  value(stats: Float64Array, params: Float64Array): number
  /** value(α, θ), α around the means of θ. */
  logPrior(params: Float64Array, spread: Float64Array): number
  moments(params: Float64Array, mass: Float64Array, stats: Float64Array): void
  mass(stats: Float64Array, slot: number): number
}

/** A node that chooses among bodies. Value l of context p is slot l·P + p below, and entry l·P + p of its part's statistics. */
export interface SwitchNode extends Node {
  readonly part: Part
  readonly column: string
  readonly hidden: boolean
  readonly levels: readonly Level[]
  /** `down` with the weights of the values given: slot l·P + p, signed under sdEM. `work`: what `open` of its column returned for the same block. */
  pass(block: Block, params: Float64Array, weights: Weights, sink: Sink, work: Work): void
  /** A starved value starts again at one row: its branch absorbs row 0 of the block with this weight. */
  seed(
    block: Block,
    params: Float64Array,
    slot: number,
    level: number,
    weight: number,
    dice: Dice,
    sink: GuessingSink,
  ): void
}

// ── learners ───────────────────────────────────────────────────────────────────────────────────────

/** One pass over the data at θ. */
export interface Sweep {
  /** Σ_i w_i E[s | row i], in counts, without the prior. */
  readonly stats: Float64Array
  /** Σ_i w_i ln p(row i | θ); undefined when nothing was hidden and no upward pass was needed: then it is value(stats, θ). */
  readonly logLikelihood: number | undefined
  /** Σ_i w_i H(hidden | row i): what ICL charges. */
  readonly entropy: number
  /** Did any weight depend on θ? If not, EM ends after one step. */
  readonly guessed: boolean
}

/**
 * What a row contributes to the statistics: with its target seen (+), and against that with the target hidden or with its
 * best wrong value (−). EM: +seen. Conditional likelihood: +seen −hidden. Hinge: +seen −rival, rows past the margin left out.
 */
export type Regime =
  | { readonly against: "nothing" }
  | ({ readonly against: "hidden" } & Contrasted)
  | ({ readonly against: "rival"; readonly margin: number } & Contrasted)

export interface Contrasted {
  readonly target: string
  /** Factors on the weight of rows, by level of the target. */
  readonly factors?: Float64Array | undefined
}

/** A model laid out on data, as learners see it. */
export interface Learnable {
  /** Total weight and number of rows. */
  readonly weight: number
  readonly rows: number
  /** Rows that one pass brings in batches: of an update, the new ones alone. */
  readonly passRows: number
  /** α at strength 1, before anything was seen. */
  readonly prior: Float64Array
  /** V: how far rows lie apart within slots, by these counts (Leaf.spread); `spreads` numbers. */
  readonly spreads: number
  spread(stats: Float64Array): Float64Array
  /** stats + strength·α, around the means of these statistics. */
  withPrior(stats: Float64Array, strength: number, spread?: Float64Array): Float64Array
  /** Do all leaves move entry by entry, from entries that begin with some inertia? Then few passes are enough. */
  readonly isSparse: boolean
  /** Statistics to begin with: first guesses for what is hidden, on a sample of the rows. */
  start(dice: Dice): Promise<Float64Array>
  /** Statistics of a described model, total mass 1. */
  adopt(description: Description): Float64Array
  /** Is nothing hidden? Then the weights do not depend on θ. */
  readonly certain: boolean
  /** Where nothing is hidden it needs no θ. */
  sweep(params?: Float64Array): Promise<Sweep>
  /** Rows that come as they come and cannot be read again; `ended` says, after the last batch, that no more will. */
  readonly stream?: { readonly ended: boolean } | undefined
  /** Rows in mini-batches, in an order the dice choose, or as they stand: one pass over the data; of a stream, what comes next. */
  batches(size: number, dice: Dice | undefined): AsyncIterable<Block>
  /** The target of discriminative learning: the column, or the model's label; throws where it cannot be one. */
  target(column: string | undefined, against: "hidden" | "rival"): Column
  /** The moments of these statistics, those of a state, or those of a model that has grown since, set in motion. */
  moving(from: Float64Array | MovingState | Grown, course: Course): Moving
  /**
   * ln p(target = l | rest of the row) at θ, of the rows whose target is seen; weights times the factors. Absent: the rows are not all there to be
   * asked, as in a stream or an update.
   */
  posteriors?(
    params: Float64Array,
    target: string,
    factors: Float64Array | undefined,
  ): Promise<{
    /** Rows × levels, up to what a row has in common. */
    readonly logs: Float64Array
    readonly levels: number
    readonly truth: Int32Array
    readonly weights: Float64Array
  }>
  /** Two parts of the rows, chosen by the dice: a share of them held out, and the rest. */
  holdOut(share: number, dice: Dice): Promise<{ readonly rest: Learnable; readonly heldOut: Learnable }>
  /** θ(stats + strength·α); without a spread by V(stats). */
  solve(
    stats: Float64Array,
    strength: number,
    spread?: Float64Array,
  ): { readonly params: Float64Array; readonly held: number }
  value(stats: Float64Array, params: Float64Array): number
  /** value(α, θ), α around the means of θ: the logarithm of the prior's density, up to a constant. */
  logPrior(params: Float64Array, spread: Float64Array): number
  /** How many values of hidden switches hold less than one row. */
  starved(stats: Float64Array): number
  /** The same statistics with every starved value put on the row that is explained worst; undefined if no row is left for any. */
  reseed(stats: Float64Array, params: Float64Array, dice: Dice): Promise<Float64Array | undefined>
}

/** How moments move. */
export interface Course {
  readonly regime: Regime
  /** λ: the weight of the plain log-likelihood mixed in. */
  readonly generative: number
  /** Strength of the prior, and the spread it goes by; without it V(n·η), anew at every step. */
  readonly prior: number
  readonly spread?: Float64Array | undefined
  /** What every entry starts with above what was counted, if not the leaf's own choice (Sparse.inertia). */
  readonly inertia?: number | undefined
}

/** Moments η (one row's worth: total mass 1) on their way, with θ(η) beside them. */
export interface Moving {
  /**
   * One step: the mean direction of the block's rows, times ρ, of which a short block is given its share. A block whose rows weigh more than others moves further. Bags of words, where `words` is given: the sum, each document
   * counting `words` documents.
   */
  step(
    block: Block,
    rho: number,
    words: number | undefined,
  ): { readonly loss: number; readonly weight: number; readonly guarded: number }
  /** Judges blocks by the loss of what `stats` hands out now. */
  judge(): (block: Block) => number
  /** Add the present moments to the averages. */
  average(): void
  /** Begin a new average; the one begun before goes on until the next call. */
  restart(): void
  /** Settle what waits. Call it between steps, always at the same ones: the bits depend on it. */
  settle(): void
  /** The older average, where there is one, or the moments themselves: in counts. */
  stats(): Float64Array
  state(): MovingState
}

/** All there is to know of moments between two steps, once settled. Arrays go by the statistics. */
export interface MovingState {
  readonly moments: Float64Array
  readonly averages: readonly { readonly mean: Float64Array; readonly steps: number }[]
  /** Rows met so far: all of them, and those that were set against something; absent: none. */
  readonly met?: { readonly all: Tally; readonly contrasted: Tally }
}

/** So many rows, of this weight together. */
export interface Tally {
  readonly rows: number
  readonly weight: number
}

/** Statistics of a model that has grown by values of a switch, in counts: slots that hold nothing begin at the prior. */
export interface Grown {
  readonly grown: Float64Array
  readonly met?: MovingState["met"]
}

/** What a learner yields: parameters are `solve(stats + prior·α)`. */
export interface LearnerStep {
  readonly iteration: number
  readonly run: number
  /** What the learner climbs: EM: log-likelihood + ln prior. */
  readonly objective: number
  readonly logLikelihood: number
  readonly entropy: number
  readonly change: number
  readonly rows: number
  /** Large ones may be made for who asks before the next step, and not kept. */
  readonly stats: Float64Array
  readonly prior: number
  /** The spread that prior and floors go by; without it V(stats). */
  readonly spread?: Float64Array | undefined
  /** θ(stats + prior·α), where the learner knows it and leaves it as it is: whoever makes a model of the step need not solve again. */
  readonly params?: Float64Array
  readonly diagnostics: readonly Diagnostic[]
  /** Posteriors of this column are given out at this temperature, p^(1/T), unless the caller calibrates the model otherwise. */
  readonly calibration?: { readonly target: string; readonly temperature: number }
  /** The iteration with which this run ends at the latest, where it goes by epochs. */
  readonly of?: number
  /** Set on the last step of a run. */
  readonly stopped?: "tolerance" | "maxIterations" | "counted" | "epochs" | "holdout" | "ended"
  /** With it `learn` goes on after this step as if it had never been interrupted. Ask before the next step is made. */
  state?(): LearnerState
}

/** Where a learner stands: plain numbers, and arrays that go by the statistics, but for `spread`. */
export interface LearnerState {
  readonly numbers: Readonly<Record<string, number>>
  readonly arrays: Readonly<Record<string, Float64Array>>
}

/**
 * λ: what a row in which a column is missing weighs beside those that have it (Nigam et al. 2000), where some have it.
 * Given for the column, or for the model's label; or chosen on labelled rows, by learners that `trial` makes.
 */
export type Unlabelled =
  | { readonly column?: string | undefined; readonly weight: number }
  | { readonly trial: (weight: number) => Learner }

export interface Learner {
  readonly name: string
  readonly options: Description
  /** How documents are scaled where the model leaves it open; absent: as they are. */
  readonly scaling?: TextOptions["scaling"]
  /**
   * Learns from rows that come once and may never end, after this many have come. Absent: it needs to read them again. The states of its
   * steps have `moments`; where the model grows, it gets them back as `grown`, in counts.
   */
  readonly warmup?: number
  /** It goes over the rows by `sweep` alone, after `start`: they may then live in other threads. Absent: it learns in one. */
  readonly sweeps?: true
  /** What rows weigh in which a column is missing; absent: as much as the others. */
  readonly unlabelled?: Unlabelled
  /** `from`: the state of an earlier step, after which it goes on. The dice are the same as then. */
  learn(problem: Learnable, dice: Dice, from?: LearnerState): AsyncGenerator<LearnerStep, void, void>
}

/** How the model came about. */
export interface Training {
  readonly learner: { readonly name: string; readonly options: Description }
  readonly seed: number
  /** Rows learned from, and their weight; a model that was specified and then updated weighs 1 itself. */
  readonly rows: number
  readonly weight: number
  readonly run: number
  readonly iterations: number
  /** What the learner climbed. EM: logLikelihood + ln prior; stochastic learners: minus the loss met during the last epoch. */
  readonly objective: number
  /**
   * Σ_i w_i ln p(row i | θ) over all rows. After an update the earlier rows are there as statistics only, which say the same where
   * nothing was hidden in them; else (`continued`) their part is the expected log-likelihood of rows and guesses together.
   * NaN where the learner never went over all rows with its last parameters.
   */
  readonly logLikelihood: number
  /** Σ_i w_i H(hidden | row i); after an update, of the rows it brought. */
  readonly entropy: number
  /** The objective after every step of this run. */
  readonly trace: readonly number[]
  readonly runs: readonly {
    readonly run: number
    readonly iterations: number
    readonly objective: number
    readonly stopped: string
    /** Ended with a parameter set held at the edge of its domain: chosen only where every run did. */
    readonly held?: true
  }[]
  /** Learning went on from statistics that are not counts: some of what they hold was guessed, or specified. */
  readonly continued?: true
  /** λ: what rows without a label weighed beside those with one, where there were both. */
  readonly unlabelled?: number
}

/** A warning as data. */
export interface Diagnostic {
  readonly code:
    | "constant-column"
    | "duplicate-column"
    | "leaking-column"
    | "mostly-missing-column"
    | "empty-column"
    | "empty-level"
    | "held-at-floor"
    | "guarded-steps"
    | "starved-component"
    | "unseen-level"
    | "not-converged"
    | "calibration-dropped"
    | "unlabelled-rows"
  readonly column?: string
  readonly message: string
}
