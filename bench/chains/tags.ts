/** Tags of words beside CRFsuite and NLTK: chunks and parts of speech. */
import { atLeast, atMost, type Section } from "../bars.ts"
import { kept } from "../kept.ts"
import { median, table } from "../page.ts"
import { chunking, type Sentence, speech, type Tagged } from "./corpora.ts"
import { accuracy, spanF1 } from "./evaluator.ts"
import { chunkFeatures, type Features, speechFeatures } from "./features.ts"
import { type How, tagged } from "./ours.ts"
import { byCrfsuite, byNltk, lbfgs, PERCEPTRON, type PeerTags } from "./peers.ts"

const SEEDS = [0, 1, 2]
/** CRFsuite's, chosen on training sentences; see chains.md. */
const C2 = 0.2

interface Task {
  readonly name: string
  readonly corpus: () => Tagged
  readonly features: Features
  readonly score: typeof spanF1
}

interface Line {
  readonly name: string
  /** Percent. */
  readonly score: number
  readonly logLoss?: number
  readonly seconds: number
}

interface Tagging {
  readonly counting: Line
  readonly ncll: Line
  /** By seed. */
  readonly hinge: readonly Line[]
  readonly lbfgs: Line
  readonly perceptron: Line
}

const tagsOf = (sentences: readonly Sentence[]) => sentences.map(sentence => sentence.map(({ tag }) => tag))

function ourLine(task: Task, name: string, how: How, seed = 0): Promise<Line> {
  return kept("chains", ["tags", task.name, how, seed], async () => {
    const { train, test } = task.corpus()
    const { predicted, ...answer } = await tagged(train, test, task.features, how, seed)
    const line = { name, score: 100 * task.score(tagsOf(test), predicted), ...answer }
    console.log(`  ${task.name}, ${name}: ${line.score.toFixed(2)}, ${line.seconds.toFixed(1)} s`)
    return line
  })
}

function peerLine(task: Task, name: string, ask: (data: Tagged) => PeerTags): Line {
  const corpus = task.corpus()
  const { predicted, ...answer } = ask(corpus)
  const line = { name, score: 100 * task.score(tagsOf(corpus.test), predicted), ...answer }
  console.log(`  ${task.name}, ${name}: ${line.score.toFixed(2)}, ${line.seconds.toFixed(1)} s`)
  return line
}

async function tagging(task: Task): Promise<Tagging> {
  const crf = (name: string, settings: typeof PERCEPTRON) =>
    peerLine(task, name, ({ train, test }) => byCrfsuite(train, test, task.features, settings))
  const hinge: Line[] = []
  for (const seed of SEEDS) hinge.push(await ourLine(task, `sdEM hinge, seed ${seed}`, "hinge", seed))
  return {
    counting: await ourLine(task, "counting, raw, α = 0.1", "counting"),
    ncll: await ourLine(task, "sdEM NCLL", "ncll"),
    hinge,
    lbfgs: crf(`CRFsuite, lbfgs, c2 = ${C2}`, lbfgs(C2)),
    perceptron: crf("CRFsuite, averaged perceptron, 20 passes", PERCEPTRON),
  }
}

const least = (lines: readonly Line[]) => Math.min(...lines.map(({ score }) => score))
const betterCrf = ({ lbfgs, perceptron }: Tagging) => Math.max(lbfgs.score, perceptron.score)

function tagTable(lines: readonly Line[], measure: string): string {
  const rows = lines.map(({ name, score, logLoss }) => [name, score.toFixed(2), logLoss?.toFixed(4) ?? "–"])
  return table(["", measure, "log-loss per token, of the sequence"], rows)
}

const CHUNKS = `The first 7,936 sentences are for training, the last 1,000 for the test. 19 features a token: five words and two pairs,
five parts of speech, four pairs and three triples.`
const TRAINING = `Processor time of training, one thread, of the fits above. Ours is the whole of \`fit\`: the strings of 168,000 tokens are read and encoded.
CRFsuite's is \`train\` alone, which starts when its strings are encoded.`

export async function chunks(): Promise<Section> {
  const task = { name: "chunking", corpus: chunking, features: chunkFeatures, score: spanF1 }
  const result = await tagging(task)
  const { counting, ncll, hinge, lbfgs, perceptron } = result
  const better = betterCrf(result)
  const pairs = [
    {
      title: "hinge (median of the seeds) beside the averaged perceptron",
      ours: median(hinge.map(({ seconds }) => seconds)),
      theirs: perceptron.seconds,
      most: 1,
    },
    { title: "NCLL beside lbfgs", ours: ncll.seconds, theirs: lbfgs.seconds, most: 0.5 },
  ]
  const times = pairs.map(({ title, ours, theirs }) => [
    title,
    ours.toFixed(1),
    theirs.toFixed(1),
    (ours / theirs).toFixed(2),
  ])
  return {
    bars: [
      atLeast("conll2000, 19 features, span F1: counting, raw, α 0.1", 89.9, counting.score),
      atMost("the same", 90.5, counting.score),
      atLeast("the same, sdEM hinge, the worst of 3 seeds", 94, least(hinge)),
      atLeast("the same, sdEM NCLL", 93.8, ncll.score),
      atMost("the same, log-loss per token of the sequence", 0.092, ncll.logLoss!, 4),
      atLeast("hinge beside the better of CRFsuite − 0.4", better - 0.4, least(hinge)),
      ...pairs.map(({ title, ours, theirs, most }) =>
        atMost(`training, chunks, processor time: ${title}`, most, ours / theirs),
      ),
    ],
    text: [
      "## Chunks (conll2000)",
      CHUNKS,
      tagTable([counting, ncll, ...hinge, lbfgs, perceptron], "span F1, %"),
      TRAINING,
      table(["training", "ours, s", "CRFsuite, s", "ours / CRFsuite"], times),
    ],
  }
}

const SPEECH = `The published split. 21 features: the word, lower case, four neighbours and two pairs in lower case, prefixes and suffixes of one to four letters,
three shapes, two suffixes of neighbours. NLTK's tagger has its own features of the same words.`

export async function partsOfSpeech(): Promise<Section> {
  const task = { name: "speech", corpus: speech, features: speechFeatures, score: accuracy }
  const result = await tagging(task)
  const { counting, ncll, hinge, lbfgs, perceptron } = result
  const nltk = peerLine(task, "NLTK, averaged perceptron, its own features", ({ train, test }) =>
    byNltk(train, test, 0),
  )
  return {
    bars: [
      atLeast("UD EWT, 21 features, UPOS accuracy: hinge, the worst of 3 seeds", 95.2, least(hinge)),
      atLeast("the same, NCLL", 95.1, ncll.score),
      atLeast("hinge beside the better of CRFsuite", betterCrf(result), least(hinge)),
      atLeast("hinge beside NLTK's perceptron + 1.2", nltk.score + 1.2, least(hinge)),
    ],
    text: [
      "## Parts of speech (UD English EWT)",
      SPEECH,
      tagTable([counting, ncll, ...hinge, lbfgs, perceptron, nltk], "accuracy, %"),
    ],
  }
}
