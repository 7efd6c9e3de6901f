import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import {
  type Checkpointing,
  categorical,
  classes,
  dice,
  em,
  type FitOptions,
  fit,
  gaussian,
  independent,
  type Learner,
  mixture,
  multinomial,
} from "../index.ts"
import { onlineEm, sdem } from "../learn.ts"

/** Keeps what is written; the process "dies" when it has written so often. */
function kept(dieAfter = Number.POSITIVE_INFINITY) {
  const all: Uint8Array[] = []
  const store = {
    all,
    writes: 0,
    dieAfter,
    read: () => all.at(-1),
    write(bytes: Uint8Array) {
      all.push(bytes)
      if (++store.writes === store.dieAfter) throw new Error("killed")
    },
  }
  return store satisfies Checkpointing
}

const rolls = dice(5)
const hole = <T>(cell: T, share = 0.15): T | null => (rolls.uniform() < share ? null : cell)
const rows = Array.from({ length: 90 }, (_, i) => ({
  y: hole(["a", "b", "c"][i % 3], 0.1),
  x: hole((i % 3) + rolls.normal()),
  z: hole(rolls.normal() - 0.5 * (i % 3)),
  u: hole(["m", "n", "o"][rolls.integer(3)]),
  v: 6 * (i % 2) + rolls.normal(),
  t: Array.from({ length: 1 + rolls.integer(6) }, () => `w${rolls.integer(4) + (i % 3)}`),
}))
const mixed = classes("y", independent({ x: gaussian(), u: categorical() }))
const words = classes("y", independent({ x: gaussian(), t: multinomial() }))
const hidden = classes("y", mixture(2, independent({ x: gaussian(), z: gaussian() })))

/** One component is far from every row: it starves. */
const far = {
  "mixture(v)": {
    probabilities: { 0: 0.5, 1: 0.5 },
    given: { 0: { v: { mean: 3, sd: 4 } }, 1: { v: { mean: 1e6, sd: 0.5 } } },
  },
}

/** The saved model, with everything training says of itself. */
const saved = async (model: unknown, options: FitOptions, data: unknown = rows): Promise<string> =>
  JSON.stringify(await fit(model as typeof mixed, data as typeof rows, options))

describe("a fit that dies after any of its writes ends with the bits of one that does not", () => {
  const cases: Record<string, [model: unknown, learner: Learner]> = {
    "em with restarts": [hidden, em({ restarts: 2, maxIterations: 6, unlabelled: 1 })],
    // each of its lives weighs the rows without a label anew, by trials: a few are enough
    "em that chooses what rows without a label weigh": [hidden, em({ maxIterations: 3 })],
    "em with reseeding": [mixture(2, independent({ v: gaussian() })), em({ start: far, prior: 0 })],
    "online EM": [hidden, onlineEm({ epochs: 4, batch: 8 })],
    "conditional likelihood": [mixed, sdem({ epochs: 5, batch: 8 })],
    hinge: [mixed, sdem({ loss: "hinge", epochs: 5, batch: 8 })],
    "with held-out rows": [
      mixed,
      sdem({ epochs: 12, holdout: 0.3, stepSize: { kind: "constant", rho: 0.3 } }),
    ],
    "with bags of words": [words, sdem({ loss: "hinge", epochs: 4, batch: 8 })],
    "with bags of words, without a prior": [words, sdem({ epochs: 4, batch: 8, prior: 0 })],
    "with hidden switches": [hidden, sdem({ epochs: 4, batch: 8 })],
    "with some likelihood mixed in": [words, sdem({ epochs: 4, batch: 8, generative: 0.3 })],
    "all likelihood": [hidden, sdem({ epochs: 4, batch: 8, generative: 1 })],
  }
  test.each(Object.entries(cases))("%s", async (_name, [model, learner]) => {
    const seed = 1
    const whole = await saved(model, { learner, seed })
    const store = kept()
    expect(await saved(model, { learner, seed, checkpoint: store })).toBe(whole)
    expect(store.writes).toBeGreaterThan(3)
    for (let k = 1; k <= store.writes; k++) {
      const cut = kept(k)
      await expect(saved(model, { learner, seed, checkpoint: cut })).rejects.toThrow("killed")
      expect(cut.read()).toEqual(store.all[k - 1])
      cut.dieAfter = Number.POSITIVE_INFINITY
      expect(await saved(model, { learner, seed, checkpoint: cut })).toBe(whole)
    }
    // and one that dies again and again
    const weak = kept(1)
    let found: string | undefined
    for (let lives = 0; found === undefined && lives <= 2 * store.writes; lives++) {
      weak.dieAfter = weak.writes + 1
      found = await saved(model, { learner, seed, checkpoint: weak }).catch(() => undefined)
    }
    expect(found).toBe(whole)
  })

  test("the case with reseeding reseeds, the one with held-out rows stops early", async () => {
    const [model, learner] = cases["em with reseeding"]
    const fitted = await fit(model as typeof mixed, rows, { learner, seed: 1 })
    expect(fitted.training!.runs.length).toBeGreaterThan(1)
    const [early, patient] = cases["with held-out rows"]
    const { training } = await fit(early as typeof mixed, rows, { learner: patient, seed: 1 })
    expect(training!.runs.at(-1)?.stopped).toBe("holdout")
  })
})

test("an update goes on from its checkpoint, and one of another model's update is refused", async () => {
  const begun = await fit(hidden, rows.slice(0, 40))
  const update = async (from: typeof begun, checkpoint?: Checkpointing): Promise<string> =>
    JSON.stringify(
      await from.update(rows.slice(40), {
        learner: em({ maxIterations: 8 }),
        ...(checkpoint && { checkpoint }),
      }),
    )
  const whole = await update(begun)
  const store = kept(4)
  await expect(update(begun, store)).rejects.toThrow("killed")
  store.dieAfter = Number.POSITIVE_INFINITY
  expect(await update(begun, store)).toBe(whole)
  const other = await fit(hidden, rows.slice(10, 50))
  await expect(update(other, store)).rejects.toMatchObject({ code: "checkpoint" })
})

test("an update with held-out rows keeps what was learned before", async () => {
  const many = Array.from({ length: 400 }, (_, i) => ({
    y: ["a", "b"][i % 2],
    x: 6 * (i % 2) + rolls.normal(),
  }))
  const model = classes("y", independent({ x: gaussian() }))
  const begun = await fit(model, many)
  // new rows of one class only: what is known of the other must not be forgotten
  const more = many.filter(({ y }) => y === "a").slice(0, 20)
  const updated = await begun.update(more, { learner: sdem({ holdout: 0.3, epochs: 2 }) })
  expect(updated.predict([{ x: 6 }])[0].value).toBe("b")
})

describe("what cannot be gone on from is refused", () => {
  const learner = em({ maxIterations: 3 })
  const written = async (options: FitOptions = {}): Promise<Uint8Array> => {
    const store = kept()
    await fit(hidden, rows, { learner, ...options, checkpoint: store })
    return store.all[1]
  }
  const resume = async (
    bytes: unknown,
    options: FitOptions = {},
    data = rows,
    model = hidden,
  ): Promise<string> => {
    const checkpoint = { read: () => bytes as Uint8Array, write: () => undefined }
    const found = await saved(model, { learner, ...options, checkpoint }, data).catch(error => error)
    return found instanceof Error ? found.message : "went on"
  }

  test("of another model, learner, seed or data", async () => {
    const bytes = await written()
    expect(await resume(bytes)).toBe("went on")
    expect([
      await resume(bytes, {}, rows, mixed as never),
      await resume(bytes, { learner: em({ maxIterations: 4 }) }),
      await resume(bytes, { seed: 2 }),
      await resume(bytes, {}, rows.slice(1)),
      await resume(bytes, { seed: 2, classWeights: { a: 2 } }),
    ]).toMatchInlineSnapshot(`
      [
        "the checkpoint belongs to another model and other data. Learning cannot go on from there. Give the ones it was written with, or begin anew with an empty checkpoint.",
        "the checkpoint belongs to another learner. Learning cannot go on from there. Give the ones it was written with, or begin anew with an empty checkpoint.",
        "the checkpoint belongs to another seed. Learning cannot go on from there. Give the ones it was written with, or begin anew with an empty checkpoint.",
        "the checkpoint belongs to other data. Learning cannot go on from there. Give the ones it was written with, or begin anew with an empty checkpoint.",
        "the checkpoint belongs to another seed and other data. Learning cannot go on from there. Give the ones it was written with, or begin anew with an empty checkpoint.",
      ]
    `)
  })

  test("of another version, or what is none", async () => {
    const bytes = await written()
    const text = new TextDecoder().decode(bytes)
    const encode = (changed: string): Uint8Array => new TextEncoder().encode(changed)
    expect([
      await resume(encode(text.replace("checkpoint 2", "checkpoint 3"))),
      await resume(encode("hello")),
    ]).toMatchInlineSnapshot(`
      [
        "the checkpoint was written by another Suffice: its version is 3, this one reads 2. What it means is not known here. Use that Suffice, or begin anew with an empty checkpoint.",
        "what checkpoint.read() returned is no checkpoint. It was damaged, cut short, or is something else. Give back the bytes as they were written, or undefined to begin anew.",
      ]
    `)
    for (const wrong of [text, { a: 1 }, encode("{}"), encode('{"format":"suffice","version":1}')]) {
      expect(await resume(wrong)).toMatch(/^what checkpoint\.read\(\) returned is no checkpoint\./)
    }
  })

  test("no byte of it can change, and none be missing", async () => {
    const bytes = await written()
    const step = Math.ceil(bytes.length / 25)
    for (let at = 0; at < bytes.length; at += step) {
      const flipped = bytes.slice()
      flipped[at] ^= 1
      expect(await resume(flipped)).not.toBe("went on")
      if (at > 0) expect(await resume(bytes.slice(0, at))).not.toBe("went on")
    }
  })

  test("nothing, or nothing in it, is a beginning", async () => {
    const whole = await saved(hidden, { learner })
    for (const bytes of [undefined, new Uint8Array()]) {
      const checkpoint = { read: async () => bytes, write: async () => undefined }
      expect(await saved(hidden, { learner, checkpoint })).toBe(whole)
    }
  })

  test("options that are no checkpoint", async () => {
    await expect(fit(mixed, rows, { checkpoint: {} as never })).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: fit: checkpoint is an object with 0 keys. It must have read() and write(bytes). Write for example { checkpoint: { read, write } }.]`,
    )
  })
})

test("a write that rejects ends the fit with that error, a read as well", async () => {
  const full = new Error("no space left")
  const broken = { read: () => undefined, write: () => Promise.reject(full) }
  await expect(fit(hidden, rows, { checkpoint: broken })).rejects.toBe(full)
  const gone = { read: () => Promise.reject(full), write: () => undefined }
  await expect(fit(hidden, rows, { checkpoint: gone })).rejects.toBe(full)
})

test("a source that fails half-way names the batch, and the last checkpoint is whole", async () => {
  let failsAt = Number.POSITIVE_INFINITY
  let read = 0
  const source = {
    async *[Symbol.asyncIterator]() {
      for (let at = 0; at < rows.length; at += 10) {
        if (++read === failsAt) throw new Error("the disk is gone")
        yield rows.slice(at, at + 10)
      }
    },
  }
  // read again for every epoch
  const options: FitOptions = { learner: sdem({ epochs: 6, batch: 8 }), seed: 4, spill: false }
  const whole = await saved(mixed, options, source)
  const store = kept()
  // in the fifth batch of the pass after some epochs
  failsAt = read + 9 * 6 + 5
  await expect(
    saved(mixed, { ...options, checkpoint: store }, source),
  ).rejects.toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: the source failed in batch 4, after 40 rows: the disk is gone. A model is learned from all of the rows. Mend the source (its own error is the cause of this one), and fit again.]`,
  )
  expect(store.writes).toBeGreaterThan(0)
  expect(store.writes).toBeLessThan(6)
  expect(await saved(mixed, { ...options, checkpoint: store }, source)).toBe(whole)
})

test("a source that is read once and fails when a fit goes on leaves the checkpoint as it was", async () => {
  let isBroken = false
  const source = {
    async *[Symbol.asyncIterator]() {
      for (let at = 0; at < rows.length; at += 10) {
        if (isBroken && at === 40) throw new Error("the disk is gone")
        yield rows.slice(at, at + 10)
      }
    },
  }
  const options = { learner: sdem({ epochs: 6, batch: 8 }), seed: 4 }
  const whole = await saved(mixed, options, source)
  const store = kept(3)
  await expect(saved(mixed, { ...options, checkpoint: store }, source)).rejects.toThrow("killed")
  isBroken = true
  await expect(saved(mixed, { ...options, checkpoint: store }, source)).rejects.toThrow(
    "the source failed in batch 4, after 40 rows: the disk is gone.",
  )
  expect(store.writes).toBe(3)
  isBroken = false
  expect(await saved(mixed, { ...options, checkpoint: store }, source)).toBe(whole)
})

test("counting has nothing to go on from, and writes nothing", async () => {
  const store = kept()
  await fit(classes("x", independent({ t: multinomial() })), [{ x: "a", t: "sun" }], { checkpoint: store })
  expect(store.writes).toBe(0)
})

/** A program that fits with a checkpoint in a file, says so after each write, and prints the model at the end. */
const PROGRAM = `
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { classes, dice, fit, gaussian, independent, mixture, multinomial } from "suffice"
import { sdem } from "suffice/learn"
const path = process.argv[1]
const die = dice(3)
const rows = Array.from({ length: 600 }, (_, i) => ({
  y: "ab"[i % 2],
  x: (i % 2) + die.normal(),
  t: Array.from({ length: 5 }, () => "w" + (die.integer(30) + (i % 2))),
}))
const checkpoint = {
  read() {
    try {
      return readFileSync(path)
    } catch {
      return undefined
    }
  },
  write(bytes) {
    writeFileSync(path + ".new", bytes)
    renameSync(path + ".new", path)
    process.stdout.write("written\\n")
  },
}
const model = classes("y", independent({ x: gaussian(), t: multinomial() }))
const learner = sdem({ epochs: 30, batch: 4 })
console.log(JSON.stringify(await fit(model, rows, { learner, seed: 9, checkpoint })))
`

test("a process that is killed goes on where it stood, and ends with the same bits", async () => {
  const folder = mkdtempSync(join(tmpdir(), "suffice-"))
  const path = join(folder, "checkpoint")
  /** Runs it, and kills it after `writes` writes: how it ended, or what it printed. */
  const run = (writes: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const options = ["--import", "tsx", "--conditions=source", "--input-type=module", "-e", PROGRAM, path]
      const child = spawn(process.execPath, options, { stdio: ["ignore", "pipe", "inherit"] })
      let said = ""
      child.stdout.on("data", data => {
        said += data
        if (said.split("written").length > writes) child.kill("SIGKILL")
      })
      child.on("error", reject)
      child.on("close", (_code, signal) => resolve(signal ?? said.slice(said.indexOf("{"))))
    })
  try {
    const whole = await run(Number.POSITIVE_INFINITY)
    rmSync(path)
    for (const writes of [1, 3, 5]) {
      expect(await run(writes)).toBe("SIGKILL")
      expect(existsSync(path)).toBe(true)
    }
    expect(await run(Number.POSITIVE_INFINITY)).toBe(whole)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
