/**
 * Quality of `suffice fit DATA --label L` without any other flag, beside scikit-learn's logistic regression with C cross-validated,
 * gradient boosting, and ridge regression for numbers. Choices are made on training rows only.
 *
 *     npm run bench -- auto                    everything, and the page
 *     npm run bench -- auto small wine         a group (small, large, texts, numbers) or tables, printed
 *     npm run bench -- auto --hindsight        the choice beside the best of all candidates on the test rows, and its page
 */
import { hindsightOf, hindsightPage, type Seen } from "./auto/hindsight.ts"
import { GROUPS, JOBS } from "./auto/jobs.ts"
import { type Measured, measured } from "./auto/measure.ts"
import { type Result, report } from "./auto/report.ts"
import { requireData } from "./datasets.ts"
import { kept } from "./kept.ts"
import { optionsOf } from "./options.ts"
import { writePage } from "./page.ts"

export async function run(options: readonly string[]): Promise<void> {
  const { named, has } = optionsOf(options, [...GROUPS, ...JOBS.map(({ name }) => name)], ["--hindsight"])
  const isHindsight = has("--hindsight")
  requireData()
  const jobs = JOBS.filter(
    ({ name, group }) => named.length === 0 || named.includes(name) || named.includes(group),
  )
  const results: Result[] = []
  const seen: Seen[] = []
  for (const job of jobs) {
    if (isHindsight && job.group === "numbers") continue
    const tasks = await job.tasks()
    const splits: Measured[] = []
    for (const [n, task] of tasks.slice(0, isHindsight ? 1 : undefined).entries())
      splits.push(await kept("auto", [job.group, job.name, n], () => measured(task, job)))
    results.push({ job, splits })
    console.log(`  ${job.name}: ${splits[0].model}, ${splits[0].logLoss.toFixed(3)}`)
    if (!isHindsight) continue
    const best = await kept("auto", [job.group, job.name, "hindsight"], () => hindsightOf(tasks[0], job))
    seen.push({ job, first: splits[0], ...best })
    console.log(`  ${job.name}, in hindsight: ${best.model}, ${best.logLoss.toFixed(3)}`)
  }
  const parts = isHindsight ? hindsightPage(seen) : report(results)
  const { versions } = results[0].splits[0].peer
  if (named.length > 0) console.log(parts.join("\n\n"))
  else if (isHindsight)
    writePage("auto --hindsight", "The choice, in hindsight", parts, versions, "hindsight")
  else writePage("auto", "What the defaults are worth", parts, versions)
}
