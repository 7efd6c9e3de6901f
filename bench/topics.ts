/**
 * Topics beside tomotopy, gensim and scikit-learn: one evaluator for all, the same documents and number of topics; and as classifiers.
 *
 *     npm run bench -- topics             everything, and the page
 *     npm run bench -- topics ap webkb    these corpora, printed; "time" measures times
 */
import { type Bar, barTable } from "./bars.ts"
import { requireData } from "./datasets.ts"
import { optionsOf } from "./options.ts"
import { writePage } from "./page.ts"
import { type Accuracies, accuracies, CLASS_TASKS, classBars, classText } from "./topics/classes.ts"
import { type Measured, measured, qualityBars, qualityText, TASKS } from "./topics/quality.ts"
import { timeBars, times, timeText } from "./topics/time.ts"

const INTRODUCTION = `\`topics(k, "words")\` at default settings beside tomotopy (collapsed Gibbs), gensim (online variational Bayes) and scikit-learn (batch variational
Bayes). The evaluator gets the words of the topics and α, and nothing else. 10 % of the documents are held out (at least 40, at most
a quarter), and the tokens of each are halved at random. θ is computed on one half by 100 steps of the fixed point with the system's own φ and α.
The perplexity is that of the other half; words unknown to training are left out. NPMI is that of ten top words over training documents;
a pair that never occurs together counts −1. Three seeds where it says so, medians; the best settings of a system count.
tomotopy starts with α = 0.1, which it learns, and has η = 0.01; scikit-learn has its default priors.`

export async function run(options: readonly string[]): Promise<void> {
  const corpora = [...TASKS, ...CLASS_TASKS].map(({ corpus }) => corpus)
  const { named, wants } = optionsOf(options, [...new Set(corpora), "time"])
  requireData()
  const versions: Record<string, string> = {}
  const qualities: Measured[] = []
  const classes: Record<string, Accuracies> = {}
  for (const task of TASKS) if (wants(task.corpus)) qualities.push(await measured(task, versions))
  for (const task of CLASS_TASKS) if (wants(task.corpus)) classes[task.corpus] = await accuracies(task)
  const bars: Bar[] = [...qualityBars(qualities), ...classBars(classes)]
  const text = [...qualityText(qualities), ...classText(classes)]
  if (wants("time")) {
    const measured = await times()
    bars.push(...timeBars(measured))
    text.push(...timeText(measured))
  }
  const parts = [INTRODUCTION, "## Bars", barTable(bars), ...text]
  if (named.length > 0) console.log(parts.slice(2).join("\n\n"))
  else writePage("topics", "Topics beside tomotopy, gensim and scikit-learn", parts, versions)
}
