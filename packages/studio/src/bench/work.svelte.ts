/**
 * The work on the bench: the data, what was said of it, the model, the runs. Everything is computed by the worker.
 * Long because the page has one state.
 */

import { go } from "../route.svelte.ts"
import { connect, WorkerError } from "../worker/channel.ts"
import type { Functions } from "../worker/worker.ts"
import { commandOf, type Subject, typescriptOf } from "./code.ts"
import { fromFile, type Kept, keep, keptWork, throwAway } from "./kept.ts"
import type { Sample } from "./samples.ts"
import type {
  Board,
  LearnerChoice,
  ModelChoice,
  News,
  Offer,
  RunView,
  Settings,
  TableView,
  Understanding,
} from "./types.ts"

const PLAIN: Settings = {
  as: {},
  label: undefined,
  weight: undefined,
  sequence: undefined,
  missing: [],
  seed: 0,
  holdout: 0.2,
  folds: 0,
}

/** Curves that are drawn: another start, or another objective (the first guess of sdEM is EM's), has one of its own. */
export interface Live {
  readonly title: string
  /** The run it became. */
  readonly run?: number
  readonly curves: readonly (readonly { readonly x: number; readonly y: number }[])[]
}

const TITLES: Readonly<Record<string, string>> = {
  best: "what fits best",
  em: "EM",
  bayes: "bayes",
  "online-em": "online EM",
  sdem: "sdEM",
  ncll: "sdEM, NCLL",
  hinge: "sdEM, hinge",
}

class Work {
  file: File | undefined = $state.raw()
  settings: Settings = $state.raw(PLAIN)
  view: TableView | undefined = $state.raw()
  offers: readonly Offer[] = $state.raw([])
  choice: ModelChoice = $state.raw({ kind: "auto" })
  runs: readonly RunView[] = $state.raw([])
  board: Board | undefined = $state.raw()
  chosen: number | undefined = $state()
  understanding: Understanding | undefined = $state.raw()
  /** What is being done; undefined: nothing. */
  busy: string | undefined = $state()
  said = $state("")
  problem: string | undefined = $state()
  live: readonly Live[] = $state.raw([])
  isHeld = $state(false)
  isLearning = $state(false)
  #stop: AbortController | undefined
  #connection = connect<Functions>(
    new Worker(new URL("../worker/worker.ts", import.meta.url), { type: "module" }),
  )

  get call() {
    return this.#connection.call
  }

  /** Does something long; a refusal becomes a sentence, and what was there stays. */
  async doing<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    this.busy = what
    this.problem = undefined
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof WorkerError && error.code === "stopped")) this.problem = sentence(error)
      return undefined
    } finally {
      this.busy = undefined
      this.said = ""
    }
  }

  async openAny(file: File): Promise<void> {
    if (/\.json$/i.test(file.name) && file.size < 100_000_000) {
      const json = await file
        .text()
        .then(JSON.parse)
        .catch(() => undefined)
      if (json?.format === "suffice-studio") {
        await this.doing("Opening the saved work", async () => this.restore(fromFile(json)))
        return
      }
      if (json?.format === "suffice") return this.openModel(file)
    }
    await this.open(file, PLAIN, true)
  }

  async open(file: File, settings: Settings, isNew = false): Promise<boolean> {
    const view = await this.doing(`Reading ${file.name}`, () =>
      this.call("open", [file === this.file ? undefined : file, settings], {
        onNews: ((text: string) => {
          this.said = text
        }) as never,
      }),
    )
    if (!view) return false
    this.file = file
    this.settings = settings
    this.view = view
    this.runs = []
    this.board = undefined
    this.chosen = undefined
    this.understanding = undefined
    this.choice = { kind: "auto" }
    this.live = []
    if (isNew && settings.label === undefined && settings.sequence === undefined && view.guess !== undefined)
      return this.open(file, { ...settings, label: view.guess })
    await this.findOffers()
    await this.save()
    return true
  }

  async findOffers(): Promise<void> {
    const offers = await this.call("offers", []).catch(error => {
      this.problem = sentence(error)
      return []
    })
    this.offers = offers
    if (this.settings.label !== undefined && this.settings.sequence === undefined) return
    const first = offers.find(({ id, spec }) => spec && /^(chain|tagger|mixture|topics)/.test(id))
    const preferred = offers.find(({ id }) => id === "topics-5") ?? first
    if (preferred) await this.pick(preferred)
  }

  /** A model of the gallery; a network is found in the rows first. */
  async pick({ id, title, flags, pooled, spec, find }: Offer): Promise<void> {
    if (flags && spec) this.choice = { kind: "named", id, title, flags, spec, ...(pooled && { pooled }) }
    else if (spec) this.choice = { kind: "tree", title, spec }
    else if (find) {
      const got = await this.doing("Looking for a network in the rows", () => this.call("find", [find]))
      if (got) this.choice = { kind: "tree", title, ...got }
    }
  }

  async openSample({ file, settings }: Sample): Promise<void> {
    const answer = await fetch(`./samples/${file}`)
    await this.open(new File([await answer.blob()], file), { ...PLAIN, ...settings })
  }

  /** Says something else of the data, and reads it anew. */
  async change(settings: Partial<Settings>): Promise<void> {
    if (this.file) await this.open(this.file, { ...this.settings, ...settings })
  }

  get #subject(): Subject {
    return {
      file: this.file?.name ?? "data.csv",
      settings: this.settings,
      isTag: this.view?.isTag ?? false,
      isNumber: this.view?.isNumber ?? false,
    }
  }

  command(learner: LearnerChoice): string {
    return commandOf(this.#subject, this.choice, learner)
  }

  code(learner: LearnerChoice): string {
    return typescriptOf(this.#subject, this.choice, learner)
  }

  /** One run after the other. */
  async learn(learners: readonly LearnerChoice[]): Promise<void> {
    this.isLearning = true
    this.#stop = new AbortController()
    try {
      for (const learner of learners) {
        if (this.#stop.signal.aborted) break
        const curves: { x: number; y: number }[][] = []
        let last = { iteration: Infinity, run: -1 }
        const title = TITLES[learner.loss ?? learner.learner]
        const others = this.live.filter(one => one.run !== undefined)
        const same = { command: this.command(learner), code: this.code(learner) }
        const run = await this.doing(`Learning by ${title}`, () =>
          this.call("learn", [$state.snapshot(this.choice) as ModelChoice, learner, same, this.settings], {
            signal: this.#stop!.signal,
            onNews: ((news: News) => {
              if (news.kind === "said") this.said = news.text
              else {
                for (const { iteration, run, objective } of news.steps) {
                  if (run !== last.run || iteration <= last.iteration) curves.push([])
                  curves.at(-1)!.push({ x: iteration, y: objective })
                  last = { iteration, run }
                }
                this.live = [...others, { title, curves: curves.map(curve => [...curve]) }]
              }
            }) as never,
          }),
        )
        if (!run) break
        this.live = [...others, { title, run: run.id, curves }]
        this.runs = [...this.runs, run]
        this.board = await this.call("board", [])
        await this.choose(this.board.best ?? run.id)
      }
    } finally {
      this.isLearning = false
      if (this.isHeld) await this.hold(false)
      await this.save()
    }
  }

  async hold(isHeld: boolean): Promise<void> {
    this.isHeld = isHeld
    await this.call("hold", [isHeld])
  }

  async stop(): Promise<void> {
    this.#stop?.abort()
    await this.hold(false)
  }

  async choose(id: number): Promise<void> {
    this.chosen = id
    this.understanding = await this.call("understand", [id]).catch(error => {
      this.problem = sentence(error)
      return undefined
    })
  }

  async forget(id: number): Promise<void> {
    await this.call("forget", [id])
    this.live = this.live.filter(({ run }) => run !== id)
    this.runs = this.runs.filter(run => run.id !== id)
    this.board = await this.call("board", [])
    if (this.chosen === id) {
      const next = this.board.best ?? this.runs.at(-1)?.id
      if (next === undefined) {
        this.chosen = undefined
        this.understanding = undefined
      } else await this.choose(next)
    }
  }

  get run(): RunView | undefined {
    return this.runs.find(({ id }) => id === this.chosen)
  }

  async openModel(file: File): Promise<void> {
    await this.doing(`Opening ${file.name}`, async () => {
      const run = await this.call("load", [file.name, await file.text()])
      this.runs = [...this.runs, run]
      if (this.view) this.board = await this.call("board", [])
      await this.choose(run.id)
      // it is where it can be seen: among the runs, or ready to be used
      go(this.view ? "learn" : "use")
    })
  }

  // ── kept ──

  async snapshot(): Promise<Kept | undefined> {
    if (!this.file) return undefined
    const models = await Promise.all(
      this.runs.map(async ({ id, title }) => ({ title, json: await this.call("model", [id]) })),
    )
    return {
      format: "suffice-studio",
      version: 1,
      name: this.file.name,
      file: this.file,
      settings: $state.snapshot(this.settings) as Settings,
      choice: $state.snapshot(this.choice) as ModelChoice,
      models,
    }
  }

  async save(): Promise<void> {
    const work = await this.snapshot()
    // a browser may keep nothing: then the work lasts as long as the page
    if (work && work.file.size < 200_000_000) await keep(work).catch(() => undefined)
  }

  async restore(work: Kept): Promise<void> {
    const file = new File([work.file], work.name)
    if (!(await this.open(file, work.settings))) return
    this.choice = work.choice
    for (const { title, json } of work.models) {
      const run = await this.call("load", [title, json])
      this.runs = [...this.runs, run]
    }
    this.board = await this.call("board", [])
    const last = this.board.best ?? this.runs.at(-1)?.id
    if (last !== undefined) await this.choose(last)
  }

  async restoreKept(): Promise<void> {
    const kept = await keptWork().catch(() => undefined)
    if (kept && !this.file) await this.restore(kept)
  }

  async throwAway(): Promise<void> {
    await throwAway().catch(() => undefined)
    location.reload()
  }
}

export function sentence(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error)
  return said.charAt(0).toUpperCase() + said.slice(1)
}

export const work = new Work()
