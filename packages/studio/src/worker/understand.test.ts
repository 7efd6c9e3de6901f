/** What is said of rows: which cell makes one strange, where it stands in the file, and to which group it belongs. */
import { readFileSync } from "node:fs"
import { dice } from "suffice"
import { expect, test } from "vitest"
import type { News, Settings } from "../bench/types.ts"
import { offersFor } from "./gallery.ts"
import { learnRun, loadedRun, type Run } from "./runs.ts"
import { type OpenTable, opened, rowAt } from "./table.ts"
import { answerOf, filledHoles, groupsIn, rowsOfCell, strangeRows, understandingOf } from "./understand.ts"

const PLAIN: Settings = {
  as: {},
  label: undefined,
  weight: undefined,
  sequence: undefined,
  missing: [],
  seed: 2,
  holdout: 0.2,
  folds: 0,
}
const signal = new AbortController().signal

async function learned(
  name: string,
  text: string | Uint8Array<ArrayBuffer>,
  said: Partial<Settings>,
  id: string,
  news: News[] = [],
): Promise<{ open: OpenTable; run: Run }> {
  const settings = { ...PLAIN, ...said }
  const open = await opened(new File([text], name), settings, signal, () => undefined)
  const offers = await offersFor(open.reports, settings, open.isTag)
  const { title, spec } = offers.find(one => one.id === id)!
  const learning = { signal, tell: (one: News) => void news.push(one), command: "", code: "" }
  const run = await learnRun(1, open, { kind: "tree", title, spec: spec! }, { learner: "em" }, learning)
  return { open, run }
}

const sample = (file: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(`../../public/samples/${file}`, import.meta.url)))

test("the cell that makes a row strange is the odd one, whatever the columns are measured in", async () => {
  const die = dice(1)
  const rows = Array.from({ length: 400 }, (_, i) => {
    const [grams, share] = [4000 + 500 * die.normal(), 0.5 + 0.01 * die.normal()]
    return [i === 57 ? 9000 : grams, i === 123 ? 0.7 : share, i === 300 ? "rare" : `k${i % 3}`].join(",")
  })
  const { run } = await learned("mixed.csv", `grams,share,kind\n${rows.join("\n")}\n`, {}, "independent")
  const strange = strangeRows(run)
  expect(
    strange
      .slice(0, 2)
      .map(({ at, column }) => [at, column])
      .sort(),
  ).toEqual([
    [123, "share"],
    [57, "grams"],
  ])
  expect(strange.find(({ at }) => at === 300)?.column).toBe("kind")
})

test("rows that are listed are numbered as in the file", async () => {
  const { open, run } = await learned(
    "penguins.csv",
    sample("penguins.csv"),
    { label: "species" },
    "naive-bayes",
  )
  const seen = new Set<number>()
  for (const truth of ["Adelie", "Chinstrap", "Gentoo"]) {
    for (const { at, cells } of rowsOfCell(run, truth, truth)) {
      seen.add(at)
      expect(cells).toEqual(rowAt(open.cells, at))
    }
  }
  expect(seen.size).toBeGreaterThan(60)
  for (const { at, column } of filledHoles(run)) expect(rowAt(open.cells, at)[column]).toBeNull()
  // none of them was learned from: the 20 % that are held out
  expect(run.view.measured).toBe(69)
})

test("a row belongs to groups that nobody named: components, topics", async () => {
  const geyser = await learned("old-faithful.csv", sample("old-faithful.csv"), {}, "mixture-normal-2")
  const { levels, probabilities } = answerOf(geyser.run, { eruptions: 1.8, waiting: 50 })
  expect(levels).toEqual(["component 0", "component 1"])
  expect(Math.max(...probabilities)).toBeGreaterThan(0.99)
  expect(probabilities[0] + probabilities[1]).toBeCloseTo(1, 12)
  const news = await learned("news.csv", sample("news.csv"), { as: { section: "ignore" } }, "topics-5")
  const found = groupsIn(news.run.fitted, [{ text: "goal penalty team match" }] as never)!
  expect(found.names).toEqual(["topic 1", "topic 2", "topic 3", "topic 4", "topic 5"])
  expect(Math.max(...found.shares)).toBeGreaterThan(0.4)
})

test("the page hears of every step, however short", async () => {
  const news: News[] = []
  const { run } = await learned("old-faithful.csv", sample("old-faithful.csv"), {}, "mixture-normal-2", news)
  const heard = news.flatMap(one => (one.kind === "steps" ? one.steps.map(({ objective }) => objective) : []))
  expect(heard).toEqual(run.view.trace)
  expect(heard.length).toBeGreaterThan(2)
})

test("a model that is opened alone, or beside another table, is understood without rows", async () => {
  const { run } = await learned("penguins.csv", sample("penguins.csv"), { label: "species" }, "naive-bayes")
  const { open } = await learned("old-faithful.csv", sample("old-faithful.csv"), {}, "mixture-normal-2")
  for (const table of [undefined, open]) {
    const loaded = await loadedRun(run.view, run.fitted, table, signal)
    const { learned: drawn, plane, levels, columns, rows } = await understandingOf(loaded, {})
    expect([drawn, plane, rows]).toEqual([undefined, undefined, 0])
    expect(levels).toEqual(["Adelie", "Chinstrap", "Gentoo"])
    expect(columns.map(({ name }) => name)).toContain("body_mass_g")
  }
})
