/** A declared model as the TypeScript that declares it, and the imports of a piece of code. */
import type { NodeSpec, Spec } from "./types.ts"

const json = (value: unknown): string => JSON.stringify(value)

export function modelCode(spec: Spec, indent = ""): string {
  const inner = `${indent}  `
  const below = (): string => modelCode(spec.bodies![0], indent)
  switch (spec.kind) {
    case "leaf":
      return leafCode(spec)
    case "independent":
      return productCode(spec, indent)
    case "classes":
      return `classes(${json(spec.column)}, ${below()}${options(spec, { prior: 0 })})`
    case "mixture":
      return `mixture(${spec.components}, ${below()}${options(spec, { prior: 1 })})`
    case "chain":
      return isHidden(spec)
        ? `chain(${spec.states}, ${below()}${chainOptions(spec)})`
        : `declare(${json(spec)})`
    case "network":
      return `network({\n${(spec.nodes ?? []).map(node => `${inner}${key(node.name)}: ${nodeCode(node)},\n`).join("")}${indent}})`
    default:
      // what has more to say than its name and its body is declared by its own description
      return `declare(${json(spec)})`
  }
}

/** Other options than the defaults. */
function options({ prior, name }: Spec, usual: { readonly prior: number }): string {
  const said = {
    ...(name !== undefined && { name }),
    ...(prior !== undefined && prior !== usual.prior && { prior }),
  }
  return Object.keys(said).length === 0 ? "" : `, ${record(said)}`
}

/** A chain of hidden states with one body for all of them. */
function isHidden({ states, bodies = [] }: Spec): boolean {
  return states !== undefined && bodies.length === 1
}

const CHAIN = { column: "steps", ends: false, transitions: "all", initial: "free", prior: 0.1 }

function chainOptions({ kind: _, states: __, bodies: ___, ...said }: Spec): string {
  const other = Object.entries(said).filter(
    ([name, value]) => json(value) !== json(CHAIN[name as keyof typeof CHAIN]),
  )
  return other.length === 0 ? "" : `, ${record(Object.fromEntries(other))}`
}

function record(said: Readonly<Record<string, unknown>>): string {
  return `{ ${Object.entries(said)
    .map(([name, value]) => `${key(name)}: ${json(value)}`)
    .join(", ")} }`
}

/** Columns with families of their own stand in records, in their order between the others. */
function productCode({ parts = [] }: Spec, indent: string): string {
  const inner = `${indent}  `
  const groups: Spec[][] = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (isPlain(part) && last && isPlain(last[0])) last.push(part)
    else groups.push([part])
  }
  const written = groups.map(group =>
    isPlain(group[0])
      ? `{\n${group.map(part => `${inner}  ${key(part.columns![0])}: ${familyCode(part)},\n`).join("")}${inner}}`
      : modelCode(group[0], inner),
  )
  return `independent(${written.map(one => `\n${inner}${one}`).join(",")},\n${indent})`
}

const ALONE = ["normal", "linear", "topics"]

function isPlain({ kind, columns = [], family = "" }: Spec): boolean {
  return kind === "leaf" && columns.length === 1 && !ALONE.includes(family)
}

function key(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : json(name)
}

function familyCode({ family, options = {} }: Pick<Spec, "family" | "options">): string {
  return `${family}(${Object.keys(options).length === 0 ? "" : record(options)})`
}

function leafCode(spec: Spec): string {
  const { family, columns = [], options = {} } = spec
  if (family === "normal") return `normal(${json(columns)}, ${record(options)})`
  if (isPlain(spec)) return `independent({ ${key(columns[0])}: ${familyCode(spec)} })`
  return `declare(${json(spec)})`
}

function nodeCode({ parents, family, options = {}, hidden, prior }: NodeSpec): string {
  const own =
    hidden === undefined
      ? familyCode({ family: family!, options })
      : `hidden(${hidden}${prior === undefined ? "" : `, { prior: ${prior} }`})`
  return parents.length === 0 ? own : `given(${json(parents)}, ${own})`
}

/** Which names come from where. */
const FROM: Readonly<Record<string, readonly string[]>> = {
  suffice: [
    "auto",
    "bernoulli",
    "beta",
    "categorical",
    "chain",
    "classes",
    "declare",
    "em",
    "exponential",
    "fit",
    "gamma",
    "gaussian",
    "geometric",
    "given",
    "hidden",
    "independent",
    "logNormal",
    "mixture",
    "multinomial",
    "negativeBinomial",
    "network",
    "normal",
    "poisson",
    "sequences",
    "wordSet",
  ],
  "suffice/learn": ["bayes", "onlineEm", "sdem"],
  "suffice/measure": ["candidates", "choose", "evaluate", "learnersFor", "split"],
  "suffice-files": ["openTable"],
}

export function importsOf(code: string): string {
  // what stands in quotes is no call
  const called = new Set(
    [...code.replace(/"(?:[^"\\]|\\.)*"/g, '""').matchAll(/(?<![.\w])(\w+)\(/g)].map(match => match[1]),
  )
  return Object.entries(FROM)
    .map(([module, names]) => [module, names.filter(name => called.has(name))] as const)
    .filter(([, names]) => names.length > 0)
    .map(([module, names]) => `import { ${names.join(", ")} } from ${json(module)}`)
    .join("\n")
}
