/** The same in TypeScript, and as a command: what the page does can be taken elsewhere. */
import type { LearnerChoice, ModelChoice, Settings, Spec } from "./types.ts"

/** A declared model as the code that declares it. */
export function modelCode(spec: Spec, indent = ""): string {
  const inner = `${indent}  `
  switch (spec.kind) {
    case "leaf":
      return leafCode(spec)
    case "independent": {
      const parts = spec.parts ?? []
      const single = parts.filter(part => part.kind === "leaf" && isPlain(part))
      const others = parts.filter(part => !single.includes(part))
      const record = single.map(part => `${inner}  ${key(part.columns![0])}: ${familyCode(part)},\n`).join("")
      const all = [
        ...others.map(part => modelCode(part, inner)),
        ...(record === "" ? [] : [`{\n${record}${inner}}`]),
      ]
      return `independent(${all.map(one => `\n${inner}${one}`).join(",")},\n${indent})`
    }
    case "classes":
      return `classes(${JSON.stringify(spec.column)}, ${modelCode(spec.bodies![0], indent)})`
    case "mixture":
      return `mixture(${spec.components}, ${modelCode(spec.bodies![0], indent)})`
    case "chain":
      return `chain(${spec.states ?? JSON.stringify(spec.column)}, ${modelCode(spec.bodies![0], indent)})`
    default:
      return `declare(${JSON.stringify(spec)})`
  }
}

const ALONE = ["normal", "linear", "topics"]

function isPlain({ columns = [], family = "" }: Spec): boolean {
  return columns.length === 1 && !ALONE.includes(family)
}

function key(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
}

function familyCode({ family, options = {} }: Spec): string {
  const { prior: _, lowercase: __, variance, ...rest } = options
  const said = { ...rest, ...(variance !== undefined && variance !== "own" && { variance }) }
  return `${family}(${Object.keys(said).length === 0 ? "" : JSON.stringify(said)})`
}

function leafCode(spec: Spec): string {
  const { family, columns = [], options = {} } = spec
  if (family === "normal")
    return `normal(${JSON.stringify(columns)}, { covariance: ${JSON.stringify(options.covariance ?? "full")} })`
  if (family === "linear") return `linear(${JSON.stringify(columns[0])}, ${JSON.stringify(options.on)})`
  if (family === "topics") return `topics(${options.topics}, ${JSON.stringify(columns[0])})`
  return `independent({ ${key(columns[0])}: ${familyCode(spec)} })`
}

function learnerCode({ learner, loss, epochs, restarts }: LearnerChoice): string {
  const options = (said: object): string => {
    const given = Object.entries(said).filter(([, value]) => value !== undefined)
    return given.length === 0
      ? ""
      : `{ ${given.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ")} }`
  }
  if (learner === "sdem") return `sdem(${options({ loss, epochs })})`
  if (learner === "online-em") return `onlineEm(${options({ epochs })})`
  return `em(${options({ restarts })})`
}

const NAMES =
  /\b(independent|classes|mixture|normal|linear|topics|chain|declare|gaussian|categorical|bernoulli|poisson|multinomial|exponential|gamma|logNormal|beta|geometric|negativeBinomial|wordSet)\(/g

export function typescriptOf(
  file: string,
  settings: Settings,
  model: ModelChoice,
  learner: LearnerChoice,
): string {
  const { label, seed, as } = settings
  const asked = Object.keys(as).length > 0 ? `, { as: ${JSON.stringify(as)} }` : ""
  if (model.kind === "auto" && label !== undefined) {
    return `import { choose, candidates } from "suffice/measure"
import { openTable } from "suffice-files"

const table = await openTable(${JSON.stringify(file)}${asked})
const rows = await table.take(Infinity)
const { fitted, why } = await choose(candidates(rows, { label: ${JSON.stringify(label)} }), rows, { target: ${JSON.stringify(label)}, seed: ${seed} })
console.log(why, fitted)
`
  }
  const spec: Spec = model.kind === "auto" ? { kind: "auto" } : model.spec
  const code = spec.kind === "auto" ? "auto(rows)" : modelCode(spec)
  const names = [
    ...new Set([
      "fit",
      ...(spec.kind === "auto" ? ["auto"] : []),
      ...[...code.matchAll(NAMES)].map(match => match[1]),
    ]),
  ].sort()
  const how = learner.learner === "best" ? { learner: "em" as const } : learner
  const extra =
    how.learner === "sdem"
      ? 'import { sdem } from "suffice/learn"\n'
      : how.learner === "online-em"
        ? 'import { onlineEm } from "suffice/learn"\n'
        : ""
  const core = how.learner === "em" ? [...names, "em"].sort() : names
  const steps =
    settings.sequence === undefined
      ? ""
      : `const steps = sequences(rows${settings.sequence === "" ? "" : `, { by: ${JSON.stringify(settings.sequence)} }`})\n`
  const all = settings.sequence === undefined ? core : [...core, "sequences"].sort()
  return `import { ${all.join(", ")} } from "suffice"
${extra}import { openTable } from "suffice-files"

const table = await openTable(${JSON.stringify(file)}${asked})
const rows = await table.take(Infinity)
${steps}const model = ${code}
const fitted = await fit(model, ${settings.sequence === undefined ? "rows" : "steps"}, { learner: ${learnerCode(how)}, seed: ${seed} })
console.log(fitted)
`
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** Of a tree of one's own the command reads a file: model.json. */
export function commandOf(
  file: string,
  settings: Settings,
  model: ModelChoice,
  learner: LearnerChoice,
): string {
  const { label, as, weight, missing, seed, holdout } = settings
  const isMixture = model.kind === "tree" && label === undefined && model.spec.kind === "mixture"
  const preset = model.kind === "named" ? model.preset : undefined
  return [
    "suffice fit",
    quoted(file),
    label !== undefined && `--label ${quoted(label)}`,
    preset && `--model ${preset.model}`,
    preset?.components !== undefined && `--components ${preset.components}`,
    preset?.by && `--by ${quoted(preset.by.join(","))}`,
    isMixture && `--model mixture --components ${(model as { spec: Spec }).spec.components}`,
    model.kind === "tree" && !isMixture && "--model model.json",
    learner.learner !== "best" && `--learner ${learner.learner}`,
    learner.loss && `--loss ${learner.loss}`,
    learner.epochs !== undefined && `--epochs ${learner.epochs}`,
    learner.restarts !== undefined && `--restarts ${learner.restarts}`,
    ...Object.entries(as).map(([column, kind]) => `--as ${quoted(`${column}=${kind}`)}`),
    missing.length > 0 && `--missing ${quoted(missing.join(","))}`,
    weight !== undefined && `--weight ${quoted(weight)}`,
    label !== undefined && holdout !== 0.2 && `--holdout ${holdout}`,
    seed !== 0 && `--seed ${seed}`,
    "-o model.json",
  ]
    .filter(Boolean)
    .join(" ")
}
