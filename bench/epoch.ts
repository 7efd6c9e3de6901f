/**
 * The time of one epoch on 20ng: sdEM at its defaults beside scikit-learn's SGDClassifier with the same loss on the same words.
 * The caller's clock, in one run: an epoch of ours, an epoch of theirs, by turns. Ours is the time between two steps of `learn`;
 * reading the data and starting (counting) come before the first and are not in it, as making the matrix is not in theirs.
 *
 *     npm run bench:epoch        20ng, and the page
 *     npm run bench:epoch -- r8  another stemmed corpus, printed, no page
 */
import { classes, independent, multinomial, type Step } from "suffice"
import { learn, sdem } from "suffice/learn"
import { type Document, published, stemmed } from "./corpora.ts"
import { requireData } from "./datasets.ts"
import { table as lines, median, percent, verdict, writePage } from "./page.ts"
import { type Conversation, converse } from "./peer.ts"

const ROUNDS = 7 // and one before, to warm up
const BARS = { hinge: 1.5, ncll: 3 } as const
type Loss = keyof typeof BARS
const THEIRS = { hinge: "hinge", ncll: "log_loss" } as const

interface Epoch {
  readonly seconds: number
  readonly accuracy: number
}
interface Round {
  readonly ours: Pick<Epoch, "seconds">
  readonly theirs: Epoch
}

/** Epochs of ours without end: where the learner is done it starts afresh. */
async function* epochs(
  train: readonly Document[],
  loss: Loss,
): AsyncGenerator<Pick<Epoch, "seconds">, never, void> {
  const model = classes("label", independent({ text: multinomial() }))
  for (;;) {
    const steps = learn(model, train, { learner: sdem({ loss }) })
    let before: Step | undefined
    for (;;) {
      const start = performance.now()
      const { value, done } = await steps.next()
      const seconds = (performance.now() - start) / 1000
      if (done) break
      // Epochs number themselves from 1 in a run of their own; the steps before are the start.
      if (
        before &&
        value.run === before.run &&
        value.iteration === before.iteration + 1 &&
        value.iteration > 1
      ) {
        yield { seconds }
      }
      before = value
    }
  }
}

async function measured(loss: Loss, train: readonly Document[], peer: Conversation): Promise<Round[]> {
  const ours = epochs(train, loss)
  const rounds: Round[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const { value } = await ours.next()
    const theirs = await peer.say<Epoch>(THEIRS[loss])
    if (round > 0) rounds.push({ ours: value, theirs })
    console.log(`  ${loss}: ours ${value.seconds.toFixed(3)} s, theirs ${theirs.seconds.toFixed(3)} s`)
  }
  return rounds
}

const milliseconds = (all: readonly Pick<Epoch, "seconds">[]) =>
  `${Math.round(1000 * median(all.map(one => one.seconds)))}`

requireData()
const [corpus = "20ng"] = process.argv.slice(2)
const { train, test } = published(corpus, stemmed(corpus)).splits[0]
const peer = converse("epoch.py", { train, test })
const versions = await peer.say<Record<string, string>>("versions")
const rows: string[][] = []
const bars: string[] = []
for (const loss of Object.keys(BARS) as Loss[]) {
  const rounds = await measured(loss, train, peer)
  const ratios = rounds.map(({ ours, theirs }) => ours.seconds / theirs.seconds)
  const range = [Math.min(...ratios), Math.max(...ratios)].map(ratio => ratio.toFixed(2)).join("–")
  rows.push([
    `${loss} / ${THEIRS[loss]}`,
    milliseconds(rounds.map(({ ours }) => ours)),
    milliseconds(rounds.map(({ theirs }) => theirs)),
    `**${median(ratios).toFixed(2)}**`,
    range,
    percent(rounds.at(-1)!.theirs.accuracy),
  ])
  bars.push(
    `- ${loss}: at most ${BARS[loss]} ×: ${verdict(median(ratios) <= BARS[loss])}, ${median(ratios).toFixed(2)}.`,
  )
}
peer.end()
const parts = [
  `The time of one epoch on stemmed ${corpus} (${train.length} documents, published split): \`sdem({ loss })\` at its defaults over
\`classes("label", independent({ text: multinomial() }))\`, and \`SGDClassifier.partial_fit\` with the same loss on the same words of the same weights. By turns in one run, one thread each,
${ROUNDS} rounds after one to warm up; the ratio is taken round by round, then the median. What accuracy ours reaches is in [text.md](text.md).`,
  lines(
    ["loss, ours / theirs", "ours, ms", "theirs, ms", "ratio", "range", "theirs, accuracy % in the end"],
    rows,
  ),
  bars.join("\n"),
]
if (corpus === "20ng") writePage("epoch", "One epoch", parts, { versions })
else console.log(parts.join("\n\n"))
