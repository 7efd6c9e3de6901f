/**
 * Chains beside CRFsuite, NLTK's perceptron and hmmlearn: tags of words, classes of sequences, states of series, and time. Every system gets the same rows and features.
 *
 *     npm run bench:chains                    everything, and the page
 *     npm run bench:chains -- chunking names  these parts only, printed, no page; what is computed is kept
 *     npm run bench:chains -- --kept          the page from what is kept; what is not says so
 *     npm run bench:chains -- --renew speed   these parts anew on the page, the others as they stand there; none: its words alone
 *     npm run bench:chains -- --tune          the settings of CRFsuite and α of words only, chosen on sentences that are trained on
 */
import { em } from "suffice"
import { sdem } from "suffice/learn"
import { chunking, movement, names, type Sentence, series, speech } from "./chains/corpora.ts"
import { accuracy, spanF1 } from "./chains/evaluator.ts"
import { chunkFeatures, type Features, speechFeatures, wordsOnly } from "./chains/features.ts"
import {
  type How,
  movementBy,
  namesBy,
  optimumOf,
  type Parameters,
  parametersFrom,
  type TagOptions,
  tagged,
} from "./chains/ours.ts"
import {
  byCrfsuite,
  byNltk,
  lbfgs,
  optimumByHmmlearn,
  PERCEPTRON,
  parametersByHmmlearn,
  peersAre,
  peerVersions,
} from "./chains/peers.ts"
import { speed } from "./chains/speed.ts"
import { requireData } from "./datasets.ts"
import { keptOr } from "./kept.ts"
import { keptParts, mean, median, percent, table, verdict, writePage } from "./page.ts"

/** In the order of the page: the heading of each part, and how many bars it has. */
const PARTS = {
  chunking: { heading: "Chunks (conll2000)", bars: 9 },
  speech: { heading: "Parts of speech (UD English EWT)", bars: 4 },
  names: { heading: "Classes of sequences (names)", bars: 3 },
  movement: { heading: "A tagger of numbers (mocap6)", bars: 1 },
  optima: { heading: "Optima of hidden Markov models", bars: 5 },
  start: { heading: "The same start", bars: 1 },
  speed: { heading: "Time", bars: 11 },
}
type Part = keyof typeof PARTS
const args = process.argv.slice(2)
const keptOnly = args.includes("--kept")
const isRenewed = args.includes("--renew")
peersAre.keptOnly = keptOnly
const asked = args.filter(arg => !arg.startsWith("--"))
const runs = (part: Part): boolean => asked.includes(part) || (asked.length === 0 && !isRenewed)
const SEEDS = [0, 1, 2]
/** Chosen on sentences that are trained on (--tune). */
const C2 = 0.2
const WORDS_ALPHA = 0.1
/** Of the scratch program that the bar of words only comes from, as its log-loss tells: shown, not chosen. */
const SCRATCH_ALPHA = 0.01

/** Undefined: not measured. */
type Maybe<T> = T | undefined
const ours = <T>(job: readonly unknown[], compute: () => Promise<T>): Promise<Maybe<T>> =>
  keptOr("chains", job, keptOnly ? undefined : compute)

const tagsOf = (sentences: readonly Sentence[]) => sentences.map(sentence => sentence.map(({ tag }) => tag))

// ── tags ───────────────────────────────────────────────────────────────────────────────────────────

interface Line {
  readonly name: string
  readonly score: number
  readonly logLoss?: number
  readonly seconds?: number
}

interface Task {
  readonly name: string
  readonly corpus: () => ReturnType<typeof chunking>
  readonly features: Features
  readonly score: typeof spanF1
}

const CHUNKING: Task = { name: "chunking", corpus: chunking, features: chunkFeatures, score: spanF1 }
const SPEECH: Task = { name: "speech", corpus: speech, features: speechFeatures, score: accuracy }

/** One fit of ours, measured. */
function ourLine(
  task: Task,
  name: string,
  how: How,
  options: TagOptions = {},
  features = task.features,
): Promise<Maybe<Line>> {
  return ours(["tags", task.name, name, how, options], async () => {
    const { train, test } = task.corpus()
    const { predicted, logLoss, seconds } = await tagged(train, test, features, how, options)
    const line = { name, score: task.score(tagsOf(test), predicted), logLoss, seconds }
    console.log(
      `  ${task.name}, ${name}: ${percent(line.score, 2)}, ${logLoss.toFixed(4)}, ${seconds.toFixed(1)} s`,
    )
    return line
  })
}

function peerLine(
  task: Task,
  name: string,
  ask: (train: readonly Sentence[], test: readonly Sentence[]) => ReturnType<typeof byNltk>,
): Maybe<Line> {
  const { train, test } = task.corpus()
  const answer = ask(train, test)
  if (!answer) return undefined
  const { predicted, logLoss, seconds } = answer
  const score = task.score(tagsOf(test), predicted)
  console.log(`  ${task.name}, ${name}: ${percent(score, 2)}, ${seconds.toFixed(1)} s`)
  return { name, score, ...(logLoss !== undefined && { logLoss }), seconds }
}

interface Tagging {
  readonly counting: Maybe<Line>
  readonly ncll: Maybe<Line>
  /** By seed. */
  readonly hinge: readonly Maybe<Line>[]
  readonly more: readonly Maybe<Line>[]
  readonly lbfgs: Maybe<Line>
  readonly perceptron: Maybe<Line>
  readonly nltk?: Maybe<Line>
}

async function tagging(task: Task): Promise<Tagging> {
  const isChunking = task === CHUNKING
  const counting = await ourLine(task, "counting, raw, α = 0.1", "counting")
  const hinge: Maybe<Line>[] = []
  for (const seed of SEEDS) hinge.push(await ourLine(task, `sdEM hinge, seed ${seed}`, "hinge", { seed }))
  const ncll = await ourLine(task, "sdEM NCLL", "ncll")
  const more = isChunking
    ? [
        await wordsBy(WORDS_ALPHA),
        await ourLine(task, "half of the tags removed, counting", "counting", { removed: 0.5 }),
        await ourLine(task, "half of the tags removed, sdEM NCLL", "ncll", { removed: 0.5 }),
        await wordsBy(SCRATCH_ALPHA),
      ]
    : []
  return {
    counting,
    ncll,
    hinge,
    more,
    lbfgs: peerLine(task, `CRFsuite, lbfgs, c2 = ${C2}`, (train, test) =>
      byCrfsuite(train, test, task.features, lbfgs(C2)),
    ),
    perceptron: peerLine(task, "CRFsuite, averaged perceptron, 20 passes", (train, test) =>
      byCrfsuite(train, test, task.features, PERCEPTRON),
    ),
    ...(!isChunking && {
      nltk: peerLine(task, "NLTK, averaged perceptron, its own features", (train, test) =>
        byNltk(train, test, 0),
      ),
    }),
  }
}

const wordsBy = (prior: number): Promise<Maybe<Line>> =>
  ourLine(
    CHUNKING,
    `words only, counting, α = ${prior}`,
    "counting",
    { words: { scaling: "raw", prior } },
    wordsOnly,
  )

/** The settings of CRFsuite, and α of words only, on sentences that are trained on. */
async function tune(): Promise<void> {
  const { train, test } = chunking().tuning
  for (const prior of [0.01, 0.03, 0.1, 0.3, 1]) {
    const { predicted } = await tagged(train, test, wordsOnly, "counting", {
      words: { scaling: "raw", prior },
    })
    console.log(`words only, α = ${prior}: ${percent(spanF1(tagsOf(test), predicted), 2)}`)
  }
  for (const task of [CHUNKING, SPEECH]) {
    const { train, test } = task.corpus().tuning
    for (const c2 of [0.1, 0.2, 0.5, 1]) {
      const { predicted, logLoss } = byCrfsuite(train, test, task.features, lbfgs(c2))!
      console.log(
        `${task.name}, c2 = ${c2}: ${percent(task.score(tagsOf(test), predicted), 2)}, ${logLoss?.toFixed(4)}`,
      )
    }
  }
}

// ── sequences and series ───────────────────────────────────────────────────────────────────────────

interface Score {
  readonly accuracy: number
  readonly logLoss: number
}

interface Series5 {
  readonly name: string
  readonly states: number
  readonly ours: Maybe<number>
  readonly hmmlearn: Maybe<number>
}

const RESTARTS = 20
const ITERATIONS = 50

async function optima(): Promise<Series5[]> {
  const found: Series5[] = []
  for (const one of series())
    found.push({
      name: one.name,
      states: one.states,
      ours: await ours(["optimum", one.name, one.states], () => optimumOf(one, RESTARTS)),
      hmmlearn: optimumByHmmlearn(one, RESTARTS)?.best,
    })
  return found
}

/** The same beginning for both: equal chances, and means spread over the range of the series. */
function startOf({ states: k, values }: ReturnType<typeof series>[number]): Parameters {
  const sorted = values.toSorted((a, b) => a - b)
  const spread = mean(values.map(x => (x - mean(values)) ** 2))
  const each = Array.from({ length: k }, (_, l) => l)
  return {
    initial: each.map(() => 1 / k),
    transitions: each.map(i => each.map(j => (i === j ? 0.8 : 0.2 / (k - 1)))),
    means: each.map(l => sorted[Math.floor(((l + 0.5) / k) * sorted.length)]),
    variances: each.map(() => spread),
  }
}

/** The largest difference of two lists of parameters, relative to 1 or to the parameter where that is larger. */
function apart(a: Parameters, b: Parameters): number {
  const flat = ({ initial, transitions, means, variances }: Parameters) => [
    ...initial,
    ...transitions.flat(),
    ...means,
    ...variances,
  ]
  const [x, y] = [flat(a), flat(b)]
  return Math.max(...y.map((value, i) => Math.abs(x[i] - value) / Math.max(1, Math.abs(value))))
}

async function sameStart(): Promise<{ readonly name: string; readonly apart: Maybe<number> }[]> {
  const found: { name: string; apart: Maybe<number> }[] = []
  for (const one of series()) {
    const start = startOf(one)
    const poisson = one.kind === "poisson" ? { ...start, variances: [] } : start
    const mine = await ours(["start", one.name, one.states], () => parametersFrom(one, start, ITERATIONS))
    const theirs = parametersByHmmlearn(one, start, ITERATIONS)
    found.push({
      name: `${one.name}, ${poisson.initial.length} states`,
      apart: mine && theirs && apart(mine, theirs),
    })
  }
  return found
}

// ── the page ───────────────────────────────────────────────────────────────────────────────────────

type Bar = readonly [what: string, bar: string, measured: string, met: boolean | undefined]

function bar(
  what: string,
  said: string,
  value: Maybe<number>,
  show: (x: number) => string,
  met: (x: number) => boolean,
): Bar {
  const text = `${what}${said}`
  return value === undefined || Number.isNaN(value) || text.includes(UNKNOWN)
    ? [what, said, value === undefined || Number.isNaN(value) ? "not measured" : show(value), undefined]
    : [what, said, show(value), met(value)]
}

/** Stands where a peer was not asked. */
const UNKNOWN = "not asked"
const points = (x: number) => (Number.isNaN(x) ? UNKNOWN : x.toFixed(2))
const share = (line: Maybe<Line>) => line && 100 * line.score

/** NaN where one of them was not asked. */
function betterOf(a: Maybe<Line>, b: Maybe<Line>): number {
  return 100 * Math.max(a?.score ?? Number.NaN, b?.score ?? Number.NaN)
}

function barsOfChunking({ counting, ncll, hinge, more, lbfgs, perceptron }: Tagging): Bar[] {
  const [words, , half] = more
  const better = betterOf(lbfgs, perceptron)
  const scores = hinge.flatMap(line => share(line) ?? [])
  const least = scores.length === SEEDS.length ? Math.min(...scores) : undefined
  const near = (to: number, by: number) => (x: number) => Math.abs(x - to) <= by
  return [
    bar(
      "conll2000, 19 features, span F1: counting, raw, α 0.1",
      "90.2 ± 0.3",
      share(counting),
      points,
      near(90.2, 0.3),
    ),
    bar("the same, sdEM hinge, the worst of 3 seeds", "≥ 94.0", least, points, x => x >= 94),
    bar("the same, sdEM NCLL", "≥ 93.8", share(ncll), points, x => x >= 93.8),
    bar(
      "the same, log-loss per token of the sequence",
      "≤ 0.092",
      ncll?.logLoss,
      x => x.toFixed(4),
      x => x <= 0.092,
    ),
    bar(
      `hinge beside the better of CRFsuite (${points(better)})`,
      "≥ it − 0.4",
      least,
      points,
      x => x >= better - 0.4,
    ),
    bar("words only, counting", "80.4 ± 0.5", share(words), points, near(80.4, 0.5)),
    bar("half of all tags removed, NCLL", "≥ 93.0", share(half), points, x => x >= 93),
  ]
}

/** Processor time of the same fits. */
function trained({ ncll, hinge, lbfgs, perceptron }: Tagging): { text: string; bars: Bar[] } {
  const times = hinge.flatMap(line => line?.seconds ?? [])
  const pairs = [
    {
      title: "hinge (median of the seeds) beside the averaged perceptron",
      ours: times.length === SEEDS.length ? median(times) : undefined,
      theirs: perceptron?.seconds,
      most: 1,
    },
    { title: "NCLL beside lbfgs", ours: ncll?.seconds, theirs: lbfgs?.seconds, most: 0.5 },
  ].map(pair => ({ ...pair, ratio: pair.ours && pair.theirs && pair.ours / pair.theirs }))
  const lines = pairs.map(({ title, ours, theirs, ratio }) => [
    title,
    ours?.toFixed(1) ?? "–",
    theirs?.toFixed(1) ?? "–",
    ratio?.toFixed(2) ?? "–",
  ])
  return {
    text: table(["training", "ours, s", "CRFsuite, s", "ours / CRFsuite"], lines),
    bars: pairs.map(({ title, ratio, most }) =>
      bar(
        `training, chunks, processor time: ${title}`,
        `≤ ${most}`,
        ratio,
        x => x.toFixed(2),
        x => x <= most,
      ),
    ),
  }
}

function barsOfSpeech({ ncll, hinge, lbfgs, perceptron, nltk }: Tagging): Bar[] {
  const better = betterOf(lbfgs, perceptron)
  const scores = hinge.flatMap(line => share(line) ?? [])
  const least = scores.length === SEEDS.length ? Math.min(...scores) : undefined
  const beside = share(nltk) ?? Number.NaN
  return [
    bar(
      "UD EWT, published test, 21 features, UPOS accuracy: hinge, the worst of 3 seeds",
      "≥ 95.2",
      least,
      points,
      x => x >= 95.2,
    ),
    bar("the same, NCLL", "≥ 95.1", share(ncll), points, x => x >= 95.1),
    bar(`hinge beside the better of CRFsuite (${points(better)})`, "≥ it", least, points, x => x >= better),
    bar(
      `hinge beside NLTK's perceptron (${points(beside)})`,
      "≥ it + 1.2",
      least,
      points,
      x => x >= beside + 1.2,
    ),
  ]
}

function tagTable(
  { counting, ncll, hinge, more, lbfgs, perceptron, nltk }: Tagging,
  measure: string,
): string {
  const lines = [counting, ...more, ncll, ...hinge, lbfgs, perceptron, nltk].filter(
    line => line !== undefined,
  )
  return table(
    ["", measure, "log-loss per token, of the sequence"],
    lines.map(({ name, score, logLoss }) => [name, percent(score, 2), logLoss?.toFixed(4) ?? "–"]),
  )
}

/** A part as it stands on the page, and its bars there. */
function onPage(part: Part): { readonly text: string; readonly bars: readonly Bar[] } {
  const page = keptParts("chains")
  const lines = page
    .get("Bars")!
    .split("\n")
    .filter(line => line.startsWith("| "))
  const all = lines.slice(1).map((line): Bar => {
    const [what, said, measured, met] = line.slice(2, -2).split(" | ")
    return [what, said, measured, met === "–" ? undefined : met === verdict(true)]
  })
  const before = (Object.keys(PARTS) as Part[]).slice(0, Object.keys(PARTS).indexOf(part))
  const from = before.reduce((sum, other) => sum + PARTS[other].bars, 0)
  const { heading, bars } = PARTS[part]
  return { text: `## ${heading}\n\n${page.get(heading)}`, bars: all.slice(from, from + bars) }
}

async function main(): Promise<void> {
  requireData()
  if (args.includes("--tune")) return tune()
  const bars: Bar[] = []
  const parts: string[] = []
  const stays = (part: Part): void => {
    if (!isRenewed || runs(part)) return
    const found = onPage(part)
    bars.push(...found.bars)
    parts.push(found.text)
  }
  stays("chunking")
  if (runs("chunking")) {
    const found = await tagging(CHUNKING)
    const timed = trained(found)
    bars.push(...barsOfChunking(found), ...timed.bars)
    parts.push(
      "## Chunks (conll2000)",
      CHUNK_WORDS,
      tagTable(found, "span F1, %"),
      TRAINING_WORDS,
      timed.text,
    )
  }
  stays("speech")
  if (runs("speech")) {
    const found = await tagging(SPEECH)
    bars.push(...barsOfSpeech(found))
    parts.push("## Parts of speech (UD English EWT)", SPEECH_WORDS, tagTable(found, "accuracy, %"))
  }
  stays("names")
  if (runs("names")) {
    const all = names()
    const by = (how: "em" | "ncll" | "hinge") =>
      ours<Score>(["names", how], () => namesBy(all, how === "em" ? em() : sdem({ loss: how })))
    const found = { em: await by("em"), ncll: await by("ncll"), hinge: await by("hinge") }
    const { em: counted, ncll } = found
    const gain = counted && ncll && 100 * (ncll.accuracy - counted.accuracy)
    bars.push(
      bar(
        "names → gender, 8 states, 5 folds: NCLL accuracy",
        "≥ 80.5",
        ncll && 100 * ncll.accuracy,
        points,
        x => x >= 80.5,
      ),
      bar(
        "the same, log-loss",
        "≤ 0.41",
        ncll?.logLoss,
        x => x.toFixed(4),
        x => x <= 0.41,
      ),
      bar("NCLL minus EM, points", "≥ 2", gain, points, x => x >= 2),
    )
    parts.push(
      "## Classes of sequences (names)",
      NAMES_WORDS,
      table(
        ["learned by", "accuracy, %", "log-loss"],
        Object.entries(found).map(([how, one]) => [
          how,
          one ? percent(one.accuracy, 2) : "–",
          one?.logLoss.toFixed(4) ?? "–",
        ]),
      ),
    )
  }
  stays("movement")
  if (runs("movement")) {
    const seeds = [0, 1, 2, 3, 4]
    const all = movement()
    const by = async (how: How) => {
      const each: number[] = []
      for (const seed of seeds) {
        const one = await ours(["movement", how, seed], () => movementBy(all, how, seed))
        if (one !== undefined) each.push(one)
      }
      return each
    }
    const [counted, ncll] = [await by("counting"), await by("ncll")]
    const whole = counted.length === seeds.length && ncll.length === seeds.length
    const gain = whole ? 100 * (mean(ncll) - mean(counted)) : undefined
    bars.push(
      bar(
        "mocap6, pieces of 30 steps, 5 seeds: NCLL minus counting, points",
        "≥ 1",
        gain,
        points,
        x => x >= 1,
      ),
    )
    const line = (name: string, each: readonly number[]) => [
      name,
      ...seeds.map((_, n) => (each[n] === undefined ? "–" : percent(each[n], 1))),
      each.length > 0 ? percent(mean(each), 1) : "–",
    ]
    parts.push(
      "## A tagger of numbers (mocap6)",
      MOVEMENT_WORDS,
      table(
        ["learned by", ...seeds.map(seed => `seed ${seed}`), "mean, %"],
        [line("counting", counted), line("sdEM NCLL", ncll)],
      ),
    )
  }
  stays("optima")
  if (runs("optima")) {
    const found = await optima()
    for (const one of found) {
      const theirs = one.hmmlearn ?? Number.NaN
      bars.push(
        bar(
          `log-likelihood, ${one.name}, ${one.states} states, no prior, ${RESTARTS} starts`,
          `≥ ${Number.isNaN(theirs) ? UNKNOWN : (theirs - 0.01).toFixed(3)}`,
          one.ours,
          x => x.toFixed(3),
          x => x >= theirs - 0.01,
        ),
      )
    }
    parts.push(
      "## Optima of hidden Markov models",
      `The best log-likelihood of ${RESTARTS} starts, without priors, beside the best of hmmlearn's ${RESTARTS}.`,
      table(
        ["series", "states", "ours", "hmmlearn"],
        found.map(one => [
          one.name,
          String(one.states),
          one.ours?.toFixed(4) ?? "–",
          one.hmmlearn?.toFixed(4) ?? "–",
        ]),
      ),
    )
  }
  stays("start")
  if (runs("start")) {
    const found = await sameStart()
    const all = found.flatMap(one => one.apart ?? [])
    bars.push(
      bar(
        `parameters after ${ITERATIONS} iterations from the same start, beside hmmlearn's: the largest difference`,
        "≤ 1e-6",
        all.length === found.length ? Math.max(...all) : undefined,
        x => x.toExponential(1),
        x => x <= 1e-6,
      ),
    )
    parts.push(
      "## The same start",
      `${ITERATIONS} iterations, every prior off on both sides; differences are relative to the parameter where it is larger than 1. \`golden/chain.py\` holds more cases.`,
      table(
        ["series", "largest difference"],
        found.map(one => [one.name, one.apart?.toExponential(1) ?? "–"]),
      ),
    )
  }
  stays("speed")
  if (runs("speed")) {
    const { text, versions, bars: timed } = await speed({ keptOnly })
    Object.assign(peerVersions, versions)
    bars.push(...timed)
    parts.push(text)
  }
  const missed = bars.filter(([, , , met]) => met === false).length
  const open = bars.filter(([, , , met]) => met === undefined).length
  const head = [
    INTRODUCTION,
    "## Bars",
    `${missed === 0 ? "Every bar that was measured is met." : `${missed} of ${bars.length} are missed.`}${open > 0 ? ` ${open} are not measured.` : ""}`,
    table(
      ["what", "bar", "measured", "met"],
      bars.map(([what, said, measured, met]) => [
        what,
        said,
        measured,
        met === undefined ? "–" : verdict(met),
      ]),
    ),
  ]
  if (asked.length > 0 && !isRenewed) console.log([...head.slice(2), ...parts].join("\n\n"))
  else
    writePage(
      "chains",
      "Chains: taggers, classes of sequences, hidden Markov models",
      [...head, ...parts, ...NOTES],
      { versions: peerVersions },
      isRenewed ? { made: keptParts("chains").get("Made")!, isAll: asked.length === 0 } : undefined,
    )
}

const INTRODUCTION = `\`chain\` at default settings beside CRFsuite, NLTK's averaged perceptron and hmmlearn. Every system gets the same rows, and CRFsuite the same features as ours, as strings. CRFsuite's
c2 is chosen on sentences that are trained on (\`npm run bench:chains -- --tune\`); ours has no setting that is chosen here. One judge for all (\`chains/evaluator.ts\`). Tags are those of
the most probable path.`
const CHUNK_WORDS = `The first 7,936 sentences are learned from, the last 1,000 measured on. 19 features a token: five words and two pairs, five parts of speech, four pairs and three triples, as
\`window([{ of: "word", at: [-2, 2] }, { of: "word", at: [-1, 1], ngrams: 2 }, { of: "pos", at: [-2, 2], ngrams: 3 }])\` makes them. Half of the tags: each is removed by a coin, seeded;
CRFsuite takes no missing tags.`
const SPEECH_WORDS = `The published split. 21 features: the word, in small letters, four neighbours and two pairs in small letters, prefixes and suffixes of one to four letters, three shapes, two suffixes of neighbours. NLTK's
tagger has features of its own, of the same words.`
const TRAINING_WORDS = `Processor time of training, one thread, of the fits above: the whole of \`fit\`, with the strings of 168,000 tokens read and encoded, beside CRFsuite's \`train\` alone, which begins when its strings are encoded.`
const NAMES_WORDS = `\`classes("gender", chain(8, letters, { ends: true }))\`: a hidden Markov model of letters for each gender, five folds, one start each. 365 names occur under both genders.`
const MOVEMENT_WORDS = `\`chain("action", body)\` with a normal for each of 12 joints, on pieces of 30 steps; 70 % of them are learned from. The share of steps that the most probable path has right.`

/** What the numbers above mean, and what would close what is open. */
const NOTES: readonly string[] = [
  "## What the numbers mean",
  `*Words only.* α is chosen on sentences 6,937 to 7,936, which are trained on: 0.01, 0.03, 0.1, 0.3 and 1 have a span F1 of 78.5, 79.2, 79.9, 79.2 and 76.6 % there. At the chosen α = 0.1 the line comes out
above the bar's range, and its log-loss below. The bar is the number of a scratch program; its F1 and its log-loss (0.265) are those of α = 0.01, which is shown beside it and was not chosen by anything.`,
  `*Half of the tags removed.* Counting takes the tags that are seen (\`em({ unlabelled: 0 })\`), and sdEM begins there. By default \`em\` takes the others as hidden and climbs: on these features, which
repeat each other, the likelihood then pulls tags away from what they mean (a span F1 of 86 %).`,
  `*Time of training, hinge.* The table is of before what follows. Each batch was scored three times, once for the rival and once more for each of the two paths, whose statistics need no scores; words of steps
whose tag is right in both paths moved forth and back, and all means of a batch were touched; words of lists were looked up in both passes. None of it is done any more: F1 and log-loss of the three seeds came out as in the
table, and 2,000 sentences take 0.46 of the time, by turns (4.3 and 4.7 s beside 9.2 and 10.2). In one run, by turns with CRFsuite's averaged perceptron, on another machine (2 × Intel Xeon, with a load above 20): 11.8 s beside 8.2 s, and 9.8 s beside 8.5 s, so 1.44
and 1.15 in place of 1.94: still missed. A profile of what is left, the collector apart: 36 % the rival (scores of a batch, and its best paths), 19 % the first pass, most of it looking up strings that nobody has read before, 14 % what
moves in every step, transitions among it, 14 % words, 6 % statistics of paths. What may close it, not tried: transitions that are touched where they change, and scores that stay where best paths read them (they are copied out of the kernels and in again).`,
  `*32 states.* On the machine of the other parts (AMD EPYC) 4.03 and 4.14 were measured when up to 5 million numbers of every sequence were kept from the way up to the way down, 3.96 and 3.82 when a sequence of more had one million. The table is of an idle Intel
Xeon, with 2.2 and 2.7; why the ratio is so much lower there has not been looked into. How many numbers are kept makes no difference on it: 0.55 s with two million, 0.56 with three. A profile, made on the other machine: 39 %
forward, most of it twice, as segments that are not kept are computed again; 23 % backward with ξ, 9 % scores of the normals, 8 % their statistics. Sums of sixteen states at a time in place of eight gained nothing and were left out.
What may close it, not tried: to keep α alone, a third of the numbers, of three times as many segments, and compute b again; or all of them, 150 MB.`,
  `*8 states, diagonal.* 3.01 on the AMD machine, 2.91 and 2.97 in two runs on the Intel one: at its bar, on either side of it.`,
  `*Memory of a long series.* Passes go by segments of 1,920 steps. Those of a sequence of up to 5 million numbers (200,000 steps of 8 states) are kept from the way up to the way down; of a longer one the last two million numbers (16 MB; with three million
EM took 65 MB, one above its bar). First guesses look
at 32 segments, paths keep two bytes for each state and step (16 MB here), and their answer, a list of 10⁶ values, is part of what is counted.`,
  `*A step that is followed.* What is left beside the answer are numbers that the engine boxes, as they are read out of the row or returned by functions, 16 bytes each: how many depends on what it inlines. \`gates/question.test.ts\`, in a process
that does nothing else, has four of them (64 bytes) and holds it there. What would close it: a \`push\` that takes and gives arrays.`,
  `*When.* Tags, names, movements, optima, and the iteration of mixtures were measured a few commits before the rest. What changed between (memory of long sequences, answers to their single steps, messages) is, by reading the changes, no part of them; they were carried over, not measured again. Times of hidden Markov models and of a long series were measured again at the end, on an idle machine;
the training of taggers was not, but for what is said above to be of another machine.`,
]

await main()
