/**
 * The models the laws are tried on: every family alone and under a label, and the ways in which structures nest.
 * Long because it lists many models.
 */
import {
  before,
  bernoulli,
  beta,
  type Cell,
  categorical,
  chain,
  classes,
  normal as correlated,
  type Dice,
  type Family,
  type FamilyKind,
  gamma,
  gaussian,
  given,
  hidden,
  independent,
  linear,
  type Model,
  mixture,
  multinomial,
  network,
  plate,
  poisson,
  topics,
  wordSet,
} from "suffice"
import type { Use } from "suffice/contract"
import type { LooseRow } from "./api.ts"

export type Keep = (column: string) => boolean

export interface ModelSpecimen {
  readonly name: string
  /** The model on the columns to keep (and its labels). */
  build(keep: Keep): Model
  /** A row with every cell of the model. */
  row(dice: Dice): LooseRow
  /** Columns that the model can do without. */
  readonly drops: readonly string[]
  /** Custom families, for loading the model again. */
  readonly families?: readonly FamilyKind[]
  /** For `classes(label, body)`: the body, so that the same model can be made without labels. */
  readonly under?: { readonly label: string; body(keep: Keep): Model }
}

export const everything: Keep = () => true

/** The model of a specimen on all its columns. */
export function modelOf(specimen: ModelSpecimen): Model {
  return specimen.build(everything)
}

/** Columns by what they hold. */
export function columnsOf(model: Model, kind: Use["need"]["kind"], role: Use["role"] = "cell"): string[] {
  return model.uses.filter(use => use.role === role && use.need.kind === kind).map(use => use.column)
}

/** Do rows, or their steps, hold such a column? */
export function holds(model: Model, kind: Use["need"]["kind"]): boolean {
  const visit = (uses: readonly Use[]): boolean =>
    uses.some(({ need }) => need.kind === kind || (need.kind === "steps" && visit(need.uses)))
  return visit(model.uses)
}

/** Everything of a row but its labels. */
export function featuresOf(model: Model): string[] {
  return model.uses.filter(use => use.role === "cell" || use.role === "read").map(use => use.column)
}

/** Columns that others are modelled given. */
export function readsOf(model: Model): string[] {
  return [...new Set(model.uses.flatMap(use => use.reads ?? []))]
}

/** Features that may be missing, or the target, whatever else the row holds. */
export function holesOf(model: Model): string[] {
  const reads = readsOf(model)
  return featuresOf(model).filter(column => !reads.includes(column))
}

/** The cells of a row that the model only reads: no row can be drawn without them. */
export function givenBy(model: Model, row: LooseRow): LooseRow {
  const read = model.uses.filter(use => use.role === "read")
  return Object.fromEntries(read.map(({ column }) => [column, row[column]]))
}

export function labelsOf(model: Model): string[] {
  return columnsOf(model, "level", "label")
}

/** Does the model scale documents? Then their score is not a density. */
export function isScaled(model: Model): boolean {
  return model.uses.some(({ need }) => {
    const scaling = need.kind === "bag" ? need.text.scaling : undefined
    return scaling !== undefined && scaling !== "raw"
  })
}

/** Does something hide inside a leaf (topics)? Its score is a maximum over it, not a density. */
export function hidesInside(model: Model): boolean {
  const visit = (spec: unknown): boolean =>
    typeof spec === "object" &&
    spec !== null &&
    ((spec as { family?: unknown }).family === "topics" || Object.values(spec).some(visit))
  return visit(model.spec)
}

/** Is something hidden anywhere in the tree, or inside a leaf? */
export function isHidden(model: Model): boolean {
  return isMixture(model) || hidesInside(model)
}

/** Is there a mixture, a chain of hidden states or a hidden column anywhere in the tree? */
export function isMixture(model: Model): boolean {
  const visit = (spec: unknown): boolean => {
    if (typeof spec !== "object" || spec === null) return false
    const { components = 1, states = 1, hidden = 1 } = spec as Partial<Record<string, number>>
    return components > 1 || states > 1 || hidden > 1 || Object.values(spec).some(visit)
  }
  return visit(model.spec)
}

/** Is there a network anywhere in the tree? */
export function hasNetwork(model: Model): boolean {
  return networksIn(model.spec).length > 0
}

/** Does a number of a network depend on another? */
export function hasLines(model: Model): boolean {
  return networksIn(model.spec).some(nodes => {
    const numbers = nodes.flatMap(({ name, family }) => (family === "gaussian" ? [name] : []))
    return nodes.some(({ parents }) =>
      parents.some(parent => typeof parent === "string" && numbers.includes(parent)),
    )
  })
}

interface NodeSpec {
  readonly name: string
  readonly parents: readonly (string | { readonly before: string })[]
  readonly family?: string
}

function networksIn(spec: unknown): (readonly NodeSpec[])[] {
  if (typeof spec !== "object" || spec === null) return []
  const { kind, nodes } = spec as { kind?: unknown; nodes?: readonly NodeSpec[] }
  return (kind === "network" || kind === "dynamicNetwork") && nodes
    ? [nodes]
    : Object.values(spec).flatMap(networksIn)
}

/** Options of every leaf of the tree. */
export function leafOptions(spec: unknown): { covariance?: unknown }[] {
  if (typeof spec !== "object" || spec === null) return []
  const { family, options } = spec as { family?: unknown; options?: { covariance?: unknown } }
  return [...(family && options ? [options] : []), ...Object.values(spec).flatMap(leafOptions)]
}

/** Columns of every leaf of the tree. */
export function leafColumns(spec: unknown): (readonly string[])[] {
  if (typeof spec !== "object" || spec === null) return []
  const { kind, columns } = spec as { kind?: unknown; columns?: readonly string[] }
  return kind === "leaf" && columns ? [columns] : Object.values(spec).flatMap(leafColumns)
}

// ── the world the rows come from ───────────────────────────────────────────────────────────────────

const ANIMALS = ["ant", "bee", "cow"]
const COLOURS = ["blue", "green", "red"]
const SIZES = ["high", "low", "mid"]
const WORDS = ["sun", "moon", "rain", "wind", "snow", "fog"]

/** One row with every column of the world: three classes, two hidden causes, numbers on very different scales. */
function worldRow(dice: Dice): Record<string, Cell> {
  const y = dice.categorical(Float64Array.of(0.4, 0.35, 0.25), 0, 3)
  const h = dice.integer(2)
  const g = dice.integer(2)
  const x1 = 1.7 * y + dice.normal()
  const pick = (items: readonly string[], favourite: number): string =>
    dice.uniform() < 0.55 ? items[favourite % items.length] : items[dice.integer(items.length)]
  return {
    animal: ANIMALS[y],
    digit: y + 1,
    truth: y === 2,
    place: dice.uniform() < 0.3 + 0.2 * y ? "north" : "south",
    x1,
    x2: 400 + 30 * (3 * h - 0.6 * y + 0.8 * dice.normal()),
    x3: 0.01 * (0.7 * x1 + 3 * g + 0.6 * dice.normal()),
    colour: pick(COLOURS, y + h),
    size: pick(SIZES, h + 2 * g),
    flag: dice.uniform() < 0.2 + 0.3 * y,
    text: Array.from({ length: 1 + dice.integer(5) }, () =>
      dice.uniform() < 0.5 ? WORDS[2 * y] : WORDS[dice.integer(6)],
    ),
    visits: dice.fork(1).poisson(2 + 9 * h),
    amount: 20 * (1 + 4 * h) * dice.fork(2).gamma(3),
    portion: dice.fork(3).beta(2 + 6 * h, 4),
    steps: Array.from({ length: 1 + dice.fork(4).integer(4) }, (_, t) => {
      const own = dice.fork(5 + t)
      return { gap: 1.4 * y + own.normal(), turn: SIZES[own.uniform() < 0.5 ? y : own.integer(3)] }
    }),
  }
}

function only(columns: readonly string[]): (dice: Dice) => LooseRow {
  return dice => {
    const row = worldRow(dice)
    return Object.fromEntries(columns.map(column => [column, row[column]]))
  }
}

function product(families: Readonly<Record<string, Family>>): (keep: Keep) => Model {
  return keep =>
    independent(Object.fromEntries(Object.entries(families).filter(([column]) => keep(column)))) as Model
}

type Shape = "full" | "tied" | "diag" | "spherical" | "identity"

function normal(columns: readonly string[], covariance: Shape): (keep: Keep) => Model {
  return keep => correlated(columns.filter(keep), { covariance }) as unknown as Model
}

function specimen(
  name: string,
  build: (keep: Keep) => Model,
  drops?: readonly string[],
  under?: ModelSpecimen["under"],
): ModelSpecimen {
  const model = build(everything)
  const features = featuresOf(model)
  return {
    name,
    build,
    row: only([...labelsOf(model), ...features]),
    drops: drops ?? (features.length > 1 ? features : []),
    ...(under && { under }),
  }
}

function labelled(name: string, body: (keep: Keep) => Model, label = "animal"): ModelSpecimen {
  return specimen(name, keep => classes(label, body(keep)) as unknown as Model, undefined, { label, body })
}

/** x3 given x1, or given x1 and x2. */
function regression(on: readonly string[]): () => Model {
  return () => loose(linear("x3", on))
}

const mixed = product({
  x1: gaussian(),
  x2: gaussian({ variance: "tied" }),
  colour: categorical(),
  flag: bernoulli(),
  text: multinomial(),
})
const numbers = product({ x1: gaussian(), x2: gaussian(), x3: gaussian() })
const levels = product({ colour: categorical(), size: categorical(), flag: bernoulli() })

const loose = (model: unknown): Model => model as Model

/** Steps with a number and a level. */
function stepBody(): Model {
  return loose(independent({ gap: gaussian(), turn: categorical() }))
}

function steps(column = "steps"): () => Model {
  return () => loose(plate(column, stepBody()))
}

/** Two parents, and a chain of them. */
function levelNetwork() {
  return network({
    flag: given(["colour", "size"], bernoulli()),
    size: given(["colour"], categorical()),
    colour: categorical(),
    place: given(["flag"], categorical()),
  })
}

/** A level above levels, a number and a count. */
function mixedNetwork() {
  return network({
    size: categorical(),
    colour: given(["size"], categorical()),
    x1: given(["colour"], gaussian()),
    visits: given(["size"], poisson()),
  })
}

function lineNetwork() {
  return network({ x1: gaussian(), x3: given(["x1"], gaussian()), x2: given(["x3"], gaussian()) })
}

/** Lines on lines, in the levels of one column. */
function numberNetwork() {
  return network({
    x3: given(["size", "x1"], gaussian()),
    size: categorical(),
    x1: given(["size"], gaussian()),
    x2: given(["x3", "x1"], gaussian()),
  })
}

function hiddenNetwork() {
  return network({
    cause: hidden(2),
    size: given(["cause"], categorical()),
    colour: given(["cause", "size"], categorical()),
    x2: given(["cause"], gaussian()),
  })
}

/** A level that depends on itself a step before, and a number. */
function seenTemplate() {
  return network(
    { turn: given([before("turn")], categorical()), gap: given(["turn"], gaussian()) },
    { steps: "steps" },
  )
}

/** Two hidden columns, one of them a parent of the other a step later. */
function hiddenTemplate() {
  return network(
    {
      mood: given([before("mood")], hidden(2)),
      force: given([before("force"), before("mood")], hidden(2)),
      turn: given(["mood"], categorical()),
      gap: given(["mood", "force"], gaussian()),
    },
    { steps: "steps" },
  )
}

/** How structures nest. */
export const nested: readonly ModelSpecimen[] = [
  specimen("regression", regression(["x1", "x2"]), []),
  {
    ...labelled("regression in each class", keep =>
      loose(independent(product({ colour: categorical(), flag: bernoulli() })(keep), regression(["x1"])())),
    ),
    drops: ["colour", "flag"],
  },
  specimen("mixture of regressions", () => loose(mixture(2, regression(["x1"])())), []),
  specimen(
    "mixture of experts",
    () => loose(mixture(2, independent(correlated(["x1"]), regression(["x1"])()))),
    [],
  ),
  specimen(
    "a regression after a mixture",
    keep =>
      loose(
        independent(
          regression(["x1", "x2"])(),
          mixture(2, independent(normal(["x1", "x2"], "full")(keep), product({ size: categorical() })(keep))),
        ),
      ),
    [],
  ),
  labelled("naive Bayes, gaussians", numbers),
  labelled(
    "naive Bayes, tied gaussians",
    product({ x1: gaussian({ variance: "tied" }), x2: gaussian({ variance: "tied" }) }),
  ),
  labelled("naive Bayes, levels", levels),
  labelled("naive Bayes, mixed", mixed),
  labelled("naive Bayes, words", product({ text: wordSet(), x1: gaussian() })),
  labelled("naive Bayes, numbers as labels", product({ x1: gaussian(), colour: categorical() }), "digit"),
  labelled("naive Bayes, booleans as labels", product({ x1: gaussian(), colour: categorical() }), "truth"),
  specimen("normal, full", normal(["x1", "x2", "x3"], "full")),
  specimen("normal, tied", normal(["x1", "x3"], "tied")),
  specimen("normal, diag", normal(["x1", "x2", "x3"], "diag")),
  specimen("normal, spherical", normal(["x1", "x2"], "spherical")),
  specimen("normal, identity", normal(["x1", "x3"], "identity")),
  labelled("quadratic discriminant", normal(["x1", "x2", "x3"], "full")),
  labelled("linear discriminant", normal(["x1", "x2", "x3"], "tied")),
  labelled("diagonal discriminant", normal(["x1", "x3"], "diag")),
  specimen("mixture of normals", keep => loose(mixture(2, normal(["x1", "x2"], "full")(keep)))),
  specimen("mixture of tied normals", keep => loose(mixture(2, normal(["x1", "x2"], "tied")(keep)))),
  specimen("soft k-means", keep => loose(mixture(3, normal(["x1", "x3"], "identity")(keep)))),
  specimen("mixture of spheres", keep => loose(mixture(2, normal(["x1", "x3"], "spherical")(keep)))),
  specimen("latent classes", keep => loose(mixture(2, levels(keep)))),
  specimen("mixture of counts", keep =>
    loose(mixture(2, product({ visits: poisson(), x2: gaussian() })(keep))),
  ),
  specimen("mixture of amounts", keep =>
    loose(mixture(2, product({ amount: gamma(), portion: beta() })(keep))),
  ),
  specimen("mixture of mixed columns", keep => loose(mixture(2, mixed(keep)))),
  labelled("mixture inside classes", keep =>
    loose(mixture(2, product({ x2: gaussian(), x3: gaussian(), size: categorical() })(keep))),
  ),
  labelled("mixture discriminant", keep => loose(mixture(2, normal(["x2", "x3"], "full")(keep)))),
  specimen("classes inside a mixture", keep =>
    loose(mixture(2, loose(classes("animal", product({ x2: gaussian(), colour: categorical() })(keep))))),
  ),
  specimen(
    "independent mixtures",
    keep =>
      loose(
        independent(
          mixture(2, product({ x2: gaussian(), size: categorical() })(keep)),
          mixture(2, product({ x1: gaussian(), x3: gaussian() })(keep)),
        ),
      ),
    ["size", "x1", "x3"],
  ),
  specimen("mixture inside a mixture", keep =>
    loose(mixture(2, loose(mixture(2, product({ x2: gaussian(), x3: gaussian() })(keep))))),
  ),
  specimen("a body for each class", keep =>
    loose(
      classes("animal", {
        ant: product({ x1: gaussian(), x2: gaussian() })(keep),
        bee: normal(["x1", "x2"], "full")(keep),
        cow: loose(mixture(2, product({ x1: gaussian(), x2: gaussian() })(keep))),
      }),
    ),
  ),
  specimen("a body for each component", keep =>
    loose(mixture([product({ x1: gaussian(), x2: gaussian() })(keep), normal(["x1", "x2"], "full")(keep)])),
  ),
  specimen("classes inside classes", keep =>
    loose(
      classes("animal", loose(classes("place", product({ x1: gaussian(), colour: categorical() })(keep)))),
    ),
  ),
  specimen("plate", steps()),
  labelled("plate in each class", keep =>
    loose(independent(product({ x1: gaussian(), colour: categorical() })(keep), steps()())),
  ),
  specimen("plate in a mixture", () => loose(mixture(2, steps()()))),
  labelled("plate of mixtures", () =>
    loose(plate("steps", mixture(2, independent({ gap: gaussian(), turn: categorical() })))),
  ),
  specimen("hidden Markov model", () => loose(chain(2, stepBody()))),
  {
    ...labelled("hidden Markov model in each class", keep =>
      loose(
        independent(
          product({ x1: gaussian(), colour: categorical() })(keep),
          chain(2, stepBody(), { ends: true, transitions: "left-right" }),
        ),
      ),
    ),
    drops: ["x1", "colour"],
  },
  specimen("mixture of chains", () => loose(mixture(2, chain(2, stepBody(), { initial: "equal" })))),
  specimen("chain of mixtures", () =>
    loose(chain([loose(mixture(2, stepBody())), stepBody()], undefined, { transitions: "cyclic" })),
  ),
  specimen("tagger", () => loose(chain("turn", independent({ gap: gaussian() }), { ends: true }))),
  {
    ...labelled("tagger in each class", keep =>
      loose(
        independent(
          product({ x1: gaussian() })(keep),
          chain("turn", independent({ gap: gaussian() }) as Model, { levels: SIZES }),
        ),
      ),
    ),
    drops: [],
  },
  {
    ...labelled("topics in each class", keep =>
      loose(independent(product({ x1: gaussian(), colour: categorical() })(keep), topics(2, "text"))),
    ),
    drops: ["x1", "colour"],
  },
  labelled("shared topics", () => loose(topics(0, "text", { shared: 3 }))),
  {
    ...labelled("own and shared topics", () =>
      loose(independent({ x1: gaussian() }, topics(1, "text", { shared: 2 }))),
    ),
    drops: [],
  },
  {
    ...specimen("mixture of topics", keep =>
      loose(
        mixture(2, independent(product({ x2: gaussian(), size: categorical() })(keep), topics(2, "text"))),
      ),
    ),
    drops: ["x2", "size"],
  },
  {
    ...specimen("network of levels", () => loose(levelNetwork())),
    drops: [],
  },
  { ...labelled("network in each class", () => loose(mixedNetwork())), drops: [] },
  { ...specimen("mixture of networks", () => loose(mixture(2, mixedNetwork()))), drops: [] },
  { ...specimen("network with a hidden column", () => loose(hiddenNetwork())), drops: [] },
  { ...specimen("network of numbers", () => loose(numberNetwork())), drops: [] },
  { ...labelled("network of lines in each class", () => loose(lineNetwork())), drops: [] },
  { ...specimen("network over steps", () => loose(seenTemplate())), drops: [] },
  { ...specimen("network over steps with hidden columns", () => loose(hiddenTemplate())), drops: [] },
  {
    ...labelled("network over steps in each class", keep =>
      loose(independent(product({ x1: gaussian() })(keep), seenTemplate())),
    ),
    drops: [],
  },
  { ...specimen("mixture of networks over steps", () => loose(mixture(2, seenTemplate()))), drops: [] },
  specimen("named mixtures", keep =>
    loose(
      classes(
        "animal",
        loose(
          mixture(
            2,
            loose(mixture(2, product({ x2: gaussian(), colour: categorical() })(keep), { name: "inner" })),
            {
              name: "outer",
            },
          ),
        ),
      ),
    ),
  ),
]

/** A family on one column: alone, and under a label. */
export function modelsOf(kind: FamilyKind): ModelSpecimen[] {
  return kind.specimens.flatMap(({ options, cell }): ModelSpecimen[] => {
    const name = nameOf(kind, options)
    const family = kind.make(options)
    const alone = (): Model => loose(independent({ value: family }))
    return [
      {
        name: `${name} alone`,
        build: alone,
        row: dice => familyRow(family, cell, dice),
        drops: [],
        families: [kind],
      },
      {
        name: `naive Bayes of ${name}`,
        build: () => loose(classes("animal", alone())),
        row: dice => ({ animal: ANIMALS[dice.integer(3)], ...familyRow(family, cell, dice) }),
        drops: [],
        families: [kind],
        under: { label: "animal", body: alone },
      },
    ]
  })
}

/** A cell of the family under "value", and the cells that it reads. */
export function familyRow(
  { reads = [] }: Family,
  cell: FamilyKind["specimens"][number]["cell"],
  dice: Dice,
): LooseRow {
  const read = reads.map((_, j) => 40 * j + (1 + 2 * j) * dice.normal())
  return { value: cell(dice, read), ...Object.fromEntries(reads.map((name, j) => [name, read[j]])) }
}

export function nameOf(kind: FamilyKind, options: object): string {
  const chosen = Object.entries(options).map(([option, value]) => `${option}: ${JSON.stringify(value)}`)
  return chosen.length > 0 ? `${kind.name} { ${chosen.join(", ")} }` : kind.name
}
