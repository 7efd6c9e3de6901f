/**
 * The worker of the workbench: everything that is computed is computed here, by suffice, with threads.
 * Long because it lists all that the page may ask for.
 */
import { type Columns, declare, load, type Row } from "suffice"
import type { Search } from "suffice/structure"
import {
  cardOf,
  count,
  holdWith,
  type LooseFitted,
  pooledFor,
  remembered,
  rowCount,
  stemmersIn,
  typedCells,
} from "suffice-cli/browser"
import { encode, pooling, quoted } from "suffice-files/columns"
import type {
  Answer,
  Board,
  Evidence,
  Filled,
  Found,
  LearnerChoice,
  ModelChoice,
  Offer,
  RowView,
  RunView,
  Settings,
  Spec,
  Strange,
  TableView,
  Understanding,
  Waterfall,
} from "../bench/types.ts"
import { openFile } from "../read/open.ts"
import { boardOf } from "./board.ts"
import { type Line, serve } from "./channel.ts"
import { offersFor } from "./gallery.ts"
import { askedOf, found, networkIn } from "./network.ts"
import { cutOf } from "./run-task.ts"
import { learnRun, loadedRun, type Run } from "./runs.ts"
import { type OpenTable, opened, rowAt, rowsBetween, shownCell, viewOf } from "./table.ts"
import {
  answerOf,
  filledHoles,
  groupsIn,
  modelColumns,
  placeIn,
  rowsOfCell,
  strangeRows,
  understandingOf,
  waterfallOf,
} from "./understand.ts"

let table: OpenTable | undefined
let runs: Run[] = []
let last = 0
let holding: { readonly until: Promise<void>; readonly release: () => void } | undefined
holdWith(() => holding?.until)

function current(): OpenTable {
  if (!table)
    throw new Error("no table is open. There is nothing to learn from. Drop a file on the page first.")
  return table
}

function runWith(id: number): Run {
  const run = runs.find(({ view }) => view.id === id)
  if (!run) throw new Error("this run is gone. The data was opened anew since. Learn it again.")
  return run
}

const functions = {
  /** Opens a file, or with other settings the one that is open. What was there stays if it cannot be. */
  async open(line: Line, file: File | undefined, settings: Settings): Promise<TableView> {
    let rows = 0
    let told = 0
    const onRows = (more: number): void => {
      rows += more
      if (rows - told < 50_000) return
      told = rows
      line.tell(`${count(rows)} rows`)
    }
    const next = file
      ? await opened(file, settings, line.signal, onRows)
      : await opened(current().file, settings, line.signal, onRows, current())
    if (next.reader !== table?.reader) await table?.table.close()
    table = next
    runs = []
    return viewOf(next)
  },

  rows: (_: Line, from: number, to: number): RowView[] => (table ? rowsBetween(table, from, to) : []),

  offers: (_: Line): Promise<Offer[]> => offersFor(current().reports, current().settings, current().isTag),

  /** A network, found in the rows that are learned from. */
  find: (line: Line, search: Search): Promise<{ spec: Spec; found: Found }> =>
    found(current(), search, line.signal),

  /** What follows for the columns of a network. */
  ask(_: Line, id: number, evidence: Evidence): Record<string, Record<string, number>> {
    const { fitted } = runWith(id)
    return askedOf(fitted, networkIn(fitted, modelColumns(fitted)) ?? [], evidence, cells =>
      typedCells(fitted, cells),
    )
  },

  /** Is this tree a model? Its own refusal says why not. */
  async check(_: Line, spec: Spec): Promise<void> {
    declare(spec, { stemmers: await stemmersIn(spec) })
  },

  async learn(
    line: Line,
    model: ModelChoice,
    learner: LearnerChoice,
    same: { readonly command: string; readonly code: string },
    settings: Settings,
  ): Promise<RunView> {
    // seed, held-out share and folds change without the file being read anew
    table = { ...current(), settings }
    const run = await learnRun(++last, table, model, learner, {
      ...same,
      signal: line.signal,
      tell: news => line.tell(news),
    })
    runs.push(run)
    return run.view
  },

  hold(_: Line, isHeld: boolean): void {
    if (isHeld && !holding) {
      let release: () => void = () => undefined
      const until = new Promise<void>(resolve => {
        release = resolve
      })
      holding = { until, release }
    } else if (!isHeld) {
      holding?.release()
      holding = undefined
    }
  },

  forget(_: Line, id: number): void {
    runs = runs.filter(({ view }) => view.id !== id)
  },

  board: (_: Line): Board => boardOf(runs),
  understand: (_: Line, id: number): Promise<Understanding> =>
    understandingOf(runWith(id), table ? cutOf(table) : {}),
  strange: (_: Line, id: number): Strange[] => strangeRows(runWith(id)),
  holes: (_: Line, id: number): Filled[] => filledHoles(runWith(id)),
  cell: (_: Line, id: number, truth: string, predicted: string): RowView[] =>
    rowsOfCell(runWith(id), truth, predicted),
  row: (_: Line, id: number, row: number): { cells: Row; at: number } => ({
    cells: rowAt(runWith(id).looked, row),
    at: placeIn(runWith(id).places, row),
  }),
  answer: (_: Line, id: number, row: Row): { answer: Answer; waterfall: Waterfall | undefined } => ({
    answer: answerOf(runWith(id), row),
    waterfall: waterfallOf(runWith(id), row),
  }),

  /** The model as `suffice fit -o` writes it. */
  model: (_: Line, id: number): string => `${JSON.stringify(runWith(id).fitted)}\n`,

  /** The report that `suffice fit --report` writes. */
  async report(_: Line, id: number): Promise<string> {
    const run = runWith(id)
    const { fitted, choice, view } = run
    const { report } = await import("suffice-cli/report")
    const shown = {
      command: view.command,
      origin: [
        ["suffice studio", "0.1.0"],
        ["made", new Date().toISOString()],
      ] as const,
    }
    const { task, measurement } = run
    const outcome = { learned: { fitted, seconds: view.seconds, ...(choice && { choice }) }, measurement }
    const findings = task!.findings(fitted, measurement)
    const name = run.steps === undefined ? (choice?.name ?? view.title) : task!.name
    const card = await cardOf(shown, task!, { ...outcome, findings }, { name, by: view.by })
    return report(card)
  },

  /** New rows with what the model says of them. */
  async predict(
    line: Line,
    id: number,
    file: File,
    loss: Readonly<Record<string, Readonly<Record<string, number>>>> | undefined,
  ): Promise<{ rows: number; head: readonly string[]; first: readonly (readonly string[])[]; csv: string }> {
    const { fitted, view } = runWith(id)
    const { target } = view
    const opened = await openFile(file, { asIfThere: remembered(fitted), signal: line.signal })
    const pooled = pooling(await pooledFor(fitted))
    const names = opened.columns.map(({ name }) => name)
    const used = new Set<string>(
      fitted.model.uses.map(({ column }) => column).filter(column => column !== target),
    )
    const present = [...used].filter(column => opened.has(column))
    if (present.length === 0)
      throw new Error(
        `${quoted(file.name)} has none of the columns that the model reads (${[...used].slice(0, 8).join(", ")}). It says nothing of such rows. Drop a table with these columns.`,
      )
    const csv: string[] = []
    const first: string[][] = []
    let head: string[] = []
    let rows = 0
    for await (const batch of opened.read([...new Set([...present, ...names])])) {
      const columns = pooled(batch as Columns)
      const own = Object.fromEntries(present.map(name => [name, columns[name]])) as Columns
      const made = predictionsOf(fitted, view, own, loss)
      head = [...names, ...made.head]
      const n = rowCount(columns)
      const table: Record<string, unknown[]> = {}
      names.forEach(name => {
        table[name] = Array.from(batch[name as never] as ArrayLike<unknown>)
      })
      made.head.forEach((name, c) => {
        table[name] = made.columns[c]
      })
      csv.push(encode(table as never, { format: "csv", columns: head, header: rows === 0 }))
      for (let i = 0; i < n && first.length < 200; i++)
        first.push(head.map(name => String(shownCell(table[name][i] as never) ?? "")))
      rows += n
    }
    await opened.close()
    return { rows, head, first, csv: csv.join("") }
  },

  /** A saved model becomes a run of its own. */
  async load(line: Line, name: string, text: string): Promise<RunView> {
    const fitted = await loaded(name, text)
    const run = await loadedRun(viewOfLoaded(++last, name, fitted), fitted, table, line.signal)
    runs.push(run)
    return run.view
  },

  columns: (_: Line, id: number): ReturnType<typeof modelColumns> => modelColumns(runWith(id).fitted),
}

function predictionsOf(
  fitted: LooseFitted,
  { target, kind }: RunView,
  columns: Columns,
  loss: Readonly<Record<string, Readonly<Record<string, number>>>> | undefined,
): { head: string[]; columns: unknown[][] } {
  if (target === undefined) {
    const found = groupsIn(fitted, columns)
    if (!found)
      throw new Error(
        "this model has neither a label nor groups. There is nothing to say of new rows one by one. Learn a mixture, or a model with a label.",
      )
    const { names, shares } = found
    return { head: [found.kind, ...names.map(name => `p(${name})`)], columns: chances(names, shares) }
  }
  if (kind === "number") {
    const answers = fitted.predict(columns as never, { target } as never) as unknown as {
      value: number
      sd?: number
    }[]
    return {
      head: [`predicted ${target}`, "sd"],
      columns: [answers.map(({ value }) => value), answers.map(({ sd }) => sd ?? null)],
    }
  }
  const { levels, probabilities } = fitted.posterior(columns as never, { target } as never)
  const names = (levels as readonly unknown[]).map(String)
  const decided = loss ? fitted.decide(columns as never, { target, loss } as never) : undefined
  return {
    head: [
      `predicted ${target}`,
      ...names.map(level => `p(${level})`),
      ...(decided ? ["action", "expected cost"] : []),
    ],
    columns: [
      ...chances(names, probabilities),
      ...(decided
        ? [decided.map(({ action }) => action), decided.map(({ risk }) => Number(risk.toPrecision(6)))]
        : []),
    ],
  }
}

/** The most probable one of each row, and how probable each is. */
function chances(names: readonly string[], probabilities: ArrayLike<number>): unknown[][] {
  const k = names.length
  const rows = probabilities.length / k
  const best = Array.from({ length: rows }, (_, i) => {
    let top = 0
    for (let l = 1; l < k; l++) if (probabilities[i * k + l] > probabilities[i * k + top]) top = l
    return names[top]
  })
  return [
    best,
    ...names.map((_, l) =>
      Array.from({ length: rows }, (_, i) => Number(probabilities[i * k + l].toPrecision(6))),
    ),
  ]
}

async function loaded(name: string, text: string): Promise<LooseFitted> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Error(
      `${quoted(name)} is not JSON. A model is saved as JSON; this file is something else, or was cut off. Drop a model that the studio or suffice fit -o has written.`,
    )
  }
  return load(json, { stemmers: await stemmersIn((json as { model?: unknown }).model) }) as LooseFitted
}

function viewOfLoaded(id: number, name: string, fitted: LooseFitted): RunView {
  const { training } = fitted
  const target = fitted.model.target
  const column = modelColumns(fitted).find(one => one.name === target)
  return {
    id,
    title: `The model of ${name}`,
    by: training?.learner.name ?? "hand",
    seconds: 0,
    rows: training?.rows ?? 0,
    measured: 0,
    free: fitted.free,
    target,
    kind: column === undefined ? "none" : column.kind === "level" ? "levels" : "number",
    command: `suffice predict ${name} DATA`,
    code: "",
    trace: training?.trace ?? [],
    notes: fitted.diagnostics.map(({ message }) => message),
    spec: JSON.parse(JSON.stringify(fitted.model.spec)) as Spec,
  }
}

export type Functions = typeof functions

serve(functions)
