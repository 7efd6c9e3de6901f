/** The built command as people meet it: fast to answer, the numbers of the library, examples that work, Ctrl-C, a terminal. */
import { spawnSync } from "node:child_process"
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fit, load } from "suffice"
import { type Evaluation, evaluate, split } from "suffice/measure"
import { openTable, proposeModel } from "suffice-files"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { gathered } from "../tabular.ts"
import { type Built, builtCommand, penguinsFolder, type Ran, run } from "./built.ts"
import { generated, words } from "./manifest.ts"

const COMMANDS = [
  "fit",
  "predict",
  "evaluate",
  "compare",
  "cluster",
  "structure",
  "query",
  "describe",
  "explain",
  "impute",
  "sample",
]

let built: Built
const { path: folder, remove } = penguinsFolder()
beforeAll(async () => {
  built = await builtCommand()
})
afterAll(() => {
  built?.remove()
  remove()
})

test("the example of every command's help works", async () => {
  const help = await run(built, { cwd: folder, args: ["--help"] })
  const listed = [...help.stdout.matchAll(/^ {2}(\w+)(?: \[options\])? .*$/gm)].map(match => match[1])
  expect(COMMANDS.filter(command => !listed.includes(command))).toEqual([])
  for (const command of COMMANDS) {
    const { stdout, exit } = await run(built, { cwd: folder, args: [command, "--help"] })
    expect(exit).toBe(0)
    const examples = [...stdout.matchAll(/^ {2}suffice (.*)$/gm)].map(match => match[1])
    expect(examples.length, command).toBeGreaterThan(0)
    for (const example of examples) {
      const ran = await run(built, { cwd: folder, args: words(example) })
      expect(ran.exit, `${example}: ${ran.stderr}`).toBe(0)
    }
  }
})

test("without a command it prints help, and says that none is named", async () => {
  const { stderr, exit } = await run(built, { cwd: folder, args: [] })
  expect(exit).toBe(1)
  expect(stderr).toMatch(/^Usage: suffice/)
  expect(stderr).toMatch(
    /\nsuffice: no command is named\. Nothing was done\. Name one of the commands above\.\n$/,
  )
})

test.each(["--version", "--help", "fit --help"])(
  "what a full disk does not take is no success: %s",
  async asked => {
    const { stderr, exit } = await run(built, { cwd: folder, shell: `$SUFFICE ${asked} > /dev/full` })
    expect(exit).toBe(1)
    expect(stderr).toMatch(/could not be written/)
  },
)

describe("the command says what the library says, to the last digit", () => {
  test.each([7, 8])("seed %i", async seed => {
    const { stdout } = await run(built, {
      cwd: folder,
      args: words(
        `fit penguins.csv --label species --model naive-bayes --learner em --seed ${seed} -o last.json --json`,
      ),
    })
    const { quality } = JSON.parse(stdout) as { quality: Evaluation }

    const table = await openTable(join(folder, "penguins.csv"), { label: "species" })
    try {
      const columns = (await gathered(table.source))!
      const { train, test } = split(columns, { test: 0.2, stratify: "species", seed })
      const fitted = await fit(proposeModel(await table.summary(), { label: "species" }), train, { seed })
      const own = evaluate(fitted, test)
      const keys = [
        "accuracy",
        "logLoss",
        "brier",
        "ece",
        "macroF1",
        "auc",
        "accuracyInterval",
        "logLossInterval",
      ] as const
      for (const key of keys) expect(quality[key], key).toEqual(own[key])
      expect(quality.confusion).toEqual(own.confusion)
      expect(JSON.stringify(load(readFileSync(join(folder, "last.json"), "utf8")))).toBe(
        JSON.stringify(fitted),
      )
    } finally {
      await table.close()
    }
  })
})

test("--version is answered before anything else is loaded: the file of the command alone is enough", () => {
  const alone = mkdtempSync(join(tmpdir(), "suffice-alone-"))
  try {
    mkdirSync(join(alone, "bin"))
    copyFileSync(built.bin, join(alone, "bin/suffice.js"))
    writeFileSync(join(alone, "package.json"), JSON.stringify({ type: "module", version: "1.2.3" }))
    const { status, stdout } = spawnSync(process.execPath, [join(alone, "bin/suffice.js"), "--version"])
    expect([status, String(stdout)]).toEqual([0, "1.2.3\n"])
  } finally {
    rmSync(alone, { recursive: true })
  }
})

describe.skipIf(process.platform === "win32")("Ctrl-C", () => {
  const stopped = async (
    place: string,
    line: string,
    after = 400,
    signal: NodeJS.Signals = "SIGINT",
  ): Promise<Ran> => {
    let sent = false
    return run(built, {
      cwd: place,
      args: words(line),
      watch(printed, kill) {
        if (sent || !printed.includes("5,000 rows")) return
        sent = true
        setTimeout(() => kill(signal), after)
      },
    })
  }

  test("stops learning, says how to go on, and ends where it would have ended", async () => {
    const place = mkdtempSync(join(tmpdir(), "suffice-stop-"))
    try {
      writeFileSync(join(place, "a.csv"), generated(["y,x,z", "{i%3},{i%17},{i%5}"], 5000))
      const line = "fit a.csv --label y --model naive-bayes --learner sdem --epochs 120 --seed 3 -o m.json"
      let ran = await stopped(place, line)
      // on a busy machine the first epoch may take longer
      for (let after = 1000; ran.stderr.includes("Nothing was written") && after < 200_000; after *= 2)
        ran = await stopped(place, line, after)
      expect(ran.stderr).toBe(
        `Stopping … (Ctrl-C again stops at once)\nsuffice: stopped by Ctrl-C. What was learned so far is in m.json.checkpoint. Go on with: suffice ${line} --checkpoint m.json.checkpoint\n`,
      )
      expect(ran.exit).toBe(130)
      expect(readdirSync(place).sort()).toEqual(["a.csv", "m.json.checkpoint"])
      const again = await run(built, { cwd: place, args: words(`${line} --checkpoint m.json.checkpoint`) })
      expect(again.exit, again.stderr).toBe(0)
      expect(readdirSync(place).sort()).toEqual(["a.csv", "m.json"])
      const whole = await run(built, { cwd: place, args: words(line.replace("m.json", "whole.json")) })
      expect(whole.exit, whole.stderr).toBe(0)
      expect(readFileSync(join(place, "m.json"), "utf8")).toBe(
        readFileSync(join(place, "whole.json"), "utf8"),
      )
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  })

  test("leaves nothing where nothing was to be kept", async () => {
    const place = mkdtempSync(join(tmpdir(), "suffice-stop-"))
    try {
      writeFileSync(join(place, "a.csv"), generated(["y,x,z", "{i%3},{i%17},{i%5}"], 5000))
      const ran = await stopped(
        place,
        "fit a.csv --label y --model naive-bayes --learner sdem --epochs 100000",
      )
      expect(ran.stderr).toBe(
        "Stopping … (Ctrl-C again stops at once)\nsuffice: stopped by Ctrl-C. Nothing was written.\n",
      )
      expect(ran.exit).toBe(130)
      expect(readdirSync(place)).toEqual(["a.csv"])
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  })

  test.each([
    ["SIGTERM", 143, "Stopping …\nsuffice: stopped by SIGTERM, a request to end. Nothing was written.\n"],
    [
      "SIGHUP",
      129,
      "Stopping …\nsuffice: stopped by SIGHUP: its terminal was closed. Nothing was written.\n",
    ],
  ] as const)("is one signal among others: %s", async (signal, exit, said) => {
    const place = mkdtempSync(join(tmpdir(), "suffice-stop-"))
    try {
      writeFileSync(join(place, "a.csv"), generated(["y,x,z", "{i%3},{i%17},{i%5}"], 5000))
      const line = "fit a.csv --label y --model naive-bayes --learner sdem --epochs 100000"
      expect(await stopped(place, line, 400, signal)).toMatchObject({ exit, stderr: said })
      // on a busy machine the command may begin to listen later
      let told: Ran
      let after = 1
      do {
        const shell = `$SUFFICE ${line} --json & p=$!; sleep ${after}; kill -${signal} $p; wait $p`
        told = await run(built, { cwd: place, shell })
        after *= 2
      } while (told.stdout === "" && after < 200)
      expect(JSON.parse(told.stdout)).toMatchObject({ error: { code: "stopped", details: { signal } } })
      expect(told.exit).toBe(exit)
      expect(readdirSync(place)).toEqual(["a.csv"])
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  })
})

const script = spawnSync("script", ["--version"]).status === 0
if (!script) console.log("command: not run on a terminal, script is not installed")

describe.skipIf(!script || process.platform !== "linux")("on a terminal", () => {
  test("rows are shown without their escape sequences", async () => {
    const place = mkdtempSync(join(tmpdir(), "suffice-terminal-"))
    try {
      writeFileSync(join(place, "a.csv"), generated(["y,x", "a\u001b[31m{i%2},{i%2}"], 50))
      const shell = `$SUFFICE fit a.csv --label y --model naive-bayes --learner em --holdout 0 -o m.json --quiet > /dev/null; script -qec "$SUFFICE predict m.json a.csv" /dev/null`
      const { stdout, exit } = await run(built, { cwd: place, shell })
      expect(exit).toBe(0)
      expect(stdout).toContain("a␛[31m0,")
      expect(stdout).not.toContain("\u001b[31m")
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  })

  test("a bar shows epochs, rate and time left, and leaves the line when it is done", async () => {
    const place = mkdtempSync(join(tmpdir(), "suffice-terminal-"))
    try {
      writeFileSync(join(place, "a.csv"), generated(["y,x,z", "{i%3},{i%17},{i%5}"], 5000))
      const { stdout, exit } = await run(built, {
        cwd: place,
        shell:
          'script -qec "$SUFFICE fit a.csv --label y --model naive-bayes --learner sdem --epochs 150 --as y=category" /dev/null',
      })
      expect(exit).toBe(0)
      expect(stdout).toMatch(/learning {2}[█░]+ \d+ % {2}\d+\/150 epochs, objective .* [\d.,]+\/s {2}.* left/)
      expect(stdout).toContain("Learned naive Bayes of y")
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  })
})
