/**
 * Every structure that loading knows, by kind: how a `spec` from a file becomes a model again. Everything in it is checked.
 * A new structure adds one entry here, and one in walk.ts.
 */
import type { Description, FamilyKind, Given, Model } from "../contract.ts"
import { list, SufficeError, show } from "../errors.ts"
import {
  countAt,
  damaged,
  fieldsAt,
  finiteAt,
  isRecord,
  levelsAt,
  listAt,
  misshapen,
  namesAt,
  type Reader,
  recordAt,
  textAt,
} from "../shape.ts"
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
  const fields = { kind: textAt, columns: namesAt, family: textAt, options: recordAt }
  const { columns, family, options } = fieldsAt(spec, path, fields)
  if (columns.length === 0) throw misshapen(`${path}.columns`, columns, "at least one column")
  const kind = revival.families.get(family)
  if (!kind) {
    throw new SufficeError(
      "saved",
      `the model file uses the family ${show(family)} at ${path}.family, which is not known here: ${list(revival.families.keys(), 20)} are. A file names families, it does not bring them along. Pass its kind: load(json, { families: [ … ] }).`,
      { path: `${path}.family`, family },
    )
  }
  return within(`${path}.options`, () => leafModel(kind.make(options as Description, revival), columns))
}

const product: Reviver = (spec, revival, path) => {
  const { parts } = fieldsAt(spec, path, { kind: textAt, parts: modelsAt(revival) })
  return within(path, () => independent(...parts))
}

const seenSwitch: Reviver = (spec, revival, path) => {
  const fields = { kind: textAt, column: textAt, prior: finiteAt, bodies: modelsAt(revival) }
  const { column, prior, bodies, levels } = fieldsAt(spec, path, fields, { levels: levelsAt })
  checkBodies(bodies, path, levels?.length)
  const body =
    bodies.length === 1
      ? bodies[0]
      : Object.fromEntries(levels!.map((level, l) => [String(level), bodies[l]]))
  return within(path, () => classes(column, body, { prior, ...(levels && { levels }) }))
}

const hiddenSwitch: Reviver = (spec, revival, path) => {
  const fields = {
    kind: textAt,
    components: componentsAt(revival),
    prior: finiteAt,
    bodies: modelsAt(revival),
  }
  const { components, bodies, kind: _, ...options } = fieldsAt(spec, path, fields, { name: textAt })
  checkBodies(bodies, path, components)
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

function modelsAt(revival: Revival): Reader<Model[]> {
  return (value, path) => listAt(value, path, (spec, at) => reviveModel(spec, revival, at))
}

/** One body for all values, or one for each. */
function checkBodies(bodies: readonly Model[], path: string, values: number | undefined): void {
  if (bodies.length === 1 || (bodies.length > 1 && bodies.length === values)) return
  throw misshapen(
    `${path}.bodies`,
    bodies,
    `one body${values && values > 1 ? `, or one for each of ${values} values,` : ""}`,
  )
}

function componentsAt({ most }: Revival): Reader<number> {
  return (value, path) => {
    const components = countAt(value, path, 1)
    if (components <= most) return components
    const few = `has ${components} components at ${path}, but statistics for at most ${most}`
    throw damaged(few, { path, components })
  }
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
