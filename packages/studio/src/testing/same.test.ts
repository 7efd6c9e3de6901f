/**
 * Beside every model stand the command and the TypeScript that do the same: both are run as they stand, and give the model of the page, to the bit. The page's worker is code
 * without a page, so it runs here; that a browser computes the same bits is said elsewhere.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { program } from "../../../cli/src/program.ts"
import { openSession } from "../../../cli/src/terminal/session.ts"
import { commandOf, typescriptOf } from "../bench/code.ts"
import type { LearnerChoice, ModelChoice, Settings } from "../bench/types.ts"
import { offersFor } from "../worker/gallery.ts"
import { found } from "../worker/network.ts"
import { learnRun } from "../worker/runs.ts"
import { type OpenTable, opened } from "../worker/table.ts"
import { runCode } from "./page-code.ts"

const SAMPLES = new URL("../../public/samples/", import.meta.url)
const PLAIN: Settings = {
  as: {},
  label: undefined,
  weight: undefined,
  sequence: undefined,
  missing: [],
  seed: 3,
  holdout: 0.2,
  folds: 0,
}
let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "suffice-same-"))
  // words with the same two tags in every sentence, and what tells them apart
  const words = ["the,D", "cat,N", "sees,V", "a,D", "dog,N"]
  const rows = Array.from({ length: 12 }, (_, s) =>
    words.slice(0, 3 + (s % 3)).map(word => `${s},${word},${s % 2 === 0 ? "even" : "odd"}`),
  )
  writeFileSync(join(folder, "tags.csv"), `${["sentence,word,tag,parity", ...rows.flat()].join("\n")}\n`)
  // a column with more levels than can be told apart
  const cities = Array.from({ length: 80 }, (_, i) => `c${i < 60 ? i % 3 : i},${i % 2},${(i * 7) % 11}`)
  writeFileSync(join(folder, "cities.csv"), `${["city,y,x", ...cities].join("\n")}\n`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the page learns, with its table and its choice. */
async function inPage(file: string, said: Partial<Settings>, id: string, learner: LearnerChoice) {
  const isOwn = file === "tags.csv" || file === "cities.csv"
  const path = isOwn ? join(folder, file) : new URL(file, SAMPLES).pathname
  const settings = { ...PLAIN, ...said }
  const signal = new AbortController().signal
  const open = await opened(new File([readFileSync(path)], file), settings, signal, () => undefined)
  const model = await chosen(open, id, signal)
  const subject = { file: path, settings, isTag: open.isTag, isNumber: open.isNumber }
  const command = commandOf(subject, model, learner)
  const code = typescriptOf(subject, model, learner)
  const { fitted } = await learnRun(1, open, model, learner, { signal, tell: () => undefined, command, code })
  return { json: `${JSON.stringify(fitted)}\n`, model, command, code }
}

async function chosen(open: OpenTable, id: string, signal: AbortSignal): Promise<ModelChoice> {
  if (id === "auto") return { kind: "auto" }
  const offers = await offersFor(open.reports, open.settings, open.isTag)
  const offer = offers.find(one => one.id === id)
  expect(offer, `${id} among ${offers.map(one => one.id).join(", ")}`).toBeDefined()
  const { title, spec, flags, pooled, find } = offer!
  if (find) return { kind: "tree", title, ...(await found(open, find, signal)) }
  return flags
    ? { kind: "named", id, title, flags, spec: spec!, ...(pooled && { pooled }) }
    : { kind: "tree", title, spec: spec! }
}

/** The words of a line as a shell takes them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain)
}

/** The model that the command writes, in a folder with model.json. */
async function byCommand(line: string, model: ModelChoice): Promise<string> {
  if (model.kind === "tree") writeFileSync(join(folder, "model.json"), JSON.stringify(model.spec))
  const said: string[] = []
  const session = openSession({
    json: false,
    quiet: true,
    signal: new AbortController().signal,
    command: line,
    version: "0",
  })
  session.print = async text => void said.push(text)
  const [name, ...words] = wordsOf(line)
  expect(name).toBe("suffice")
  const out = words.at(-1)!
  const argv = words.map(word => (/^(model|learned)\.json$/.test(word) ? join(folder, word) : word))
  await program(session, () => undefined).parseAsync(argv, { from: "user" })
  expect(said.join("\n")).toContain("The model is in")
  return readFileSync(join(folder, out), "utf8")
}

test.each<[file: string, settings: Partial<Settings>, model: string, learner: LearnerChoice]>([
  ["cities.csv", { label: "y", as: { y: "category" } }, "auto", { learner: "best" }],
  ["penguins.csv", { label: "species", holdout: 0.3 }, "naive-bayes", { learner: "bayes" }],
  ["penguins.csv", { label: "species" }, "tan", { learner: "em" }],
  ["penguins.csv", { label: "body_mass_g", as: { island: "ignore" } }, "normal", { learner: "em" }],
  [
    "wine.csv",
    { label: "class", as: { class: "category" } },
    "lda",
    { learner: "sdem", loss: "ncll", epochs: 3 },
  ],
  [
    "penguins.csv",
    { label: "species", missing: ["Dream"] },
    "mixture-per-class-2",
    { learner: "em", restarts: 2 },
  ],
  ["cities.csv", { label: "y", as: { y: "category" } }, "naive-bayes", { learner: "em" }],
  ["old-faithful.csv", {}, "mixture-2", { learner: "em" }],
  ["old-faithful.csv", {}, "mixture-normal-2", { learner: "bayes" }],
  ["votes.csv", {}, "network-tree", { learner: "em" }],
  ["mails.csv", { label: "kind" }, "topics-by-label", { learner: "online-em", epochs: 2 }],
  ["earthquakes.csv", { sequence: "", as: { year: "ignore" } }, "chain-2", { learner: "em" }],
  [
    "tags.csv",
    { sequence: "sentence", label: "tag", as: { parity: "ignore" } },
    "tagger",
    { learner: "best" },
  ],
  [
    "tags.csv",
    { sequence: "sentence", label: "parity", as: { tag: "ignore" } },
    "chain-2",
    { learner: "em" },
  ],
])("%s, %j: %s by %j", async (file, settings, id, learner) => {
  const { json, model, command, code } = await inPage(file, settings, id, learner)
  expect((await byCommand(command, model)) === json, command).toBe(true)
  const { values } = await runCode(code, ["fitted"])
  expect(`${JSON.stringify(values.fitted)}\n` === json, code).toBe(true)
})
