/** Which arrows a structure may have, and which it must have: by the families of the columns, and by what the caller knows. */
import type { Family } from "../contract/family.ts"
import { didYouMean, list, nearest, SufficeError, show, wrongOption } from "../errors.ts"
import { cycleOf, parentsFirst } from "../structures/network/graph.ts"

/** An arrow by the names of its columns: from the parent to the child. */
export type Arrow = readonly [from: string, to: string]

/** What is known of the arrows before looking at rows. */
export interface KnownArrows {
  /** Arrows that must be there. */
  readonly require?: readonly Arrow[]
  /** Arrows that must not be there; the opposite one may. */
  readonly forbid?: readonly Arrow[]
  /** Columns from causes to effects: no arrow leads from a later tier to an earlier one. Columns that are in none may stand anywhere. */
  readonly tiers?: readonly (readonly string[])[]
}

export interface Constraints {
  /** May the arrow u → v be there? */
  isAllowed(u: number, v: number): boolean
  isRequired(u: number, v: number): boolean
  /** The required parents of each column. */
  readonly required: readonly (readonly number[])[]
}

export function constraintsOf(
  names: readonly string[],
  families: readonly Family[],
  { require: musts = [], forbid = [], tiers = [] }: KnownArrows,
): Constraints {
  const count = names.length
  const places = new Map(names.map((name, v) => [name, v]))
  const find = (option: string, name: unknown): number => placeOf(places, option, name)
  const allowed = new Uint8Array(count * count)
  for (let u = 0; u < count; u++)
    for (let v = 0; v < count; v++)
      allowed[u * count + v] = u !== v && suits(families[u], families[v]) ? 1 : 0
  for (const [u, v] of arrows("forbid", forbid, find)) allowed[u * count + v] = 0
  const tier = tiersOf(tiers, count, find, names)
  for (let u = 0; u < count; u++)
    for (let v = 0; v < count; v++)
      if (tier[u] >= 0 && tier[v] >= 0 && tier[u] > tier[v]) allowed[u * count + v] = 0
  const required: number[][] = names.map(() => [])
  for (const [u, v] of arrows("require", musts, find)) {
    if (!allowed[u * count + v]) throw contradiction(names, families, u, v, tier)
    if (!required[v].includes(u)) required[v].push(u)
  }
  if (!parentsFirst(required)) {
    const cycle = cycleOf(required).map(v => names[v])
    throw new SufficeError(
      "option",
      `structure: the arrows that \`require\` asks for make a cycle, ${cycle.map(show).join(" → ")}. A network has none. Take one of them out.`,
      { option: "require", columns: cycle },
    )
  }
  const needed = new Set(required.flatMap((own, v) => own.map(u => u * count + v)))
  return {
    isAllowed: (u, v) => allowed[u * count + v] === 1 && !needed.has(v * count + u),
    isRequired: (u, v) => needed.has(u * count + v),
    required,
  }
}

/** Any column may depend on levels; a gaussian with its own variance on a number, too. */
function suits(parent: Family, child: Family): boolean {
  if (parent.need.kind === "level") return true
  return parent.need.kind === "number" && child.regression !== undefined
}

function placeOf(places: ReadonlyMap<string, number>, option: string, name: unknown): number {
  const place = typeof name === "string" ? places.get(name) : undefined
  if (place !== undefined) return place
  const near = typeof name === "string" ? nearest(name, places.keys()) : []
  throw new SufficeError(
    "option",
    `structure: ${option} names ${show(name)}, which is no column of the network. It has ${list(places.keys())}. ${didYouMean(near, "Name one of them.")}`,
    { option, column: name, nearest: near },
  )
}

function arrows(
  option: string,
  given: readonly Arrow[],
  find: (option: string, name: unknown) => number,
): [number, number][] {
  const isPair = (arrow: unknown): boolean => Array.isArray(arrow) && arrow.length === 2
  if (!Array.isArray(given) || !given.every(isPair)) {
    throw wrongOption(
      "structure",
      option,
      given,
      `It lists arrows, each with the column it comes from and the one it goes to. Write for example { ${option}: [["smoking", "cancer"]] }.`,
    )
  }
  return given.map(([from, to]) => {
    const arrow: [number, number] = [find(option, from), find(option, to)]
    if (arrow[0] === arrow[1])
      throw wrongOption(
        "structure",
        option,
        from,
        "An arrow from a column to itself says nothing. Take it out.",
      )
    return arrow
  })
}

function tiersOf(
  tiers: KnownArrows["tiers"] & object,
  count: number,
  find: (option: string, name: unknown) => number,
  names: readonly string[],
): Int32Array {
  if (!Array.isArray(tiers) || !tiers.every(Array.isArray)) {
    throw wrongOption(
      "structure",
      "tiers",
      tiers,
      'It lists groups of columns, from causes to effects. Write for example { tiers: [["age", "sex"], ["smoking"]] }.',
    )
  }
  const tier = new Int32Array(count).fill(-1)
  tiers.forEach((members, t) => {
    for (const name of members as readonly unknown[]) {
      const v = find("tiers", name)
      if (tier[v] >= 0) {
        throw new SufficeError(
          "option",
          `structure: ${show(names[v])} is in two tiers. Arrows would have to lead from it to itself in time. Name it once.`,
          { option: "tiers", column: names[v] },
        )
      }
      tier[v] = t
    }
  })
  return tier
}

function contradiction(
  names: readonly string[],
  families: readonly Family[],
  u: number,
  v: number,
  tier: Int32Array,
): SufficeError {
  const why = !suits(families[u], families[v])
    ? `${show(names[u])} is ${families[u].need.kind === "number" ? "a number" : `modelled by ${families[u].name}()`}, which ${families[v].name}() cannot depend on. Turn it round, or bin the number`
    : tier[u] > tier[v] && tier[v] >= 0
      ? "`tiers` puts it the other way round. Change one of the two"
      : "`forbid` rules it out. Take it out of one of the two"
  return new SufficeError(
    "option",
    `structure: \`require\` asks for the arrow ${show(names[u])} → ${show(names[v])}, but ${why}.`,
    { option: "require", from: names[u], to: names[v] },
  )
}
