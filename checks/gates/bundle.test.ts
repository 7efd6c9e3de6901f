/**
 * What a browser downloads for typical programs: each has a budget, its measured size plus a tenth, gzipped, and needs nothing of Node. A change that
 * needs more raises the budget and says why in a sentence. There is no budget for the whole core at once, which nobody loads.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { afterAll, expect, test } from "vitest"

const SRC = fileURLToPath(new URL("../../packages/suffice/src", import.meta.url))
const sizes: Record<string, { minified: number; gzipped: number }> = {}

/** Bundle a program as a web toolchain would; counted is what is loaded with it. */
async function bundle(
  name: string,
  program: string,
): Promise<{ text: string; gzipped: number; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: SRC, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    // what is imported when it is needed is not loaded with the program
    splitting: true,
    outdir: "out",
    format: "esm",
    platform: "browser",
    target: "es2022",
    conditions: ["source"],
    logLevel: "silent",
  })
  const outputs = metafile.outputs
  const begin = Object.keys(outputs).find(path => outputs[path].entryPoint === "<stdin>")!
  const loaded = new Set([begin])
  for (const path of loaded)
    for (const { path: next, kind } of outputs[path].imports)
      if (kind === "import-statement") loaded.add(next)
  const files = outputFiles.filter(({ path }) => [...loaded].some(one => path.endsWith(one)))
  const gzipped = files.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0)
  sizes[name] = { minified: files.reduce((sum, { contents }) => sum + contents.length, 0), gzipped }
  const inputs = [...loaded].flatMap(path => {
    const parts = outputs[path].inputs
    return Object.keys(parts).filter(input => parts[input].bytesInOutput > 0)
  })
  return {
    text: outputFiles.map(({ text }) => text).join("\n"),
    gzipped,
    inputs: inputs.map(path => path.replace(/^.*\/src\//, "")),
  }
}

afterAll(() => {
  const rows = Object.entries(sizes).map(
    ([name, { minified, gzipped }]) =>
      `  ${name.padEnd(38)}${kilobytes(minified)} minified${kilobytes(gzipped)} gzipped`,
  )
  console.log(["bundles of the core:", ...rows].join("\n"))
})

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1).padStart(9)} kB`
}

interface Program {
  readonly program: string
  /** Bytes, gzipped: the measured size plus a tenth. */
  readonly most: number
  /** The families in it: those that the program names. */
  readonly families: readonly string[]
  /** What must not be in it. */
  readonly without?: RegExp
}

const PROGRAMS: Readonly<Record<string, Program>> = {
  // A page that shows what was learned elsewhere: no learner and no text in it, and no kernels in WebAssembly.
  "predict with one family": {
    program: `import { gaussianKind } from "suffice"
      import { loadPredictor } from "suffice/predict"
      export const answer = (json: string, rows: never) =>
        loadPredictor(json, { families: [gaussianKind] }).predict(rows)`,
    // 28.0: a cell may be a list of rows: its reader and encoder, the plate, and nested blocks
    // 31.6: columns of the steps of a chain are asked for; the chain itself is named by pages that need it
    // 35.2: cells of steps may be made of others (windows, earlier steps), and what training never saw is told by step
    // 38.8: structures read their own declarations, a mixture checks the number of its rows
    most: 39_100,
    families: ["gaussian"],
    without: /^(learners|text|threads|kernels\/fast)\//,
  },
  // The first program of the documentation. It has the door, EM, saving, threads and the kernels in WebAssembly, which fit() may need.
  "Gaussian naive Bayes, fit and predict": {
    program: `import { classes, fit, gaussian, independent } from "suffice"
      const model = classes("y", independent({ x: gaussian() }))
      export const answer = async (rows: never) => (await fit(model, rows)).predict(rows)`,
    // 95.1: workers know chains, and their steps are answered
    // 107.4: the recursions of chains in WebAssembly
    // 2 kB more: updates of a posterior, its evidence, intervals and draws; what families believe comes with bayes()
    // 113.4: parts of the first pass are joined, sums have two levels, rows may stay on another machine
    // 126.3: networks, soft tags, paths of long sequences, and steps below a switch explained
    most: 139_000,
    families: ["gaussian"],
    // what only topics need is loaded with them
    without: /^learners\/(approach|descend|descent-state|passes|source)\.ts$|topic-(fold|rows|counts)/,
  },
  // Clusters: the same with matrices, and the start of hidden switches.
  "a mixture of normals": {
    program: `import { em, fit, mixture, normal } from "suffice"
      const model = mixture(3, normal(["x", "y"]))
      export const answer = async (rows: never) =>
        (await fit(model, rows, { learner: em({ restarts: 5 }) })).responsibilities(rows)`,
    // 113.2: the recursions of chains in WebAssembly
    // 124.8: topics that move, rows on other machines, and the answers for steps, which every fitted model has
    // at most 1 kB more: modules in other folders, learners and long functions in several files each
    // 1.7 kB more: declarations are walked by structure, and parts() lists a fitted model
    // 142.6: functions that fit on a screen and option tables; names of fields are not shortened as locals are
    most: 144_000,
    families: ["normal/normal"],
  },
  // Learned discriminatively and evaluated on held-out rows: adds sdEM, text processing and the measures.
  "text classification": {
    program: `import { classes, fit, independent, multinomial } from "suffice"
      import { sdem } from "suffice/learn"
      import { evaluate, split } from "suffice/measure"
      const model = classes("label", independent({ text: multinomial() }))
      export const answer = async (rows: never[]) => {
        const { train, test } = split(rows as never, { stratify: "label" } as never)
        return evaluate(await fit(model, train as never, { learner: sdem() }), test as never)
      }`,
    // 142.9: kernels for chains and topics in WebAssembly, and rounds of small steps on other machines
    // 1.5 kB more: declarations are walked by structure
    // 159.8: functions that fit on a screen and option tables
    most: 161_500,
    families: ["multinomial"],
  },
}

test.each(Object.entries(PROGRAMS))(
  "%s: within its budget, with the families it names",
  async (name, each) => {
    const { text, gzipped, inputs } = await bundle(name, each.program)
    expect(text).not.toMatch(/["'`]node:|\brequire\(/)
    expect(familiesAmong(inputs)).toEqual(each.families.map(family => `families/${family}.ts`))
    if (each.without) expect(inputs.filter(path => each.without!.test(path))).toEqual([])
    expect(gzipped, overweight(name, gzipped)).toBeLessThanOrEqual(each.most)
  },
)

function overweight(name: string, gzipped: number): string {
  const most = Math.ceil((gzipped * 1.1) / 100) * 100
  return `the bundle of "${name}" outgrows its budget. Make it smaller; or, if it is worth it, set its \`most\` in checks/gates/bundle.test.ts to ${most}, a tenth above what is measured, and say in a line above what the bytes buy`
}

test("everything at once asks nothing of Node", async () => {
  const { text } = await bundle(
    "(everything)",
    'import { core } from "../../../checks/gates/testing/core.ts"\nconsole.log(core)',
  )
  expect(text).not.toMatch(/["'`]node:|\brequire\(/)
})

// 4.6 kB: one column or many side by side, by the same code
// 0.1 kB more: options are read from a table
test("a program that names one family gets one family, below 5.1 kB gzipped", async () => {
  const { gzipped, inputs } = await bundle(
    "gaussian alone",
    'import { gaussian } from "suffice"\nexport const family = gaussian()',
  )
  expect(inputs).toContain("families/gaussian.ts")
  expect(inputs.filter(path => /^(fitted|engine|data|structures|learners|saved)\//.test(path))).toEqual([])
  expect(gzipped).toBeLessThan(5100)
})

/** The files of listed families among these. */
function familiesAmong(inputs: readonly string[]): string[] {
  const list = readFileSync(join(SRC, "families/list.ts"), "utf8")
  const families = [...list.matchAll(/from "\.\/(.*)"/g)].map(match => `families/${match[1]}`)
  return inputs.filter(path => families.includes(path))
}

test("a budget can be exceeded: a bundle beyond the smallest is seen", async () => {
  let noise = 1
  const letters = Array.from({ length: 100_000 }, () => {
    noise = (Math.imul(noise, 1664525) + 1013904223) >>> 0
    return String.fromCharCode(97 + ((noise >>> 24) % 26))
  })
  const { gzipped } = await bundle(
    "(planted: 100,000 random letters)",
    `export const text = "${letters.join("")}"`,
  )
  expect(gzipped).toBeGreaterThan(PROGRAMS["predict with one family"].most)
})
