import { expect, test } from "vitest"
import { type Hired, keeping } from "./kept.ts"
import type { Answer, Hand, Listener, Order } from "./orders.ts"

/** A worker that does nothing, and tells what was done with it. */
interface Puppet {
  readonly told: string[]
  readonly listener: Listener
  held: boolean
  ended: boolean
}

/** Workers, cores and a clock as one likes them. */
function stage({ cores = 4 } = {}) {
  const puppets: Puppet[] = []
  const timers = new Map<number, { readonly at: number; readonly act: () => void }>()
  let now = 0
  let timer = 0
  let refuses = false
  const { hire } = keeping({
    cores: () => cores,
    later(milliseconds, act) {
      const name = timer++
      timers.set(name, { at: now + milliseconds, act })
      return () => void timers.delete(name)
    },
    spawn(listener): Hand {
      if (refuses) throw new Error("no more")
      const puppet: Puppet = { told: [], listener, held: true, ended: false }
      puppets.push(puppet)
      return {
        post: ({ order }) => void puppet.told.push(order),
        hold(waiting) {
          puppet.held = waiting
        },
        end() {
          puppet.ended = true
          // as Node tells of every worker that ends
          listener.died("it ended with code 1")
        },
      }
    },
  })
  const heard: string[] = []
  return {
    puppets,
    timers,
    heard,
    hire: (hears = heard): Hired =>
      hire({
        answer: ({ answer }) => void hears.push(answer),
        died: why => void hears.push(`died: ${why}`),
      }),
    refuse() {
      refuses = true
    },
    wait(milliseconds: number) {
      now += milliseconds
      for (const [name, { at, act }] of timers) {
        if (at > now) continue
        timers.delete(name)
        act()
      }
    },
    left: () => puppets.flatMap(({ ended }, index) => (ended ? [] : [index])),
  }
}

const turn: Order = { order: "turn", params: new Float64Array(0) }
const refused: Answer = { answer: "refused", why: "" }

test("a worker that is released is told to forget, and hired again before a new one is made", () => {
  const { puppets, hire } = stage()
  const first = hire()
  first.post(turn, [])
  first.release()
  hire().post(turn, [])
  expect(puppets).toHaveLength(1)
  expect(puppets[0].told).toEqual(["turn", "forget", "turn"])
})

test("those that work at the same time are never the same", () => {
  const { puppets, hire } = stage()
  const [a, b] = [hire(), hire()]
  a.release()
  const c = hire()
  const d = hire()
  for (const hired of [b, c, d]) hired.post(turn, [])
  expect(puppets.map(({ told }) => told)).toEqual([["forget", "turn"], ["turn"], ["turn"]])
})

test("whoever hires a worker hears it, and nobody who had it before", () => {
  const { puppets, hire } = stage()
  const [before, after]: string[][] = [[], []]
  hire(before).release()
  puppets[0].listener.answer(refused)
  hire(after)
  puppets[0].listener.answer(refused)
  puppets[0].listener.answer(refused)
  expect(before).toEqual([])
  expect(after).toEqual(["refused", "refused"])
})

test("a worker that is ended is not hired again", () => {
  const { puppets, hire, left } = stage()
  hire().end()
  hire()
  expect(puppets).toHaveLength(2)
  expect(left()).toEqual([1])
})

test("a worker that is ended before it has answered is no dead one to be replaced", () => {
  const { puppets, hire, left, heard } = stage()
  hire().release()
  const hired = hire()
  hired.post(turn, [])
  hired.end()
  expect(puppets).toHaveLength(1)
  expect(left()).toEqual([])
  expect(heard).toEqual([])
})

test("no more are kept than there are cores", () => {
  const { hire, left } = stage({ cores: 2 })
  for (const hired of [hire(), hire(), hire(), hire()]) hired.release()
  expect(left()).toEqual([0, 1])
})

test("an idle worker keeps no program from ending, one that is hired again does", () => {
  const { puppets, hire } = stage()
  hire().release()
  expect(puppets[0].held).toBe(false)
  hire()
  expect(puppets[0].held).toBe(true)
})

test("a worker is ended after half a minute without work, whatever the others do", () => {
  const { hire, wait, left, timers } = stage()
  const [a, b] = [hire(), hire()]
  a.release()
  wait(20_000)
  b.release()
  wait(9_999)
  expect(left()).toEqual([0, 1])
  wait(1)
  expect(left()).toEqual([1])
  // work begins the time anew, and is never cut off by it
  const again = hire()
  wait(100_000)
  expect(left()).toEqual([1])
  again.release()
  wait(29_999)
  expect(left()).toEqual([1])
  wait(1)
  expect(left()).toEqual([])
  expect(timers.size).toBe(0)
  hire()
  expect(left()).toEqual([2])
})

test("a worker that dies while idle is not there any more", () => {
  const { puppets, hire, heard, timers, left } = stage()
  const [a, b] = [hire(), hire()]
  a.release()
  b.release()
  puppets[1].listener.died("out of memory")
  hire()
  hire()
  expect(puppets).toHaveLength(3)
  expect(left()).toEqual([0, 2])
  expect(timers.size).toBe(0)
  expect(heard).toEqual([])
})

test("a worker whose death becomes known after it was hired is replaced, and the new one is told the same", () => {
  const { puppets, hire, heard } = stage()
  hire().release()
  const hired = hire()
  hired.post(turn, [])
  puppets[0].listener.died("out of memory")
  expect(puppets).toHaveLength(2)
  expect(puppets[1].told).toEqual(["turn"])
  puppets[0].listener.died("once more")
  puppets[1].listener.answer(refused)
  expect(heard).toEqual(["refused"])
  hired.hold(false)
  expect(puppets[1].held).toBe(false)
  // the new one has no second chance
  puppets[1].listener.died("this one too")
  expect(heard).toEqual(["refused", "died: this one too"])
})

test("a worker that dies after its first answer has taken work with it, and that is told", () => {
  const { puppets, hire, heard } = stage()
  hire().release()
  hire()
  puppets[0].listener.answer(refused)
  puppets[0].listener.died("out of memory")
  expect(puppets).toHaveLength(1)
  expect(heard).toEqual(["refused", "died: out of memory"])
})

test("where a dead worker cannot be replaced, that is told", () => {
  const { puppets, hire, heard, refuse } = stage()
  hire().release()
  hire()
  refuse()
  puppets[0].listener.died("out of memory")
  expect(heard).toEqual(["died: out of memory"])
  expect(hire).toThrow("no more")
})
