/**
 * The benches: `npm run bench` lists them, `npm run bench -- NAME [options]` runs one. Options are in README.md.
 */
import { Stop } from "./stop.ts"

interface Bench {
  readonly about: string
  load(): Promise<{ run(options: readonly string[]): Promise<void> }>
}

const BENCHES: Readonly<Record<string, Bench>> = {
  race: {
    about: "time beside scikit-learn, LIBLINEAR and npm packages, each job with its bar",
    load: () => import("./race.ts"),
  },
  auto: {
    about: "what `suffice fit` is worth without flags, beside scikit-learn; --hindsight: its choice",
    load: () => import("./auto.ts"),
  },
  scale: {
    about: "time and memory against rows, columns, components, classes and words",
    load: () => import("./scale.ts"),
  },
  latency: {
    about: "one row through predict and posterior: microseconds and bytes",
    load: () => import("./latency.ts"),
  },
  chains: {
    about: "taggers and hidden Markov models beside CRFsuite, NLTK and hmmlearn",
    load: () => import("./chains.ts"),
  },
  topics: {
    about: "topics beside tomotopy, gensim and scikit-learn",
    load: () => import("./topics.ts"),
  },
  networks: {
    about: "Bayesian networks beside pyAgrum, pgmpy and bayesjs",
    load: () => import("./networks.ts"),
  },
  spark: {
    about: "processor time of a sweep on a real Spark",
    load: () => import("./spark.ts"),
  },
  startup: {
    about: "how long the command takes to start, beside node itself",
    load: () => import("./startup.ts"),
  },
  kernels: {
    about: "kernels in WebAssembly beside the same in TypeScript",
    load: () => import("./kernels.ts"),
  },
  wide: {
    about: "500 rows × 2,000 columns by the command, beside scikit-learn",
    load: () => import("./wide.ts"),
  },
}

const list = Object.entries(BENCHES).map(([name, { about }]) => `  ${name.padEnd(10)}${about}`)
const usage = `npm run bench -- NAME [options]\n\n${list.join("\n")}\n\nOptions, data and durations: bench/README.md`

const [name, ...options] = process.argv.slice(2)
if (name === undefined) console.log(usage)
else if (!Object.hasOwn(BENCHES, name)) {
  console.error(`There is no bench "${name}". The benches are ${Object.keys(BENCHES).join(", ")}.`)
  process.exitCode = 1
} else {
  try {
    const { run } = await BENCHES[name].load()
    await run(options)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    console.error(error.message)
    process.exitCode = 2
  }
}
