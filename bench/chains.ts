/**
 * Chains beside CRFsuite, NLTK's perceptron and hmmlearn: tags of words, optima of hidden Markov models, and time. Every system gets the
 * same rows and features.
 *
 *     npm run bench -- chains                    everything, and the page
 *     npm run bench -- chains chunking speed     these parts, printed
 */
import { barTable, type Section } from "./bars.ts"
import { optima } from "./chains/optima.ts"
import { peerVersions } from "./chains/peers.ts"
import { speed } from "./chains/speed.ts"
import { chunks, partsOfSpeech } from "./chains/tags.ts"
import { requireData } from "./datasets.ts"
import { optionsOf } from "./options.ts"
import { writePage } from "./page.ts"

const PARTS: Readonly<Record<string, () => Promise<Section>>> = {
  chunking: chunks,
  speech: partsOfSpeech,
  optima,
  speed,
}

const INTRODUCTION = `\`chain\` at default settings beside CRFsuite, NLTK's averaged perceptron and hmmlearn. Every system gets the same rows.
CRFsuite gets the same features as ours, as strings. One evaluator for all (\`chains/evaluator.ts\`). The most probable path gives the tags.`

export async function run(options: readonly string[]): Promise<void> {
  const { named, wants } = optionsOf(options, Object.keys(PARTS))
  // series of the part "speed" are generated
  if (named.some(part => part !== "speed") || named.length === 0) requireData()
  const sections: Section[] = []
  for (const [part, measure] of Object.entries(PARTS)) if (wants(part)) sections.push(await measure())
  const parts = [
    INTRODUCTION,
    "## Bars",
    barTable(sections.flatMap(({ bars }) => bars)),
    ...sections.flatMap(({ text }) => text),
  ]
  if (named.length > 0) console.log(parts.slice(2).join("\n\n"))
  else writePage("chains", "Chains: taggers and hidden Markov models", parts, peerVersions)
}
