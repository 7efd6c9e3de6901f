/** `suffice topics`: what documents are about, and how many topics there are. */
import { type Columns, classes, em, fit, topics } from "suffice"
import { sdem } from "suffice/learn"
import { choose, coherence, completion, diversity, split } from "suffice/measure"
import type { DataAnswer } from "../answers.ts"
import {
  checkColumn,
  type DataOptions,
  type DataPaths,
  dataAnswer,
  dataText,
  openData,
  readBy,
} from "../data.ts"
import { Failure } from "../failure.ts"
import { count, many, percent, plain } from "../format.ts"
import { IN_MEMORY } from "../holdout.ts"
import { breathing } from "../learner.ts"
import type { LooseFitted, LooseModel } from "../loose.ts"
import { type ColumnSource, gathered, thinned } from "../tabular.ts"
import { checkPlace, save } from "../terminal/save.ts"
import { origin, type Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"
import { textTable } from "../terminal/table.ts"
import { type TextChoice, withText } from "../text.ts"
import { type ClassAnswer, classesIn, type FoundTopics, foundTopics, vocabularyOf } from "../topics.ts"

export interface TopicsCommandOptions extends DataOptions, TextChoice {
  readonly k?: readonly number[]
  readonly text?: string
  readonly label?: string
  readonly output?: string
  readonly report?: string
  readonly seed?: number
}

/** How many topics, where nobody says. */
const K = 20
/** Folds by which the number is chosen; rows that a single one is measured on, of ten. */
const FOLDS = 3
const HELD_OUT = 0.1

export interface TriedAnswer {
  readonly k: number
  readonly perplexity: number
  /** Of ln perplexity. */
  readonly standardError: number
}

export async function topicsCommand(
  session: Session,
  paths: DataPaths,
  options: TopicsCommandOptions,
): Promise<void> {
  const { k = [K], label, output, report, seed = 0 } = options
  if (output !== undefined) await checkPlace(output, "the model")
  if (report !== undefined) await checkPlace(report, "the report")
  const reading = session.progress("reading")
  const table = await openData(paths, options, {
    signal: session.signal,
    onRows: rows => reading.advance(rows),
    ...(label !== undefined && { label }),
    ...(options.text !== undefined && { asIfThere: { [options.text]: "text" as const } }),
  })
  try {
    for (const [option, column] of Object.entries({ "--text": options.text, "--label": label })) {
      if (column !== undefined) checkColumn(table, option, column)
    }
    const reports = await table.summary()
    const text = options.text ?? onlyText(reports)
    const body = async (count: number): Promise<LooseModel> =>
      withText(declared(text, label, count) as unknown as LooseModel, options)
    const model = await body(k[0])
    const data = dataAnswer(table.name, reports, model)
    await session.print(dataText(data))

    // of a folder, the files
    const named = reports.find(({ kind }) => kind === "id")?.name
    const source = table.read(readBy(model, table, named === undefined ? [] : [named])) as ColumnSource
    const memory = data.rows <= IN_MEMORY ? ((await gathered(source)) as Columns) : undefined
    const documents =
      memory ?? ((await gathered(thinned(source, IN_MEMORY / data.rows / 2, seed))) as Columns)
    const bar = session.progress(
      k.length > 1 ? "choosing" : "learning",
      k.length > 1 ? FOLDS * k.length + 1 : 2,
      "fits",
    )
    const learner = breathing(em())
    const fitting = { seed, signal: session.signal }
    const { fitted, tried, why } =
      k.length > 1
        ? await chosenOf(
            await Promise.all(k.map(async count => ({ name: String(count), model: await body(count) }))),
            memory ?? source,
          )
        : await single(model)
    bar.stop()
    for (const { message } of fitted.diagnostics) session.note(`note: ${message}`)

    const words = vocabularyOf(fitted, text)
    const npmi = coherence(fitted, documents, { top: Math.min(10, words) })
    const found = foundTopics(fitted, text, documents, npmi.topics, named)
    const different = diversity(fitted, { top: Math.min(25, words) })
    const byClass = label === undefined ? undefined : await classesOf(fitted, label)
    const quality = {
      perplexity: perplexityOf(tried, found.topics.length),
      npmi: npmi.mean,
      diversity: different,
    }
    await session.print(topicsText(text, data, found, tried, why, quality, byClass))

    if (output !== undefined) {
      await save(output, "the model", put => put(`${JSON.stringify(fitted)}\n`))
      await session.print(`\nThe model is in ${shown(output)}.`)
    }
    if (report !== undefined) {
      const { topicsReport } = await import("../report/topics.ts")
      const page = topicsReport({
        title: `${many(found.topics.length, "topic")} in ${data.name}`,
        lead: `Found in ${many(data.rows, "document")} of ${text}, ${many(found.words, "word")}.`,
        command: session.command,
        facts: [
          ["data", `${data.name}, ${many(data.rows, "row")}`],
          ["seed", String(seed)],
          ...origin(session),
        ],
        warnings: fitted.diagnostics.map(({ message }) => message),
        data,
        found,
        quality,
        tried,
        why,
        ...(byClass && { label, byClass }),
      })
      await save(report, "the report", put => put(page))
      await session.print(`\nThe report is in ${shown(report)}.`)
    }
    await session.answer({
      command: "topics",
      data,
      text,
      k: found.topics.length,
      words: found.words,
      topics: found.topics,
      ...quality,
      candidates: tried,
      ...(byClass && { label, classes: byClass }),
      seed,
      diagnostics: fitted.diagnostics,
      output: output ?? null,
      report: report ?? null,
    })

    /** One number of topics, learned from all documents; its perplexity is that on a tenth, learned from the others. */
    async function single(model: LooseModel): Promise<Fits> {
      const fitted = await fit(model, memory ?? source, { ...fitting, learner })
      bar.advance(1)
      const { train, test } = split(documents, { test: HELD_OUT, seed })
      const { perplexity } = completion(await fit(model, train, { ...fitting, learner }), test, { seed })
      return { fitted, tried: [{ k: k[0], perplexity, standardError: Number.NaN }], why: "" }
    }

    async function chosenOf(
      models: readonly { readonly name: string; readonly model: LooseModel }[],
      rows: Columns | ColumnSource,
    ): Promise<Fits> {
      const choice = await choose(models, rows, {
        ...fitting,
        criterion: "completion",
        folds: FOLDS,
        learners: { em: learner },
        onTrial: ({ model }) => bar.advance(1, many(Number(model), "topic")),
      })
      const tried = choice.trials.map(({ model, score, standardError }) => ({
        k: Number(model),
        perplexity: Math.exp(score),
        standardError,
      }))
      return { fitted: choice.fitted as LooseFitted, tried, why: whyOf(tried, Number(choice.model)) }
    }

    /** The same topics, learned to tell the classes apart, for their words. */
    async function classesOf(fitted: LooseFitted, label: string): Promise<ClassAnswer[]> {
      const learning = session.progress("telling classes apart")
      const apart = await fit(await body(found.topics.length), documents, {
        ...fitting,
        learner: breathing(sdem({ loss: "ncll" })),
      })
      learning.stop()
      return classesIn(fitted, apart as LooseFitted, label, documents)
    }
  } finally {
    await table.close()
  }
}

interface Fits {
  readonly fitted: LooseFitted
  readonly tried: readonly TriedAnswer[]
  readonly why: string
}

/** With a label all classes share the topics, in proportions of their own. */
function declared(text: string, label: string | undefined, k: number): unknown {
  return label === undefined ? topics(k, text) : classes(label, topics(0, text, { shared: k }))
}

function onlyText(reports: readonly { readonly name: string; readonly kind: string }[]): string {
  const texts = reports.filter(({ kind }) => kind === "text").map(({ name }) => name)
  if (texts.length === 1) return texts[0]
  throw new Failure(
    "usage",
    texts.length === 0
      ? "no column looks like text. Topics are those of documents, one per row. Name their column with --text."
      : `${texts.length} columns look like text: ${texts.map(name => JSON.stringify(name)).join(", ")}. Topics are those of one. Name it with --text.`,
  )
}

/** Why this number, in a sentence: choose() takes the simplest within one standard error of the best. */
function whyOf(tried: readonly TriedAnswer[], k: number): string {
  const best = tried.reduce((a, b) => (b.perplexity < a.perplexity ? b : a))
  const verb = k === 1 ? "has" : "have"
  const most = Math.max(...tried.map(one => one.k))
  return best.k === k
    ? `${many(k, "topic")} ${verb} the lowest perplexity.${k === most ? " No larger number was tried, and one may have a lower perplexity still." : ""}`
    : `${many(k, "topic")} ${verb} a perplexity within one standard error of the lowest, that of ${many(best.k, "topic")}, and ${k === 1 ? "is" : "are"} the fewest that do.`
}

function perplexityOf(tried: readonly TriedAnswer[], k: number): number {
  return tried.find(one => one.k === k)?.perplexity ?? Number.NaN
}

function topicsText(
  text: string,
  data: DataAnswer,
  { topics, words }: FoundTopics,
  tried: readonly TriedAnswer[],
  why: string,
  quality: { readonly perplexity: number; readonly npmi: number; readonly diversity: number },
  byClass: readonly ClassAnswer[] | undefined,
): string {
  const numbers = textTable(
    [{ title: "topics", align: "right" }, { title: "perplexity", align: "right" }, { title: "" }],
    tried.map(one => [String(one.k), plain(one.perplexity), one.k === topics.length ? "← chosen" : ""]),
  )
  const listed = textTable(
    [
      { title: "topic", align: "right" },
      { title: "share", align: "right" },
      { title: "NPMI", align: "right" },
      { title: "words" },
    ],
    topics.map(one => [
      String(one.topic),
      percent(one.share),
      one.coherence.toFixed(2),
      one.words.map(({ word }) => word).join(" "),
    ]),
  )
  const told = (byClass ?? []).map(
    one =>
      `  ${shown(one.level)} (${many(one.rows, "row")})\n    most frequent:    ${shown(one.generative.join(" "))}\n    telling it apart: ${shown(one.discriminative.join(" "))}`,
  )
  return [
    `${many(topics.length, "topic")} in ${many(data.rows, "document")} of ${shown(text)}, ${count(words)} words:`,
    `\n${listed}\n`,
    ...(tried.length > 1
      ? [`How many, by completion: half of a document predicts the rest.\n\n${numbers}\n\n${why}\n`]
      : []),
    ...(told.length > 0
      ? [`The words of each class, described and told apart:\n\n${told.join("\n")}\n`]
      : []),
    `Perplexity of completion on documents it had not learned from: ${plain(quality.perplexity)}. Coherence (NPMI) ${quality.npmi.toFixed(3)}, diversity ${quality.diversity.toFixed(2)}.`,
  ].join("\n")
}
