/** Topics as classifiers, beside tomotopy's. */
import { atLeast, type Bar } from "../bars.ts"
import { published, stemmed } from "../corpora.ts"
import { kept } from "../kept.ts"
import { median, percent, table } from "../page.ts"
import { type OurModel, ourAccuracy } from "./ours.ts"
import { type PeerClassifier, peerAccuracy } from "./peers.ts"

const SEEDS = [0, 1, 2]

interface Task {
  readonly corpus: string
  readonly ours: readonly (readonly [OurModel, "ncll" | "hinge"])[]
  readonly peers: readonly (readonly [PeerClassifier, topics: number, sweeps: number])[]
}

const both = (corpus: string): Task => ({
  corpus,
  ours: [
    ["own topics(2)", "ncll"],
    ["own topics(2)", "hinge"],
    ["20 shared topics", "ncll"],
  ],
  peers: [
    ["tomotopy LDA + LR", 20, 300],
    // one topic per class, whatever number is given
    ["tomotopy LLDA", 4, 100],
    ["tomotopy SLDA", 20, 100],
  ],
})

export const CLASS_TASKS: readonly Task[] = [
  both("webkb"),
  both("r8"),
  { corpus: "20ng", ours: [["own topics(2)", "ncll"]], peers: [] },
]

/** Median accuracy by name. */
export type Accuracies = Readonly<Record<string, number>>

export async function accuracies({ corpus, ours, peers }: Task): Promise<Accuracies> {
  const [split] = published(corpus, stemmed(corpus)).splits
  const result: Record<string, number> = {}
  for (const [system, topics, sweeps] of peers) {
    result[system] = median(SEEDS.map(seed => peerAccuracy(split, system, topics, sweeps, seed)))
    console.log(`  ${corpus}, ${system}: ${percent(result[system])}`)
  }
  for (const [model, loss] of ours) {
    const each: number[] = []
    for (const seed of SEEDS) {
      const job = ["classes", corpus, model, loss, seed]
      each.push(await kept("topics", job, () => ourAccuracy(split, model, loss, seed)))
      console.log(`  ${corpus}, ${model}, ${loss}, seed ${seed}: ${percent(each.at(-1)!, 2)}`)
    }
    result[`${model}, ${loss}`] = median(each)
  }
  return result
}

type Classes = Readonly<Record<string, Accuracies>>

/** Percent that each must reach. */
const LEAST: readonly (readonly [corpus: string, name: string, least: number])[] = [
  ["20ng", "own topics(2), ncll", 84.2],
  ["webkb", "own topics(2), ncll", 90.2],
  ["webkb", "own topics(2), hinge", 90.8],
  ["r8", "own topics(2), ncll", 96.2],
  ["r8", "own topics(2), hinge", 96.3],
  ["webkb", "20 shared topics, ncll", 88.0],
  ["r8", "20 shared topics, ncll", 95.8],
]
/** Points that shared topics must be ahead on webkb. */
const AHEAD = { "tomotopy LDA + LR": 8, "tomotopy LLDA": 5, "tomotopy SLDA": 5 }

export function classBars(classes: Classes): Bar[] {
  const shared = classes.webkb?.["20 shared topics, ncll"]
  return [
    ...LEAST.filter(([corpus]) => corpus in classes).map(([corpus, name, least]) =>
      atLeast(`${corpus}, ${name}: accuracy, %`, least, 100 * classes[corpus][name], 1),
    ),
    ...Object.entries(shared === undefined ? {} : AHEAD).map(([peer, least]) =>
      atLeast(
        `webkb, 20 shared topics minus ${peer}, points`,
        least,
        100 * (shared - classes.webkb[peer]),
        1,
      ),
    ),
  ]
}

const WORDS = `Published splits, stemmed. Ours by \`sdem\` at its defaults. tomotopy's topics (300 sweeps) with logistic regression (C = 10, not searched) on the
proportions or their logarithms, the better of the two on the test rows; labelled LDA and sLDA (a binary response per class),
100 sweeps. Medians of three seeds.`

export function classText(classes: Classes): string[] {
  const names = [...new Set(Object.values(classes).flatMap(Object.keys))]
  const rows = names.map(name => [
    name,
    ...Object.values(classes).map(each => (name in each ? percent(each[name]) : "–")),
  ])
  return ["## Accuracy, %", WORDS, table(["", ...Object.keys(classes)], rows)]
}
