/**
 * The npm packages' side of the race, with the protocol of ours.ts: `node npm-peers.mjs JOB`. They are installed in bench/peers, apart from
 * the workspace. Rows are given as each of them wants them, made before the clock starts.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"

const asked = JSON.parse(process.argv[2])
const { kind, peer, size, folder, iterations, packages } = asked
const require = createRequire(join(packages, "package.json"))
const bytes = file => {
  const { buffer, byteOffset, byteLength } = readFileSync(join(folder, file))
  return buffer.slice(byteOffset, byteOffset + byteLength)
}
const { rows, columns, classes } = size
const numbers = () => {
  const x = new Float64Array(bytes("x.f64"))
  return Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => x[j * rows + i]))
}
const labels = () => Array.from(new Int32Array(bytes("y.i32")))
const tokens = () => {
  const all = new Int32Array(bytes("tokens.i32"))
  const length = all.length / rows
  return Array.from({ length: rows }, (_, i) => Array.from(all.subarray(i * length, (i + 1) * length)))
}
const words = () => tokens().map(document => document.map(token => `w${token}`))

async function clocked(work) {
  const cpu = process.cpuUsage()
  const start = performance.now()
  const value = await work()
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { clock: { seconds, cpu: (user + system) / 1e6 }, value }
}
const whole = work => ({ round: async () => (await clocked(work)).clock, result: async () => await work() })

const analysis = async name =>
  await import(
    pathToFileURL(join(packages, "node_modules/@ai-on-browser/data-analysis-models/lib", name)).href
  )

const PEERS = {
  "ml-naivebayes": {
    "gaussian-labels"() {
      const { GaussianNB } = require("ml-naivebayes")
      const [x, y] = [numbers(), labels()]
      return whole(() => {
        const model = new GaussianNB()
        model.train(x, y)
        return model.predict(x)
      })
    },
    "multinomial-labels"() {
      const { MultinomialNB } = require("ml-naivebayes")
      const y = labels()
      const x = tokens().map(document => {
        const counts = new Array(columns).fill(0)
        for (const token of document) counts[token]++
        return counts
      })
      return whole(() => {
        const model = new MultinomialNB()
        model.train(x, y)
        return model.predict(x)
      })
    },
  },
  natural: {
    natural() {
      const { BayesClassifier } = require("natural")
      const [x, y] = [words(), labels()]
      return whole(() => {
        const model = new BayesClassifier()
        for (let i = 0; i < rows; i++) model.addDocument(x[i], String(y[i]))
        model.train()
        return x.map(document => Number(model.classify(document)))
      })
    },
  },
  wink: {
    wink() {
      const make = require("wink-naive-bayes-text-classifier")
      const [x, y] = [words(), labels()]
      return whole(() => {
        const model = make()
        model.definePrepTasks([document => document])
        model.defineConfig({ considerOnlyPresence: false, smoothingFactor: 1 })
        for (let i = 0; i < rows; i++) model.learn(x[i], String(y[i]))
        model.consolidate()
        return x.map(document => Number(model.predict(document)))
      })
    },
  },
  "data-analysis-models": {
    async "gaussian-labels"() {
      const { default: NaiveBayes } = await analysis("model/naive_bayes.js")
      const [x, y] = [numbers(), labels()]
      return whole(() => {
        const model = new NaiveBayes()
        model.fit(x, y)
        return model.predict(x)
      })
    },
    async "categorical-labels"() {
      const { default: CategoricalNaiveBayes } = await analysis("model/categorical_naive_bayes.js")
      const [x, y] = [numbers(), labels()]
      return whole(() => {
        const model = new CategoricalNaiveBayes(1)
        model.fit(x, y)
        return model.predict(x)
      })
    },
    async "qda-labels"() {
      const { default: QuadraticDiscriminant } = await analysis("model/quadratic_discriminant.js")
      const [x, y] = [numbers(), labels()]
      return whole(() => {
        const model = new QuadraticDiscriminant()
        model.fit(x, y)
        return model.predict(x)
      })
    },
    async "mixture-full"() {
      const { GMM } = await analysis("model/gmm.js")
      const { default: Matrix } = await analysis("util/matrix.js")
      const x = numbers()
      const start = new Float64Array(bytes("start.f64"))
      const begun = () => {
        const model = new GMM()
        for (let k = 0; k < classes; k++) model.add()
        model._init(x)
        // it starts at random: here from the same place as ours
        const variances = start.subarray(classes * (1 + columns))
        for (let k = 0; k < classes; k++) {
          model._p[k] = start[k]
          model._m[k] = new Matrix(
            columns,
            1,
            Array.from(start.subarray(classes + k * columns, classes + (k + 1) * columns)),
          )
          model._s[k] = Matrix.diag(Array.from(variances))
        }
        return model
      }
      return {
        async round() {
          const model = begun()
          model.fit(x)
          const { clock } = await clocked(() => {
            for (let i = 1; i < iterations; i++) model.fit(x)
          })
          return { seconds: clock.seconds / (iterations - 1), cpu: clock.cpu / (iterations - 1) }
        },
        async result() {
          const model = begun()
          for (let i = 0; i < iterations; i++) model.fit(x)
          return [...model._p, ...model._m.flatMap(mean => mean.value)]
        },
      }
    },
  },
}

/** As peak.ts: what getrusage says counts the process that started it too. */
function peak() {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024
  } catch {
    return process.resourceUsage().maxRSS / 1024
  }
}

const ready = await PEERS[peer][kind]()
const say = answer => process.stdout.write(`${JSON.stringify(answer)}\n`)
say({ ready: true })
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "round") say(await ready.round())
  else if (line === "result") say({ result: Array.from(await ready.result()) })
  else if (line === "end") {
    say({ memory: peak() })
    break
  }
}
process.exit(0)
