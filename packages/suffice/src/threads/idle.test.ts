import { expect, test } from "vitest"
import { type AcquiredWorker, reusableWorkers } from "./idle.ts"
import type { Command, Listener, Reply, WorkerHandle } from "./messages.ts"

/** A worker that does nothing but record what was done with it. */
interface Puppet {
  readonly received: string[]
  readonly listener: Listener
  held: boolean
  ended: boolean
}

/** Workers, cores and a clock under control of the test. */
function stage({ cores = 4 } = {}) {
  const puppets: Puppet[] = []
  const timers = new Map<number, { readonly at: number; readonly act: () => void }>()
  let now = 0
  let timer = 0
  let refuses = false
  const { acquire } = reusableWorkers({
    cores: () => cores,
    later(milliseconds, act) {
      const name = timer++
      timers.set(name, { at: now + milliseconds, act })
      return () => void timers.delete(name)
    },
    spawn(listener): WorkerHandle {
      if (refuses) throw new Error("no more")
      const puppet: Puppet = { received: [], listener, held: true, ended: false }
      puppets.push(puppet)
      return {
        post: ({ type }) => void puppet.received.push(type),
        keepAlive(waiting) {
          puppet.held = waiting
        },
        end() {
          puppet.ended = true
          // as Node tells of every worker that ends
          listener.onExit("it ended with code 1")
        },
      }
    },
  })
  const heard: string[] = []
  return {
    puppets,
    timers,
    heard,
    acquire: (hears = heard): AcquiredWorker =>
      acquire({
        onReply: ({ type }) => void hears.push(type),
        onExit: why => void hears.push(`onExit: ${why}`),
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

const params: Command = { type: "params", params: new Float64Array(0) }
const refused: Reply = { type: "refused", why: "" }

test("a worker that is released is told to forget, and reused before a new one is made", () => {
  const { puppets, acquire } = stage()
  const first = acquire()
  first.post(params, [])
  first.release()
  acquire().post(params, [])
  expect(puppets).toHaveLength(1)
  expect(puppets[0].received).toEqual(["params", "forget", "params"])
})

test("those that work at the same time are never the same", () => {
  const { puppets, acquire } = stage()
  const [a, b] = [acquire(), acquire()]
  a.release()
  const c = acquire()
  const d = acquire()
  for (const acquired of [b, c, d]) acquired.post(params, [])
  expect(puppets.map(({ received }) => received)).toEqual([["forget", "params"], ["params"], ["params"]])
})

test("only the present user of a worker hears from it, none before", () => {
  const { puppets, acquire } = stage()
  const [before, after]: string[][] = [[], []]
  acquire(before).release()
  puppets[0].listener.onReply(refused)
  acquire(after)
  puppets[0].listener.onReply(refused)
  puppets[0].listener.onReply(refused)
  expect(before).toEqual([])
  expect(after).toEqual(["refused", "refused"])
})

test("a worker that is ended is not reused", () => {
  const { puppets, acquire, left } = stage()
  acquire().end()
  acquire()
  expect(puppets).toHaveLength(2)
  expect(left()).toEqual([1])
})

test("a worker that is ended before it has answered is not replaced as if it had died", () => {
  const { puppets, acquire, left, heard } = stage()
  acquire().release()
  const acquired = acquire()
  acquired.post(params, [])
  acquired.end()
  expect(puppets).toHaveLength(1)
  expect(left()).toEqual([])
  expect(heard).toEqual([])
})

test("no more are kept than there are cores", () => {
  const { acquire, left } = stage({ cores: 2 })
  for (const acquired of [acquire(), acquire(), acquire(), acquire()]) acquired.release()
  expect(left()).toEqual([0, 1])
})

test("an idle worker does not keep a program from ending; one that is reused does", () => {
  const { puppets, acquire } = stage()
  acquire().release()
  expect(puppets[0].held).toBe(false)
  acquire()
  expect(puppets[0].held).toBe(true)
})

test("a worker is ended after half a minute without work, whatever the others do", () => {
  const { acquire, wait, left, timers } = stage()
  const [a, b] = [acquire(), acquire()]
  a.release()
  wait(20_000)
  b.release()
  wait(9_999)
  expect(left()).toEqual([0, 1])
  wait(1)
  expect(left()).toEqual([1])
  // work resets the timer, and is never interrupted by it
  const again = acquire()
  wait(100_000)
  expect(left()).toEqual([1])
  again.release()
  wait(29_999)
  expect(left()).toEqual([1])
  wait(1)
  expect(left()).toEqual([])
  expect(timers.size).toBe(0)
  acquire()
  expect(left()).toEqual([2])
})

test("a worker that dies while idle is not reused", () => {
  const { puppets, acquire, heard, timers, left } = stage()
  const [a, b] = [acquire(), acquire()]
  a.release()
  b.release()
  puppets[1].listener.onExit("out of memory")
  acquire()
  acquire()
  expect(puppets).toHaveLength(3)
  expect(left()).toEqual([0, 2])
  expect(timers.size).toBe(0)
  expect(heard).toEqual([])
})

test("a worker whose death becomes known after it was acquired is replaced, and the new one is sent the same", () => {
  const { puppets, acquire, heard } = stage()
  acquire().release()
  const acquired = acquire()
  acquired.post(params, [])
  puppets[0].listener.onExit("out of memory")
  expect(puppets).toHaveLength(2)
  expect(puppets[1].received).toEqual(["params"])
  puppets[0].listener.onExit("once more")
  puppets[1].listener.onReply(refused)
  expect(heard).toEqual(["refused"])
  acquired.keepAlive(false)
  expect(puppets[1].held).toBe(false)
  // the new one has no second chance
  puppets[1].listener.onExit("this one too")
  expect(heard).toEqual(["refused", "onExit: this one too"])
})

test("a worker that dies after its first answer loses work, and that is reported", () => {
  const { puppets, acquire, heard } = stage()
  acquire().release()
  acquire()
  puppets[0].listener.onReply(refused)
  puppets[0].listener.onExit("out of memory")
  expect(puppets).toHaveLength(1)
  expect(heard).toEqual(["refused", "onExit: out of memory"])
})

test("a dead worker that cannot be replaced is reported", () => {
  const { puppets, acquire, heard, refuse } = stage()
  acquire().release()
  acquire()
  refuse()
  puppets[0].listener.onExit("out of memory")
  expect(heard).toEqual(["onExit: out of memory"])
  expect(acquire).toThrow("no more")
})
