/** Processor time of learning a tagger of chunks, beside CRFsuite by turns. A pair of times is kept as other answers are: it says what it was measured on, not what the machine is. */
import { keptOr } from "../kept.ts"
import { median } from "../page.ts"
import { chunking } from "./corpora.ts"
import { chunkFeatures } from "./features.ts"
import { tagged } from "./ours.ts"
import { lbfgs, PERCEPTRON, timedCrfsuite } from "./peers.ts"

export const TRAINING_WORDS = `The whole of \`fit\`, with the strings of 168,000 tokens read and encoded, beside CRFsuite's \`train\` alone, which begins when its strings are encoded. By turns in one process each; medians, one thread.`

interface Times {
  readonly ours: number
  readonly theirs: number
  readonly ratio: number
}

export interface Trained {
  readonly title: string
  /** The bar: ours / theirs. */
  readonly most: number
  /** Undefined: not measured. */
  readonly times: Times | undefined
}

export async function training(c2: number, keptOnly: boolean): Promise<Trained[]> {
  const pairs = [
    { title: "hinge beside the averaged perceptron, 20 passes", how: "hinge", crf: PERCEPTRON, most: 1 },
    { title: `NCLL beside lbfgs, c2 = ${c2}`, how: "ncll", crf: lbfgs(c2), most: 0.5 },
  ] as const
  const rounds = { hinge: 3, ncll: 1 }
  const found: Trained[] = []
  for (const { title, how, crf, most } of pairs) {
    const byTurns = async (): Promise<Times> => {
      const { train } = chunking()
      const few = train.slice(0, 10)
      const each: { ours: number; theirs: number }[] = []
      for (let round = 0; round < rounds[how]; round++) {
        const { seconds: ours } = await tagged(train, few, chunkFeatures, how, { seed: round })
        const { seconds: theirs } = timedCrfsuite(train, few, chunkFeatures, crf)
        each.push({ ours, theirs })
        console.log(`  training, ${title}: ${ours.toFixed(1)} s, ${theirs.toFixed(1)} s`)
      }
      return {
        ours: median(each.map(({ ours }) => ours)),
        theirs: median(each.map(({ theirs }) => theirs)),
        ratio: median(each.map(({ ours, theirs }) => ours / theirs)),
      }
    }
    const times = await keptOr("chains", ["training", how], keptOnly ? undefined : byTurns)
    found.push({ title, most, times })
  }
  return found
}
