/**
 * Every structure that loading knows, by kind: how a `spec` from a file becomes a model again. Everything in it is checked.
 * A new structure adds one entry here, and one in walk.ts.
 */
import type { Description, FamilyKind, Given, Model } from "../contract.ts"
import { list, SufficeError, show } from "../errors.ts"
import { fieldsAt, finiteAt, isRecord, levelsAt, listAt, misshapen, namesAt, textAt } from "../shape.ts"
import { classes, mixture } from "./classes.ts"
import { independent } from "./independent.ts"
import { leafModel } from "./leaf.ts"

export interface Revival extends Given {
  /** The families a spec may name. */
  readonly families: ReadonlyMap<string, FamilyKind>
  /** No switch has more values than the file has statistics. */
  readonly most: number
}

type Reviver = (spec: unknown, revival: Revival, path: string) => Model

const leaf: Reviver = (spec, revival, path) => {
  const { columns, family, options } = fieldsAt(spec, path, ["kind", "columns", "family", "options"])
  const names = namesAt(columns, `${path}.columns`)
  if (names.length === 0) throw misshapen(`${path}.columns`, columns, "at least one column")
  const name = textAt(family, `${path}.family`)
  const kind = revival.families.get(name)
  if (!kind) {
    throw new SufficeError(
      "saved",
      `the model file uses the family ${show(name)} at ${path}.family, which is not known here: ${list(revival.families.keys(), 20)} are. A file names families, it does not bring them along. Pass its kind: load(json, { families: [ … ] }).`,
      { path: `${path}.family`, family: name },
    )
  }
  if (!isRecord(options)) throw misshapen(`${path}.options`, options, "an object")
  return within(`${path}.options`, () => leafModel(kind.make(options as Description, revival), names))
}

const product: Reviver = (spec, revival, path) => {
  const { parts } = fieldsAt(spec, path, ["kind", "parts"])
  const models = listAt(parts, `${path}.parts`, (part, place) => reviveModel(part, revival, place))
  return within(path, () => independent(...models))
}

const seenSwitch: Reviver = (spec, revival, path) => {
  const fields = fieldsAt(spec, path, ["kind", "column", "prior", "bodies"], ["levels"])
  const column = textAt(fields.column, `${path}.column`)
  const prior = finiteAt(fields.prior, `${path}.prior`)
  const levels = fields.levels === undefined ? undefined : levelsAt(fields.levels, `${path}.levels`)
  const bodies = bodiesAt(fields.bodies, revival, path, levels?.length)
  const body =
    bodies.length === 1
      ? bodies[0]
      : Object.fromEntries(levels!.map((level, l) => [String(level), bodies[l]]))
  return within(path, () => classes(column, body, { prior, ...(levels && { levels }) }))
}

const hiddenSwitch: Reviver = (spec, revival, path) => {
  const fields = fieldsAt(spec, path, ["kind", "components", "prior", "bodies"], ["name"])
  const components = componentsAt(fields.components, revival, `${path}.components`)
  const prior = finiteAt(fields.prior, `${path}.prior`)
  const options = fields.name === undefined ? { prior } : { name: textAt(fields.name, `${path}.name`), prior }
  const bodies = bodiesAt(fields.bodies, revival, path, components)
  return within(path, () =>
    bodies.length === 1 ? mixture(components, bodies[0], options) : mixture(bodies, undefined, options),
  )
}

const REVIVERS: ReadonlyMap<string, Reviver> = new Map([
  ["leaf", leaf],
  ["independent", product],
  ["classes", seenSwitch],
  ["mixture", hiddenSwitch],
])

/** The model that a spec from a file declares. Families come from the list by name: nothing in the file is run. */
export function reviveModel(spec: unknown, revival: Revival, path = "model"): Model {
  if (!isRecord(spec)) throw misshapen(path, spec, "a model")
  const revive = REVIVERS.get(spec.kind as string)
  if (revive) return revive(spec, revival, path)
  const kind = textAt(spec.kind, `${path}.kind`)
  throw new SufficeError(
    "saved",
    `the model file has the structure ${show(kind)} at ${path}.kind, which is not known here: ${list(REVIVERS.keys())} are. It was damaged, or written by another Suffice. Update Suffice, or save the model again.`,
    { path: `${path}.kind`, kind },
  )
}

/** One body for all values, or one for each. */
function bodiesAt(value: unknown, revival: Revival, path: string, values: number | undefined): Model[] {
  const bodies = listAt(value, `${path}.bodies`, (body, place) => reviveModel(body, revival, place))
  if (bodies.length === 1 || (bodies.length > 1 && bodies.length === values)) return bodies
  throw misshapen(
    `${path}.bodies`,
    value,
    `one body${values && values > 1 ? `, or one for each of ${values} values,` : ""}`,
  )
}

function componentsAt(value: unknown, { most }: Revival, path: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    throw misshapen(path, value, "a whole number ≥ 1")
  if ((value as number) <= most) return value as number
  throw new SufficeError(
    "saved",
    `the model file has ${value} components at ${path}, but statistics for at most ${most}. It was damaged, or changed by hand. Save the model again, or undo the change.`,
    { path, components: value },
  )
}

/** What a maker refuses is an error of the file, at this place. A user's family may throw anything. */
export function within<T>(path: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof SufficeError && error.code === "saved") throw error
    throw new SufficeError(
      "saved",
      `the model file cannot be used at ${path}: ${error instanceof Error ? error.message : String(error)}`,
      { ...(error instanceof SufficeError && error.details), path, error },
    )
  }
}
