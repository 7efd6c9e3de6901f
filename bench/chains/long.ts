/** One long series in processes of their own. Run by itself with --long and what to do, it prints memory and times. */
import { spawnSync } from "node:child_process"
import { fileURLToPath, pathToFileURL } from "node:url"
import { chain, em, fit, gaussian, independent, type Model } from "suffice"
import { cpu } from "../clock.ts"
import { peak } from "../peak.ts"
import { NAMES, series } from "./series.ts"

export const diagonal = () => independent(Object.fromEntries(NAMES.map(name => [name, gaussian()])) as never)

/** Processor time of an iteration of EM: the fastest of several, since other programs use the caches too. */
export async function iteration(model: Model, steps: Record<string, Float64Array>, iterations: number) {
  const marks: number[] = []
  const fitted = await fit(model, [{ steps }] as never, {
    learner: em({ maxIterations: iterations, tolerance: 0 }),
    threads: 1,
    onStep: () => {
      marks.push(cpu())
    },
  })
  return { fitted, seconds: Math.min(...marks.slice(1).map((mark, n) => mark - marks[n])) }
}

/** The last line that a process of Node prints. */
export function answerOf<Answer>(args: readonly string[]): Answer {
  const { stdout, status } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  })
  if (status !== 0) throw new Error(`${args.join(" ")} ended with code ${status}.`)
  return JSON.parse(stdout.trim().split("\n").at(-1)!) as Answer
}

/** "data" holds the series and fits a short one; "em" and "path" also do that with the long one; "times" does both, several times. */
type Doing = "data" | "em" | "path" | "times"

interface Long {
  readonly peak: number
  readonly seconds: number
  readonly path: number
}

function longApart(doing: Doing): Long {
  const flags = ["--conditions=source", "--import", "tsx", "--max-semi-space-size=1"]
  return answerOf([...flags, fileURLToPath(import.meta.url), "--long", doing])
}

async function longHere(doing: Doing): Promise<Long> {
  const model = chain(8, diagonal() as never) as unknown as Model
  const steps = series(1_000_000)
  const short = series(10_000)
  const { fitted } = await iteration(model, short, 3)
  const pathOf = (of: typeof steps): number => {
    const began = cpu()
    fitted.path([{ steps: of }] as never)
    return cpu() - began
  }
  pathOf(short)
  let [seconds, path] = [0, 0]
  if (doing === "em") await iteration(model, steps, 4)
  if (doing === "path") pathOf(steps)
  if (doing === "times") {
    const perShort = (await iteration(model, short, 20)).seconds / 10_000
    seconds = (await iteration(model, steps, 4)).seconds / 1_000_000 / perShort
    const least = (count: number, of: typeof steps) =>
      Math.min(...Array.from({ length: count }, () => pathOf(of)))
    path = least(3, steps) / 1_000_000 / (least(5, short) / 10_000)
  }
  // the series must not be collected before
  if (steps.a[0] === steps.b[1]) console.log("")
  return { peak: peak(), seconds, path }
}

/** Of 10⁶ steps: MB above a process that holds the data, and time per step beside 10⁴. */
export interface Above {
  readonly learned: number
  readonly path: number
  readonly learnedTime: number
  readonly pathTime: number
}

export function measuredLong(): Above {
  const data = longApart("data")
  const times = longApart("times")
  return {
    learned: longApart("em").peak - data.peak,
    path: longApart("path").peak - data.peak,
    learnedTime: times.seconds,
    pathTime: times.path,
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(JSON.stringify(await longHere(process.argv.at(-1) as Doing)))
