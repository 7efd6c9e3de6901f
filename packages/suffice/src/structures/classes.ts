/**
 * `classes(column, body)`: a switch whose value is a column, seen, soft or missing.
 * `mixture(k, body)`: the same switch over a column that is never seen.
 */

import type { Level } from "../contract/cells.ts"
import type { Need, Use } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import type { Description, Json } from "../contract/report.ts"
import { list, refuseUnknown, SufficeError, show, wrongOption } from "../errors.ts"
import { LEVELS, levelLeaf } from "../families/level-leaf.ts"
import { declaredLevels, oneOf, pseudoRows } from "../families/options.ts"
import type { LevelsPrior } from "../families/priors.ts"
import { checkBodies, checkNames, intervenable, sharedUses } from "./bodies.ts"
import type { BodyOf, Hiding, Labelled, LevelsOf, TargetOf } from "./columns.ts"
import { enoughRows } from "./component-count.ts"
import { hiddenName } from "./hidden-name.ts"
import { isFamily } from "./leaf.ts"
import { layPart } from "./part.ts"
import { laySwitch } from "./switch.ts"

export interface ClassesOptions<L extends Level = Level> {
  /** All levels, if the data may not contain each of them. By default they are discovered. */
  readonly levels?: readonly L[]
  /** Pseudo-rows per level in p(level) at prior strength 1. By default 0: the sources do not smooth it; for bayes(), which needs a prior, 1. */
  readonly prior?: number | LevelsPrior
}

export function classes<
  const Name extends string,
  Bodies extends Model | Readonly<Record<string, Model>>,
  const L extends Level = LevelsOf<Bodies>,
>(
  column: Name,
  body: Bodies,
  options: ClassesOptions<L> = {},
): Model<Labelled<Name, L, BodyOf<Bodies>>, Name> {
  refuseUnknown("classes", options, ["levels", "prior"])
  return byLabel(column, body, options)
}

function byLabel<L extends Level>(
  column: string,
  body: Model | Readonly<Record<string, Model>>,
  { levels, prior }: ClassesOptions<L>,
): Model<never, never> {
  if (typeof column !== "string") {
    throw new SufficeError(
      "model",
      `classes: the label is ${show(column)}. It is the name of a column. Write for example classes("species", body).`,
    )
  }
  const several =
    typeof body === "object" && body !== null && typeof (body as Model).lay !== "function" && !isFamily(body)
  const names = several ? Object.keys(body) : undefined
  const bodies = (several ? Object.values(body) : [body]) as Model[]
  const declared =
    levels === undefined
      ? (names as readonly L[] | undefined)
      : declaredLevels("classes", `levels of ${show(column)}`, levels)
  checkBodies(`classes(${show(column)})`, bodies, names)
  if (names && levels && !isSameSet(names, levels.map(String))) {
    throw new SufficeError(
      "model",
      `classes: ${show(column)} has bodies for ${list(names)} but levels ${list(levels)}. Each level needs a body of its own. Name the same levels in both.`,
      { column },
    )
  }
  if (bodies[0].uses.some(use => use.column === column)) {
    throw new SufficeError(
      "model",
      `classes: the label ${show(column)} is also a feature of the body. A label that explains itself teaches nothing. Leave it out of the body.`,
      { column },
    )
  }
  const label: Use = {
    column,
    need: labelNeed(declared, bodies.length > 1),
    measure: "mass",
    group: column,
    role: "label",
  }
  // bodies in the order of the levels, whatever the order of the keys
  const ordered = names && levels ? levels.map(level => bodies[names.indexOf(String(level))]) : bodies
  return switchModel("classes", column, ordered, [label, ...sharedUses("classes", bodies)], column, {
    levels: declared,
    prior: prior === undefined ? undefined : checkedPrior("classes", prior),
    byLevel: several,
  })
}

function isSameSet(names: readonly string[], others: readonly string[]): boolean {
  const all = new Set(names)
  return all.size === others.length && others.every(other => all.has(other))
}

/** The keys of bodies are text, whatever the type of the label's cells. */
function labelNeed(levels: readonly Level[] | undefined, byKey: boolean): Need {
  if (!levels) return { kind: "level" }
  const named = byKey && levels.every(level => typeof level === "string")
  return named ? { kind: "level", levels, named } : { kind: "level", levels }
}

/** More would be a mistake, and exhaust memory before any other check. */
const MOST_COMPONENTS = 1e6

export interface MixtureOptions<Name extends string = string> {
  /** A name for the component, by which it can be asked for like a column. */
  readonly name?: Name
  /** Pseudo-rows per component in its weight at prior strength 1. */
  readonly prior?: number
  /** What bayes() believes of the weights: a Dirichlet (the default), or "sticks", a Dirichlet process that ends with the last component. */
  readonly weights?: "dirichlet" | "sticks"
  /** Of the Dirichlet process: the smaller, the fewer components are expected. */
  readonly concentration?: number
}

export function mixture<Body extends Model, const Name extends string = never>(
  components: number | readonly Body[],
  body?: Body,
  options: MixtureOptions<Name> = {},
): Model<Hiding<Name, Body>, TargetOf<Body>> {
  refuseUnknown("mixture", options, ["name", "prior", "weights", "concentration"])
  return hiddenSwitch(components, body, options)
}

function hiddenSwitch(
  components: number | readonly Model[],
  body: Model | undefined,
  { name, prior = 1, weights = "dirichlet", concentration }: MixtureOptions,
): Model<never, never> {
  const count = Array.isArray(components) ? components.length : (components as number)
  const bodies = (Array.isArray(components) ? components : [body]) as Model[]
  if (!Number.isSafeInteger(count) || count < 1 || count > MOST_COMPONENTS) {
    throw new SufficeError(
      "option",
      `mixture: the components are ${show(components)}. It takes a whole number from 1 to ${MOST_COMPONENTS}, or a list of bodies. Write for example mixture(3, body).`,
      { components },
    )
  }
  if (Array.isArray(components) && body !== undefined) {
    throw new SufficeError(
      "model",
      "mixture: a list of bodies is followed by another body. The list says everything. Write mixture([a, b], undefined, options), or mixture(2, body, options).",
    )
  }
  if (name !== undefined && typeof name !== "string") {
    throw wrongOption(
      "mixture",
      "name",
      name,
      "It is text, to ask for the component by. Leave it out for a mixture without a name.",
    )
  }
  checkBodies("mixture", bodies)
  const uses = sharedUses("mixture", bodies)
  if (name !== undefined && uses.some(use => use.column === name)) {
    throw new SufficeError(
      "model",
      `mixture: the name ${show(name)} is also a column of the body. The component needs a name of its own. Choose another.`,
      { column: name },
    )
  }
  const levels = Array.from({ length: count }, (_, l) => l)
  const called = name ?? hiddenName(uses.filter(use => use.role !== "read").map(use => use.column))
  const hidden: Use[] =
    name === undefined
      ? []
      : [{ column: name, need: { kind: "level", levels }, measure: "mass", group: name, role: "hidden" }]
  return switchModel("mixture", called, bodies, [...hidden, ...uses], bodies[0].target, {
    levels,
    prior: checkedPrior("mixture", prior),
    byLevel: bodies.length > 1,
    name,
    sticks: brokenSticks(weights, concentration),
  })
}

/** A number of pseudo-rows, or a prior in the units of the data, as it was given. */
function checkedPrior<P extends number | LevelsPrior>(kind: string, prior: P): P {
  pseudoRows(kind, prior)
  return prior
}

function brokenSticks(
  weights: "dirichlet" | "sticks",
  concentration: number | undefined,
): SwitchOptions["sticks"] {
  const isSticks = oneOf("mixture", "weights", weights, ["dirichlet", "sticks"]) === "sticks"
  if (concentration === undefined) return isSticks ? { concentration: 1 } : undefined
  if (isSticks && Number.isFinite(concentration) && concentration > 0) return { concentration }
  throw wrongOption(
    "mixture",
    "concentration",
    concentration,
    isSticks
      ? "It must be a finite number above 0: with none there is no prior. Give for example 1."
      : 'It belongs to weights: "sticks". Name them, or give prior, the pseudo-rows of each component.',
  )
}

interface SwitchOptions {
  readonly levels: readonly Level[] | undefined
  /** Absent: 0, or 1 for a posterior. */
  readonly prior: number | LevelsPrior | undefined
  readonly byLevel: boolean
  readonly name?: string | undefined
  readonly sticks?: { readonly concentration: number } | undefined
}

function switchModel(
  kind: "classes" | "mixture",
  column: string,
  bodies: readonly Model[],
  uses: readonly Use[],
  target: string | undefined,
  { levels, prior: believed, byLevel, name, sticks }: SwitchOptions,
): Model<never, never> {
  checkNames(kind, uses)
  const weights: Description = sticks ? { weights: "sticks", concentration: sticks.concentration } : {}
  const spec: Description = {
    kind,
    ...(kind === "classes"
      ? { column, ...(levels && { levels }) }
      : { ...(name !== undefined && { name }), components: levels!.length }),
    ...(believed !== undefined && { prior: believed as Json }),
    ...weights,
    bodies: bodies.map(body => body.spec),
  }
  return {
    kind,
    uses,
    target,
    spec,
    ...intervenable(bodies, changed =>
      switchModel(kind, column, changed, uses, target, { levels, prior: believed, byLevel, name, sticks }),
    ),
    lay(plan, slots) {
      const found = kind === "classes" ? plan.column(column) : undefined
      const values = found?.column.kind === "level" ? found.column.levels : (levels ?? [])
      // before the bodies, so that a model that is too large is refused before they are made
      const chosen = { kind: "level", name: column, levels: values } as const
      const places = [found?.place ?? -1]
      const plain = levelLeaf(chosen, places[0], slots, pseudoRows(kind, believed ?? 0))
      const own = { family: LEVELS, columns: [chosen], places }
      const options = { prior: (believed ?? 1) as Json, ...weights }
      const leaf = plan.believe?.(plain, { ...own, isChoice: true, maker: kind, given: [], options }) ?? plain
      if (!found) plan.notice?.(enoughRows)
      const part = layPart(plan, leaf, { ...own, role: found ? "choice" : "hidden" })
      const laid = byLevel
        ? values.map(value => bodies[indexOfLevel(column, levels, value)].lay(plan, slots))
        : [bodies[0].lay(plan, slots * values.length)]
      return laySwitch({
        part,
        column,
        place: found?.place ?? -1,
        levels: values,
        bodies: laid,
      })
    },
  }
}

function indexOfLevel(column: string, levels: readonly Level[] = [], value: Level): number {
  const index = levels.findIndex(level => String(level) === String(value))
  if (index >= 0) return index
  throw new SufficeError(
    "model",
    `classes: one body of ${show(column)} is missing: the levels ${list(levels)} have one, ${show(value)} has none. Each level needs a body of its own. Name the same levels wherever ${show(column)} stands.`,
    { column, level: value },
  )
}
