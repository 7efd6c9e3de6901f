/** The kinds of `classes` and `mixture`: a switch in a file and in a description. */
import type { Level } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import type { Description } from "../contract/report.ts"
import type { LevelsPrior } from "../families/priors.ts"
import {
  countAt,
  damaged,
  fieldsAt,
  finiteAt,
  isRecord,
  levelsAt,
  misshapen,
  type Reader,
  textAt,
} from "../shape.ts"
import { classes, mixture } from "./classes.ts"
import {
  at,
  checkKeys,
  columnsOf,
  type Kinds,
  modelsAt,
  partOf,
  type Revival,
  type StructureKind,
  type Visitor,
  walkBody,
  within,
} from "./kind.ts"
import { classesTree, mixtureName, mixtureTree } from "./switch-trees.ts"

export const classesKind: StructureKind = {
  name: "classes",
  tree: classesTree,

  revive(spec, revival, path) {
    const fields = { kind: textAt, column: textAt, bodies: modelsAt(revival) }
    const { column, prior, bodies, levels } = fieldsAt(spec, path, fields, {
      prior: priorAt,
      levels: levelsAt,
    })
    checkBodies(bodies, path, levels?.length)
    const body =
      bodies.length === 1
        ? bodies[0]
        : Object.fromEntries(levels!.map((level, l) => [String(level), bodies[l]]))
    return within(path, () =>
      classes(column, body, { ...(prior !== undefined && { prior }), ...(levels && { levels }) }),
    )
  },

  names: spec => [spec.column as string],
  walk(spec, description, path, visitor, kinds) {
    const column = spec.column as string
    const levels = (spec.levels as Level[] | undefined) ?? visitor.levels(column)
    walkSwitch(spec, column, levels, description, path, visitor, kinds, true)
  },
}

export const mixtureKind: StructureKind = {
  name: "mixture",
  tree: mixtureTree,

  revive(spec, revival, path) {
    const fields = {
      kind: textAt,
      components: componentsAt(revival),
      prior: finiteAt,
      bodies: modelsAt(revival),
    }
    const {
      components,
      bodies,
      kind: _,
      ...options
    } = fieldsAt(spec, path, fields, {
      name: textAt,
      weights: sticksAt,
      concentration: finiteAt,
    })
    checkBodies(bodies, path, components)
    return within(path, () =>
      bodies.length === 1 ? mixture(components, bodies[0], options) : mixture(bodies, undefined, options),
    )
  },

  names: (spec, kinds) => [nameOf(spec, kinds)],
  walk(spec, description, path, visitor, kinds) {
    const levels = Array.from({ length: spec.components as number }, (_, l) => l)
    walkSwitch(spec, nameOf(spec, kinds), levels, description, path, visitor, kinds)
  },
}

/** A number, or a prior in the units of the data: `classes` checks what it says. */
const priorAt: Reader<number | LevelsPrior> = (value, path) =>
  isRecord(value) ? (value as object as LevelsPrior) : finiteAt(value, path)

const sticksAt: Reader<"sticks"> = (value, path) => {
  if (value === "sticks") return value
  throw misshapen(path, value, '"sticks"')
}

function nameOf(spec: Description, kinds: Kinds): string {
  return mixtureName(spec, child => columnsOf(child, kinds))
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

function walkSwitch(
  spec: Description,
  column: string,
  declared: readonly Level[] | undefined,
  description: Description,
  path: string,
  visitor: Visitor,
  kinds: Kinds,
  isLabel = false,
): void {
  const here = at(path, column)
  const own = partOf(description, column, path)
  const probabilities = partOf(own, "probabilities", here)
  const levels = declared?.map(String) ?? Object.keys(probabilities)
  checkKeys(probabilities, levels, at(here, "probabilities"), "level of the model")
  const given = partOf(own, "given", here)
  checkKeys(given, levels, at(here, "given"), "level of the model")
  if (isLabel) visitor.label(column, levels, here)
  const bodies = spec.bodies as Description[]
  levels.forEach((level, l) => {
    const below = at(at(here, "given"), level)
    walkBody(
      bodies[bodies.length > 1 ? l : 0],
      partOf(given, level, at(here, "given")),
      below,
      visitor,
      kinds,
    )
  })
}
