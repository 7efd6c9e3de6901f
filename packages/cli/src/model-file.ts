/** Models in files: declared, learned, or networks of other programs. Of the command alone: a page has no files. */
import { declare, load, nearest } from "suffice"
import type { NetworkTables } from "suffice-files/networks"
import { Failure } from "./failure.ts"
import type { LooseFitted, LooseModel } from "./loose.ts"
import { PRESETS } from "./options.ts"
import { reasonOf } from "./terminal/stream.ts"
import { stemmersIn } from "./text.ts"

/** The model that a file declares, or was saved with. */
export async function modelIn(path: string): Promise<LooseModel> {
  const tables = await networkIn(path)
  if (tables) return (await import("suffice-files/networks")).modelOfTables(tables) as unknown as LooseModel
  if (/^[\w-]+$/.test(path) && !(await isThere(path))) throw noPreset(path)
  const json = await jsonIn(path, `There is no preset of that name either: they are ${PRESETS.join(", ")}.`)
  const isSaved =
    typeof json === "object" && json !== null && (json as { format?: unknown }).format === "suffice"
  const stemmers = await stemmersIn(isSaved ? (json as { model?: unknown }).model : json)
  return (isSaved ? load(json, { stemmers }).model : declare(json, { stemmers })) as LooseModel
}

async function isThere(path: string): Promise<boolean> {
  const { stat } = await import("node:fs/promises")
  return (await stat(path).catch(() => undefined)) !== undefined
}

/** What others call them. */
const ALIASES: Readonly<Record<string, string>> = {
  nb: "naive-bayes",
  bayes: "naive-bayes",
  naive: "naive-bayes",
  gnb: "naive-bayes-normal",
  gmm: "mixture",
  regression: "linear",
  ols: "linear",
  gaussian: "normal",
}
/** What is compared with, and makes no model of a row. */
const BASELINES = /^(logistic(-?regression)?|lr|(linear-?)?svm|svc)$/i

function noPreset(name: string): Failure {
  const alias = ALIASES[name.toLowerCase()]
  const near = alias === undefined ? nearest(name, PRESETS) : [alias]
  const hint = BASELINES.test(name)
    ? "Logistic regression and the linear SVM are shown beside what auto chooses, and by suffice compare."
    : near.length > 0
      ? `Did you mean ${near.join(" or ")}?`
      : "Leave it out for what fits best."
  return new Failure(
    "usage",
    `--model is ${JSON.stringify(name)}. It is neither a preset nor a file: the presets are ${PRESETS.join(", ")}. ${hint}`,
    { option: "--model", nearest: near },
  )
}

/** MODEL of predict, explain and the others. */
export async function loadModel(path: string): Promise<LooseFitted> {
  const tables = await networkIn(path)
  if (tables) return (await import("suffice-files/networks")).fittedOfTables(tables) as unknown as LooseFitted
  const json = await jsonIn(path, "Name a model that suffice fit -o has written.")
  if (typeof json !== "object" || json === null || (json as { format?: unknown }).format !== "suffice") {
    throw new Failure(
      "model",
      `${JSON.stringify(path)} is no saved model: it does not begin as one. A model is made by suffice fit DATA -o model.json. Name that file first, and the data second.`,
      { path },
    )
  }
  return load(json, { stemmers: await stemmersIn((json as { model?: unknown }).model) })
}

/** The tables of a network in a format of other programs; undefined: it is none. */
async function networkIn(path: string): Promise<NetworkTables | undefined> {
  const { networkFormatOf, readNetwork } = await import("suffice-files/networks")
  if (networkFormatOf(path) === undefined) return undefined
  return readNetwork(await textIn(path, "Name a network that is there."), { file: path })
}

async function textIn(path: string, hint: string): Promise<string> {
  const { readFile } = await import("node:fs/promises")
  return readFile(path, "utf8").catch(error => {
    throw new Failure(
      "file",
      `the model file ${JSON.stringify(path)} cannot be read: ${reasonOf(error)}. ${hint}`,
      { path },
    )
  })
}

async function jsonIn(path: string, hint: string): Promise<unknown> {
  const text = await textIn(path, hint)
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure(
      "file",
      `the model file ${JSON.stringify(path)} is not JSON. A model is saved as JSON; this file is something else, or was cut off. ${hint}`,
      { path },
    )
  }
}
