/**
 * Checkpoints of states that no step can have left, with a digest that is right. Each number of the state is replaced by impossible ones, each
 * array by others: learning refuses, or it ends, but never runs forever or fails with an internal error.
 */
import { describe, expect, test } from "vitest"
import {
  type Checkpointing,
  categorical,
  classes,
  dice,
  em,
  fit,
  gaussian,
  independent,
  type Learner,
  mixture,
  SufficeError,
} from "../index.ts"
import { float64FromBase64, float64ToBase64 } from "../kernels/base64.ts"
import { onlineEm, sdem } from "../learn.ts"
import { bodyOf, checkpointOf } from "./testing/checkpoint-body.ts"

const rolls = dice(5)
const rows = Array.from({ length: 60 }, (_, i) => ({
  y: ["a", "b", "c"][i % 3],
  x: (i % 3) + rolls.normal(),
  u: ["m", "n"][rolls.integer(2)],
}))
const hidden = classes("y", mixture(2, independent({ x: gaussian(), u: categorical() })))
const mixed = classes("y", independent({ x: gaussian(), u: categorical() }))

const CASES: Record<string, { model: unknown; learner: Learner; stream?: true }> = {
  em: { model: hidden, learner: em({ restarts: 1, maxIterations: 5, tolerance: 0 }) },
  onlineEm: { model: hidden, learner: onlineEm({ epochs: 3, batch: 16 }) },
  sdem: { model: mixed, learner: sdem({ epochs: 4, batch: 16 }) },
  "sdem of hidden switches": { model: hidden, learner: sdem({ epochs: 3, batch: 16, loss: "hinge" }) },
  "sdem with rows held out": { model: mixed, learner: sdem({ epochs: 4, batch: 16, holdout: 0.3 }) },
  "onlineEm on a stream": { model: mixed, learner: onlineEm({ batch: 16, warmup: 20 }), stream: true },
  "sdem on a stream": { model: mixed, learner: sdem({ batch: 16, warmup: 20 }), stream: true },
}

interface State {
  names: string[]
  numbers: string
  arrays: Record<string, string>
}
type Body = Record<string, unknown> & { state: State }

async function* streamed(from: number) {
  for (let at = from; at < rows.length; at += 10) yield rows.slice(at, at + 10)
}

/** More than any of these learners could still write. */
const MOST = 60

async function learned(name: string, checkpoint: Checkpointing, from = 0): Promise<string> {
  const { model, learner, stream } = CASES[name]
  const data = stream ? streamed(from) : rows
  return JSON.stringify(
    await fit(model as typeof mixed, data as typeof rows, { learner, checkpoint, seed: 3 }),
  )
}

/** What becomes of learning from there: an error's message, or "ended". */
async function resumed(name: string, bytes: Uint8Array): Promise<string> {
  let writes = 0
  try {
    await learned(name, {
      read: () => bytes,
      write() {
        if (++writes > MOST) throw new Error("endless")
      },
    })
  } catch (error) {
    if (!(error instanceof SufficeError)) throw error
    return error.message
  }
  return "ended"
}

/** A checkpoint from the middle, and one from the end. */
async function checkpoints(name: string): Promise<Body[]> {
  const all: Uint8Array[] = []
  await learned(name, { read: () => undefined, write: bytes => void all.push(bytes) })
  return [...new Set([Math.floor(all.length / 2), all.length - 1])].map(at => bodyOf<Body>(all[at]))
}

const IMPOSSIBLE = [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e308, undefined]

/** Every state with one number replaced, or left out; every array with one, cut short, or left out. */
function* impossible(body: Body): Generator<[what: string, body: Body]> {
  const { names, numbers, arrays } = body.state
  const values = [...float64FromBase64(numbers)!]
  const put = (state: State): Body => ({ ...body, state })
  for (const [at, name] of names.entries()) {
    for (const value of IMPOSSIBLE) {
      const changed = value === undefined ? values.toSpliced(at, 1) : values.with(at, value)
      yield [
        `${name} = ${value}`,
        put({
          names: value === undefined ? names.toSpliced(at, 1) : names,
          numbers: float64ToBase64(Float64Array.from(changed)),
          arrays,
        }),
      ]
    }
  }
  for (const [name, text] of Object.entries(arrays)) {
    const held = float64FromBase64(text)!
    const changes: [string, Float64Array | undefined][] = [
      ["nothing", undefined],
      ["none", new Float64Array(0)],
      ["one more", Float64Array.of(...held, 1)],
      ...IMPOSSIBLE.filter(value => value !== undefined).map((value): [string, Float64Array] => [
        `${value}`,
        held.with(held.length >> 1, value),
      ]),
    ]
    for (const [what, array] of changes) {
      const { [name]: _, ...others } = arrays
      const all = array ? { ...arrays, [name]: float64ToBase64(array) } : others
      yield [`${name}: ${what}`, put({ names, numbers, arrays: all })]
    }
  }
}

describe.each(Object.keys(CASES))("%s", name => {
  test("a state that is impossible is refused, or ends", async () => {
    let refused = 0
    for (const body of await checkpoints(name)) {
      for (const [what, changed] of impossible(body)) {
        const said = await resumed(name, checkpointOf(changed))
        if (said !== "ended") refused++
        // counts and lengths can be told from possible ones
        if (/^(epoch|iteration|restart|reseeds|run|rows|since|guarded) = (-1|0\.5|NaN|Inf|1e)/.test(what)) {
          expect(said, what).toMatch(/^\w+: the checkpoint has .* belongs\./)
        }
        if (/: (none|one more|NaN|Inf)/.test(what)) expect(said, what).toMatch(/the checkpoint has/)
      }
    }
    expect(refused).toBeGreaterThan(20)
  })

  test("the rest of the checkpoint is looked at, too", async () => {
    for (const body of await checkpoints(name)) {
      const { best, stream } = body as unknown as {
        best?: Record<string, unknown>
        stream?: { schema: { columns: object[]; labels: string[] } }
      }
      const changes: object[] = [
        { run: -1 },
        { run: "3" },
        { run: null },
        { trace: 7 },
        { trace: null },
        { runs: {} },
        { runs: [{ run: 0 }] },
        { state: null },
        { state: { ...body.state, arrays: 3 } },
        { state: { ...body.state, names: "ab" } },
      ]
      if (best) {
        const scalars = float64FromBase64(best.scalars as string)!
        changes.push(
          { best: 3 },
          { best: { ...best, stats: float64ToBase64(new Float64Array(3)) } },
          { best: { ...best, diagnostics: [3] } },
          { best: { ...best, stopped: 3 } },
          ...[0, 1, 6, 7].map(at => ({
            best: { ...best, scalars: float64ToBase64(scalars.with(at, Number.NaN)) },
          })),
        )
      }
      if (stream) {
        const { schema } = stream
        changes.push(
          { stream: undefined },
          { stream: { ...stream, rows: -1 } },
          { stream: { ...stream, weight: "x" } },
          { stream: { ...stream, schema: {} } },
          { stream: { ...stream, schema: { ...schema, labels: ["x"] } } },
          { stream: { ...stream, schema: { ...schema, columns: schema.columns.slice(1) } } },
          { stream: { ...stream, schema: { ...schema, columns: [3] } } },
        )
      }
      for (const change of changes) {
        expect(await resumed(name, checkpointOf({ ...body, ...change })), JSON.stringify(change)).toMatch(
          /is no checkpoint|the checkpoint has/,
        )
      }
    }
  })
})

test("what is refused is named", async () => {
  const [middle] = await checkpoints("em")
  const at = middle.state.names.indexOf("iteration")
  const numbers = float64FromBase64(middle.state.numbers)!.with(at, 1e6)
  const state = { ...middle.state, numbers: float64ToBase64(numbers) }
  expect(await resumed("em", checkpointOf({ ...middle, state }))).toMatchInlineSnapshot(
    `"em: the checkpoint has 1000000 at "iteration", where a whole number from 1 to 5 belongs. No step can have left it so: it was changed, or written for something else. Give back the bytes as they were written, or undefined to begin anew."`,
  )
  const [half] = await checkpoints("sdem")
  const { moments: _, ...others } = half.state.arrays
  expect(
    await resumed("sdem", checkpointOf({ ...half, state: { ...half.state, arrays: others } })),
  ).toMatchInlineSnapshot(
    `"sdem: the checkpoint has nothing at "moments", where a list of 18 belongs. No step can have left it so: it was changed, or written for something else. Give back the bytes as they were written, or undefined to begin anew."`,
  )
})
