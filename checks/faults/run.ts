/**
 * Plants the slips of slips.tsv one at a time: a law or a test must notice each.
 *
 *     npx tsx checks/faults/run.ts                     all slips: half an hour or more
 *     npx tsx checks/faults/run.ts engine "the prior"  slips whose file or description holds one of these
 *     npx tsx checks/faults/run.ts --by=law|test       those of the laws, or of the tests
 *     npx tsx checks/faults/run.ts --every=9           every ninth of the chosen slips
 *     npx tsx checks/faults/run.ts --update            searches the subjects of the laws, and writes them into slips.tsv
 *
 * First the laws and tests run without a slip. The exit code is 1 if a law misses its slip, or a file does not load with its slip.
 * Of the slips of the tests, one in twenty may survive.
 */
import { LawTrials } from "./in-memory.ts"
import { TestTrials } from "./on-disk.ts"
import {
  isOfLaw,
  isOfTest,
  type LawCheck,
  planted,
  readSlips,
  type Slip,
  sourceOf,
  type TestCheck,
  writeSlips,
} from "./slips.ts"

/** The largest share of the slips of tests that may survive. */
const SURVIVORS = 1 / 20
/** Milliseconds for one slip of the laws. */
const PATIENCE = 600_000

const given = process.argv.slice(2)
const option = (name: string): string | undefined =>
  given.find(word => word === `--${name}` || word.startsWith(`--${name}=`))?.slice(name.length + 3)
const words = given.filter(word => !word.startsWith("--"))
const isUpdating = option("update") !== undefined
const by = option("by")
const stride = Number(option("every") ?? 1)

const slips = readSlips()
const chosen = slips
  .filter(
    ({ file, about }) =>
      words.length === 0 || words.some(part => file.includes(part) || about.includes(part)),
  )
  .filter(({ check }) => by === undefined || check.by === by)
  .filter((_, i) => i % stride === 0)
if (chosen.length === 0) {
  console.error(`No slip matches ${given.join(" ")}. checks/faults/slips.tsv lists them.`)
  process.exit(1)
}
for (const slip of chosen) planted(sourceOf(slip), slip)
const isFine = [
  await lawsNotice(chosen.filter(isOfLaw)),
  isUpdating || (await testsNotice(chosen.filter(isOfTest))),
]
if (isFine.includes(false)) process.exitCode = 1

async function lawsNotice(ofLaws: readonly Slip<LawCheck>[]): Promise<boolean> {
  if (ofLaws.length === 0) return true
  const trials = new LawTrials()
  const missed: string[] = []
  const subjects = new Map<string, string>()
  try {
    const broken = await trials.broken(ofLaws, AbortSignal.timeout(PATIENCE))
    if (broken.length > 0) {
      console.error(`Without a slip, laws are broken: ${broken.join("; ")}. Repair them first.`)
      return false
    }
    for (const slip of ofLaws) {
      const verdict = await trials.noticed(slip, AbortSignal.timeout(PATIENCE), isUpdating)
      if (verdict === undefined) missed.push(slip.about)
      else if (verdict.law === slip.check.law) subjects.set(slip.about, verdict.subject)
      console.log(
        `${(verdict?.law ?? "MISSED").padEnd(16)} ${slip.about} (${slip.file}; ${verdict?.subject})`,
      )
    }
  } finally {
    await trials.end()
  }
  if (isUpdating) writeSlips(slips.map(slip => withSubject(slip, subjects.get(slip.about))))
  console.log(`\nLaws noticed ${ofLaws.length - missed.length} of ${ofLaws.length} slips.\n`)
  return missed.length === 0
}

function withSubject(slip: Slip, subject: string | undefined): Slip {
  return isOfLaw(slip) && subject !== undefined ? { ...slip, check: { ...slip.check, subject } } : slip
}

async function testsNotice(ofTests: readonly Slip<TestCheck>[]): Promise<boolean> {
  if (ofTests.length === 0) return true
  const trials = new TestTrials()
  const failure = await trials.failure(ofTests)
  if (failure !== undefined) {
    console.error(`Without a slip, the tests do not pass (${failure}). Repair them first.`)
    return false
  }
  const counts = { noticed: 0, survived: 0, "timed out": 0, "does not load": 0 }
  for (const slip of ofTests) {
    const begin = performance.now()
    const { verdict, by } = await trials.outcome(slip)
    counts[verdict]++
    const seconds = ((performance.now() - begin) / 1000).toFixed(0)
    console.log(`${verdict.padEnd(13)} ${seconds.padStart(4)} s  ${slip.file}: ${slip.about}`)
    if (by !== undefined) console.log(`${" ".repeat(22)}${verdict === "noticed" ? "by " : ""}${by}`)
  }
  trials.end()
  const alive = ofTests.length - counts.noticed
  const rest = `${counts.survived} survived, ${counts["timed out"]} timed out, ${counts["does not load"]} did not load`
  console.log(`\nTests noticed ${counts.noticed} of ${ofTests.length} slips; ${rest}.`)
  return counts["does not load"] === 0 && alive <= SURVIVORS * ofTests.length
}
