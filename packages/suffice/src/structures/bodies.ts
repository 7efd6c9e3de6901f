/** What the bodies of one switch must have in common, and the uses they make of columns together. */
import type { Need, Support, Use } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import { SufficeError, show } from "../errors.ts"
import { isFamily } from "./leaf.ts"

/** `intervene` of a model made of others, if one of them has arrows. */
export function intervenable(
  bodies: readonly Model[],
  made: (bodies: readonly Model[]) => Model<never, never>,
): Pick<Model, "intervene"> {
  if (bodies.every(body => !body.intervene)) return {}
  return { intervene: held => made(bodies.map(body => body.intervene?.(held) ?? body)) as Model }
}

/** Throws unless all bodies model the same columns, each by the same kind of family. What they read may differ. */
export function checkBodies(where: string, bodies: readonly Model[], names?: readonly string[]): void {
  const called = (b: number): string =>
    bodies.length < 2 ? "the body" : names ? `the body of ${show(names[b])}` : `body ${b}`
  const wrong = bodies.length === 0 ? 0 : bodies.findIndex(body => typeof body?.lay !== "function")
  if (wrong >= 0) {
    throw new SufficeError(
      "model",
      `${where}: ${called(wrong)} is ${isFamily(bodies[wrong]) ? "a family without a column" : show(bodies[wrong])}. It needs a model. Write for example independent({ x: gaussian() }).`,
    )
  }
  compare(
    where,
    bodies.map(body => body.uses),
    called,
  )
}

/** Each with the same columns, of the same kinds; in their steps, too. */
function compare(where: string, bodies: readonly (readonly Use[])[], called: (body: number) => string): void {
  const seen = (uses: readonly Use[]): Map<string, Use> =>
    new Map(uses.filter(use => use.role !== "hidden" && use.role !== "read").map(use => [use.column, use]))
  const first = seen(bodies[0])
  bodies.forEach((body, b) => {
    const here = seen(body)
    const column = [...first.keys(), ...here.keys()].find(name => !first.has(name) || !here.has(name))
    if (column !== undefined) {
      const [without, having] = here.has(column) ? [0, b] : [b, 0]
      throw new SufficeError(
        "model",
        `${where}: ${called(having)} has the column ${show(column)}, ${called(without)} does not. Likelihoods of different columns cannot be compared. Give every body the same columns.`,
        { column },
      )
    }
    for (const [column, use] of here) {
      const other = first.get(column)!
      if (use.need.kind === "steps" && other.need.kind === "steps") {
        const pair = [other.need.uses, use.need.uses]
        compare(where, pair, which => called(which === 0 ? 0 : b))
      }
      if (use.measure === other.measure && use.need.kind === other.need.kind) continue
      throw new SufficeError(
        "model",
        `${where}: column ${show(column)} is ${kindOf(other)} in ${called(0)} and ${kindOf(use)} in ${called(b)}. They cannot be compared. Give the column the same kind of family in every body.`,
        { column },
      )
    }
  })
}

/** Columns of steps have names of their own: targets, answers and messages go by names alone. */
export function checkNames(where: string, uses: readonly Use[]): void {
  const met = new Map<string, string>()
  const visit = (uses: readonly Use[], steps: string | undefined): void => {
    const here = steps === undefined ? "outside of the steps" : `in the steps of ${show(steps)}`
    for (const { column, need } of uses) {
      const before = met.get(column)
      if (before !== undefined && before !== here) {
        throw new SufficeError(
          "model",
          `${where}: column ${show(column)} stands ${before} and ${here}. Targets and answers go by the name, so it would not be clear which one is meant. Give one of the two another name.`,
          { column },
        )
      }
      met.set(column, here)
      if (need.kind === "steps") visit(need.uses, column)
    }
  }
  visit(uses, undefined)
}

/** The columns of the steps that a model's windows read. */
export function readByWindows(uses: readonly Use[]): readonly string[] {
  return uses.flatMap(({ need }) => (need.kind === "bag" ? (need.reading.made?.from ?? []) : []))
}

/** The kind of family, in words. */
function kindOf({ measure, need }: Use): string {
  return `a ${measure} over ${need.kind === "steps" ? "steps" : `${need.kind}s`}`
}

/** The columns of all bodies, each with what any of them asks of it. */
export function sharedUses(where: string, bodies: readonly Pick<Model, "uses">[]): readonly Use[] {
  const uses = new Map<string, Use>()
  for (const use of bodies.flatMap(body => body.uses)) {
    const other = uses.get(use.column)
    uses.set(use.column, other ? joined(where, other, use) : use)
  }
  const groupOf = unitedGroups(bodies)
  return Array.from(uses.values(), use => (isCommon(use) ? { ...use, group: groupOf(use.column) } : use))
}

function isCommon({ need }: Use): boolean {
  return need.kind === "number" && need.scale === "common"
}

/**
 * The group of a column with a common scale. A column has one scale in all bodies, so groups that overlap
 * become one: { x, y } in one body and { y, z } in another are { x, y, z } in both.
 */
function unitedGroups(bodies: readonly Pick<Model, "uses">[]): (column: string) => string {
  // union-find over columns: the root names the group
  const parent = new Map<string, string>()
  const root = (name: string): string => {
    const above = parent.get(name)
    if (above === undefined) return name
    const top = root(above)
    parent.set(name, top) // path compression
    return top
  }
  const first = new Map<string, string>() // a column of each group
  for (const { column, group } of bodies.flatMap(body => body.uses.filter(isCommon))) {
    if (!first.has(group)) first.set(group, column)
    const [a, b] = [root(column), root(first.get(group)!)]
    if (a !== b) parent.set(a, b)
  }
  return root
}

const SUPPORTS: readonly Support[] = ["any", "notNegative", "positive", "share"]

/** The intersection of two supports, each of which lies within the one before it. Undefined: the whole line. */
function narrowest(a: Support = "any", b: Support = "any"): Support | undefined {
  const at = Math.max(SUPPORTS.indexOf(a), SUPPORTS.indexOf(b))
  return at > 0 ? SUPPORTS[at] : undefined
}

function joined(where: string, a: Use, b: Use): Use {
  const role = a.role === "label" || b.role === "label" ? "label" : a.role
  const reads = [...(a.reads ?? []), ...(b.reads ?? [])]
  // a common scale in one body applies to all
  if (a.need.kind === "number" && b.need.kind === "number") {
    const chosen = b.need.scale === "common" ? b : a
    const support = narrowest(a.need.support, b.need.support)
    if (support === undefined) return { ...chosen, role, reads }
    if (chosen.need.kind === "number" && chosen.need.scale === "common") {
      throw new SufficeError(
        "model",
        `${where}: one part holds ${show(a.column)} in one unit with other columns, another one knows where it lives. A column is held in one way. Give normal() another covariance, or the column the same family in every part.`,
        { column: a.column },
      )
    }
    return { ...chosen, need: { ...a.need, support }, role, reads }
  }
  if (a.need.kind === "steps" && b.need.kind === "steps")
    return { ...a, need: { kind: "steps", uses: sharedUses(where, [a.need, b.need]) } }
  for (const [what, asked] of Object.entries(b.need)) {
    const here = a.need[what as keyof Need] as unknown
    if (here === undefined || JSON.stringify(here) === JSON.stringify(asked)) continue
    throw new SufficeError(
      "model",
      `${where}: two parts give ${show(a.column)} different ${what === "text" ? "options for text" : what}. A column is held in one way. Give it the same in every part.`,
      { column: a.column },
    )
  }
  return { ...a, need: { ...b.need, ...a.need } as Need, role }
}
