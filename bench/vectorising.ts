/**
 * Raw text to counts of words: the two passes of `fit` (which words there are; how often each stands where), beside
 * scikit-learn's CountVectorizer, one thread each. MB are of UTF-8. Runs take turns, so that the load of the machine meets both alike.
 */
import { writeFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import type { Bags } from "../packages/suffice/src/contract/block.ts"
import { discover } from "../packages/suffice/src/data/discover.ts"
import { encodeForLearning } from "../packages/suffice/src/data/encode.ts"
import { independent, multinomial } from "../packages/suffice/src/index.ts"
import { read, requireData } from "./datasets.ts"
import { median, verdict } from "./page.ts"
import { converse } from "./peer.ts"

const RUNS = 9
/** Times scikit-learn, by CPU seconds. */
const BAR = 5

interface Counted {
  /** By the clock, and of the processor. */
  readonly seconds: number
  readonly cpu: number
  readonly words: number
  readonly cells: number
  readonly tokens: number
}

const CORPORA: Readonly<Record<string, () => string[]>> = {
  imdb: () =>
    read("imdb/imdb-train.tsv.gz")
      .replace(/\n$/, "")
      .split("\n")
      .slice(1)
      .map(line => line.slice(line.lastIndexOf("\t") + 1)),
  "20ng": () =>
    read("20ng/20ng-train-raw.jsonl.gz")
      .trim()
      .split("\n")
      .map(line => JSON.parse(line) as { subject: string; body: string })
      .map(({ subject, body }) => `${subject}\n${body}`),
}

async function vectorise(texts: readonly string[]): Promise<Counted> {
  const model = independent({ text: multinomial() })
  const data = { text: texts }
  const from = performance.now()
  const busy = process.cpuUsage()
  const { schema, rows } = await discover(model.uses, data, {})
  const bags: Bags[] = []
  for await (const chunk of encodeForLearning(schema, data, {}, rows)) {
    for (const block of chunk) bags.push(block.cells[0] as Bags)
  }
  const seconds = (performance.now() - from) / 1000
  const { user, system } = process.cpuUsage(busy)
  let cells = 0
  let tokens = 0
  for (const { counts } of bags) {
    cells += counts.length
    for (let t = 0; t < counts.length; t++) tokens += counts[t]
  }
  const [column] = schema.columns
  return {
    seconds,
    cpu: (user + system) / 1e6,
    words: column.kind === "bag" ? column.words.length : 0,
    cells,
    tokens,
  }
}

requireData()
const [load] = loadavg()
const corpora = Object.fromEntries(Object.entries(CORPORA).map(([name, texts]) => [name, texts()]))
const ours = process.argv.includes("ours")
const peer = ours ? undefined : converse("vectorising.py", corpora)
const versions = await peer?.say<Record<string, string>>("versions")
const lines: string[] = []
const verdicts: string[] = []
for (const [name, texts] of Object.entries(corpora)) {
  const megabytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6
  const runs: { ours: Counted; theirs: Counted | undefined }[] = []
  for (let run = 0; run < RUNS; run++) {
    const theirs = await peer?.say<Counted>(name)
    const counted = await vectorise(texts)
    console.log(name, counted, theirs)
    if (
      theirs &&
      (theirs.words !== counted.words || theirs.cells !== counted.cells || theirs.tokens !== counted.tokens)
    )
      throw new Error(`${name}: the tokens are not the same.`)
    runs.push({ ours: counted, theirs })
  }
  if (!peer) continue
  const rate = (of: (run: (typeof runs)[number]) => number): number => megabytes / median(runs.map(of))
  const sides = [
    [rate(run => run.ours.cpu), rate(run => run.theirs!.cpu)],
    [rate(run => run.ours.seconds), rate(run => run.theirs!.seconds)],
  ].map(([a, b]) => `${a.toFixed(1)} | ${b.toFixed(1)} | ${(a / b).toFixed(1)}`)
  const ratio = rate(run => run.ours.cpu) / rate(run => run.theirs!.cpu)
  verdicts.push(`${name} ${verdict(ratio >= BAR)}`)
  const { tokens, words, cells } = runs[0].ours
  const sizes = [texts.length, tokens, words, cells].map(size => size.toLocaleString("en"))
  lines.push(`| ${name} | ${megabytes.toFixed(1)} | ${sizes.join(" | ")} | ${sides.join(" | ")} |`)
}
peer?.end()
if (versions) {
  const page = [
    "# Vectorising",
    "",
    "Raw text to counts of words, as `fit` does it in two passes, beside `CountVectorizer.fit_transform` of scikit-learn (`npm run bench:vectorising`). One thread each; runs take turns.",
    "",
    `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, Python ${versions.python}, scikit-learn ${versions["scikit-learn"]}, ${cpus().length} × ${cpus()[0].model}; load average before: ${load.toFixed(1)}. Where that is not near 0, seconds by the clock are of a shared machine: CPU seconds, of all threads of the process, say more.`,
    "",
    `The tokens are the same: runs of letters, marks and numbers in lower case, which for scikit-learn is \`token_pattern=r"${versions.pattern}"\` (marks are in neither corpus). The study stops where the numbers of tokens, words or cells differ. MB are of UTF-8; rates are of the median of ${RUNS} runs, the first included, in which engines are still cold.`,
    "",
    "| corpus | MB | documents | tokens | words | cells | Suffice, MB per CPU second | scikit-learn | ratio | Suffice, MB/s by the clock | scikit-learn | ratio |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ...lines,
    "",
    `At least ${BAR} times per CPU second: ${verdicts.join(", ")}.`,
    "",
  ].join("\n")
  writeFileSync(new URL("vectorising.md", import.meta.url), page)
  console.log(lines.join("\n"))
}
