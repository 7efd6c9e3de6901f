/**
 * Bayesian networks beside pyAgrum, pgmpy and bayesjs: posteriors, sums, EM, counting and structure. Processor time, one thread, by turns.
 *
 *     npm run bench -- networks                  everything, and the page
 *     npm run bench -- networks posteriors em    these parts, printed
 */
import { barTable, type Section } from "./bars.ts"
import { kept } from "./kept.ts"
import { besideBayesjs } from "./networks/bayesjs.ts"
import { versions } from "./networks/data.ts"
import { files, posteriors } from "./networks/inference.ts"
import { climbed, counted, SEARCHED, type Searched, searched } from "./networks/learning.ts"
import {
  bayesjsSection,
  countingSection,
  emSection,
  fileSection,
  posteriorSection,
  structureSection,
} from "./networks/report.ts"
import { optionsOf } from "./options.ts"
import { writePage } from "./page.ts"

/** A kept result, and the versions of the peers that it was measured with. */
async function result<T>(name: string, compute: () => T | Promise<T>): Promise<T> {
  const { value, peers } = await kept("networks", [name], async () => ({
    value: await compute(),
    peers: { ...versions },
  }))
  Object.assign(versions, peers)
  return value
}

const PARTS = {
  posteriors: async () => posteriorSection(await result("posteriors", posteriors)),
  bayesjs: async () => bayesjsSection(await result("bayesjs", besideBayesjs)),
  files: async () => fileSection(await result("files", files)),
  em: async () => emSection(await result("em", climbed)),
  counting: async () => countingSection(await result("counting", counted)),
  async structure() {
    const results: Searched[] = []
    for (const name of SEARCHED) results.push(await result(`structure ${name}`, () => searched(name)))
    return structureSection(results)
  },
} satisfies Record<string, () => Promise<Section>>

export async function run(options: readonly string[]): Promise<void> {
  const { named, wants } = optionsOf(options, Object.keys(PARTS))
  const sections: Section[] = []
  for (const [part, measure] of Object.entries(PARTS)) if (wants(part)) sections.push(await measure())
  const parts = [barTable(sections.flatMap(({ bars }) => bars)), ...sections.flatMap(({ text }) => text)]
  if (named.length > 0) console.log(parts.join("\n\n"))
  else writePage("networks", "Bayesian networks", parts, versions)
}
