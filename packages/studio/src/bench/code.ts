/** The same in TypeScript, and as a command: what the page does can be taken elsewhere, and gives the same model to the bit. */
import { codeOf, treeOf } from "suffice/describe"
import { importsOf } from "./imports.ts"
import { asSpec } from "./spec.ts"
import type { LearnerChoice, ModelChoice, Settings, Spec } from "./types.ts"

/** What is said of the table, as far as the code goes by it. */
export interface Subject {
  readonly file: string
  readonly settings: Settings
  /** Of steps: the label is predicted for each step. */
  readonly isTag: boolean
  /** The label is measured: it has no levels. */
  readonly isNumber: boolean
}

const json = (value: unknown): string => JSON.stringify(value)

/** True if the model says itself what it predicts. */
function hasLabel(spec: Spec): boolean {
  return treeOf(asSpec(spec)).label !== undefined
}

function record(said: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(said).filter(([, value]) => value !== undefined)
  return given.length === 0 ? "" : `{ ${given.map(([name, value]) => `${name}: ${json(value)}`).join(", ")} }`
}

/** What takes the place of "best": counting, or where steps are predicted sdEM. */
function plainLearner({ settings }: Subject): LearnerChoice {
  return { learner: settings.sequence !== undefined && settings.label !== undefined ? "sdem" : "em" }
}

function learnerCode({ learner, loss, epochs, restarts }: LearnerChoice): string {
  switch (learner) {
    case "sdem":
      return `sdem(${record({ loss, epochs })})`
    case "online-em":
      return `onlineEm(${record({ epochs })})`
    case "bayes":
      return `bayes(${record({ restarts })})`
    default:
      return `em(${record({ restarts })})`
  }
}

export function typescriptOf(subject: Subject, model: ModelChoice, learner: LearnerChoice): string {
  const { settings } = subject
  const { label, weight, seed, sequence } = settings
  const isChosen = label !== undefined && sequence === undefined && model.kind !== "tree"
  const data = sequence === undefined ? rowsCode(subject, model) : sequencesCode(subject, model)
  const fitting = record({ seed, weight }).slice(2, -2)
  if (isChosen && learner.learner === "best") return written([...data, ...chosenCode(settings, model)])
  // a model of numbers does not say which of them is asked for
  const isTold =
    label === undefined || sequence !== undefined || (model.kind !== "auto" && hasLabel(model.spec))
  const how = learner.learner === "best" ? plainLearner(subject) : learner
  const code =
    model.kind === "auto"
      ? `auto(train${label === undefined ? "" : `, ${record({ label })}`})`
      : codeOf(asSpec(model.spec))
  return written([
    ...data,
    `const model = ${code}`,
    isTold
      ? `const fitted = await fit(model, train, { learner: ${learnerCode(how)}, ${fitting} })`
      : `const learned = await fit(model, train, { learner: ${learnerCode(how)}, ${fitting} })\nconst fitted = learned.withTarget(${json(label)})`,
    label === undefined ? "console.log(fitted)" : "console.log(evaluate(fitted, test))",
  ])
}

/** What fits best, or how a given model is learned best. */
function chosenCode({ label, weight, seed }: Settings, model: ModelChoice): string[] {
  const given = record({ target: label, seed, weight })
  if (model.kind !== "named")
    return [
      `const { fitted, why } = await choose(candidates(rows, ${record({ label })}), train, ${given})`,
      "console.log(why)",
      "console.log(evaluate(fitted, test))",
    ]
  return [
    `const model = ${codeOf(asSpec(model.spec))}`,
    `const learners = learnersFor(${json(model.flags)})`,
    `const { fitted, why } = await choose([{ name: ${json(model.flags.model)}, model, learners }], train, ${given})`,
    "console.log(why)",
    "console.log(evaluate(fitted, test))",
  ]
}

function opening({ file, settings }: Subject): string[] {
  const { as, missing } = settings
  const options = record({
    as: Object.keys(as).length > 0 ? as : undefined,
    missing: missing.length > 0 ? missing : undefined,
  })
  return [
    `const table = await openTable(${json(file)}${options && `, ${options}`})`,
    "const rows = await table.take(Infinity)",
  ]
}

/** Levels that are too rare to be learned from are one. */
function pooledCode(model: ModelChoice): string[] {
  const pooled = model.kind === "named" ? (model.pooled ?? {}) : {}
  return Object.entries(pooled).map(
    ([column, levels]) =>
      `for (const row of rows) if (row[${json(column)}] !== null && !${json(levels)}.includes(String(row[${json(column)}]))) row[${json(column)}] = "(other)"`,
  )
}

function rowsCode(subject: Subject, model: ModelChoice): string[] {
  const { label, holdout, seed } = subject.settings
  const isNumber = model.kind === "tree" ? !hasLabel(model.spec) : subject.isNumber
  const first = [...opening(subject), ...pooledCode(model)]
  if (label === undefined) return [...first, "const train = rows"]
  if (holdout === 0) return [...first, "const [train, test] = [rows, rows]"]
  return [
    ...first,
    `const { train, test } = split(rows, ${record({ test: holdout, stratify: isNumber ? undefined : label, seed })})`,
  ]
}

/** With fewer sequences, the end of each is held out instead of some of them. */
const FEW = 5

function sequencesCode(subject: Subject, model: ModelChoice): string[] {
  const { isTag, settings } = subject
  const { label, sequence, holdout, seed } = settings
  const by = { by: sequence || undefined, keep: label !== undefined && !isTag ? [label] : undefined }
  const asked = record(by)
  const first = [
    ...opening(subject),
    ...pooledCode(model),
    `const all = sequences(rows${asked && `, ${asked}`})`,
  ]
  if (label === undefined) return [...first, "const train = all"]
  if (holdout === 0) return [...first, "const [train, test] = [all, all]"]
  if (sequence === "")
    return [
      ...first,
      `const at = Math.round(${1 - holdout} * rows.length)`,
      "const train = [{ steps: rows.slice(0, at) }]",
      "const test = [{ steps: rows.slice(at) }]",
    ]
  const few = isTag ? `\n// of fewer than ${FEW} sequences the command holds out the end of each` : ""
  return [
    ...first,
    `const { train, test } = split(all, ${record({ test: holdout, stratify: isTag ? undefined : label, seed })})${few}`,
  ]
}

/** The imports that the lines need, and the lines. */
function written(lines: readonly string[]): string {
  const body = lines.join("\n")
  return `${importsOf(body)}\n\n${body}\n`
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** Of a tree of one's own the command reads a file: model.json. */
export function commandOf(
  { file, settings, isTag }: Subject,
  model: ModelChoice,
  learner: LearnerChoice,
): string {
  const { label, as, weight, missing, seed, holdout, sequence } = settings
  const isSteps = sequence !== undefined
  const flags = model.kind === "named" ? model.flags : undefined
  return [
    "suffice fit",
    quoted(file),
    sequence && `--sequence ${quoted(sequence)}`,
    label !== undefined && `--${isSteps && isTag ? "tag" : "label"} ${quoted(label)}`,
    flags && `--model ${flags.model}`,
    flags?.components !== undefined && `--components ${flags.components}`,
    flags?.states !== undefined && `--states ${flags.states}`,
    flags?.by && `--by ${quoted(flags.by.join(","))}`,
    model.kind === "tree" && "--model model.json",
    learner.learner !== "best" && `--learner ${learner.learner}`,
    learner.loss && `--loss ${learner.loss}`,
    learner.epochs !== undefined && `--epochs ${learner.epochs}`,
    learner.restarts !== undefined && `--restarts ${learner.restarts}`,
    ...Object.entries(as).map(([column, kind]) => `--as ${quoted(`${column}=${kind}`)}`),
    missing.length > 0 && `--missing ${quoted(missing.join(","))}`,
    weight !== undefined && !isSteps && `--weight ${quoted(weight)}`,
    label !== undefined && holdout !== 0.2 && `--holdout ${holdout}`,
    seed !== 0 && `--seed ${seed}`,
    `-o ${model.kind === "tree" ? "learned.json" : "model.json"}`,
  ]
    .filter(Boolean)
    .join(" ")
}
