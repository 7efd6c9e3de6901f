/**
 * Idle workers, reused by the next fit. A new worker sweeps at half speed until the engine has optimised its code; so one that owes no reply
 * is kept, without the rows, the model and the parameters of its last fit. One that failed, or is still busy, is ended.
 */
import type { Command, Listener, Platform, WorkerHandle } from "./messages.ts"

/** Milliseconds until an idle worker is ended: time to look at a fit and start the next, without holding memory for long. */
const IDLE_TIME = 30_000

/** A worker of one fit. */
export interface AcquiredWorker extends WorkerHandle {
  /** It has replied to everything, and nothing more will be asked: another fit may take it. */
  release(): void
}

/** Where fits get their workers from. */
export interface Workers extends Pick<Platform, "cores"> {
  /** An idle worker, or a new one. No two callers have the same one at the same time. */
  acquire(listener: Listener): AcquiredWorker
}

interface Reusable {
  readonly handle: WorkerHandle
  /** Who hears from it now. */
  listener: Listener
  /** While it is idle: stops the timer that ends it. */
  cancelTimer(): void
}

/** For a worker that nobody uses any more. */
const DEAF: Listener = { onReply: () => undefined, onExit: () => undefined }

/** Keeps at most as many idle workers as there are cores. */
export function reusableWorkers(platform: Platform): Workers {
  const pool = new IdleWorkers(platform)
  return { acquire: listener => pool.acquire(listener), cores: platform.cores }
}

class IdleWorkers {
  readonly #platform: Platform
  readonly #idle: Reusable[] = []

  constructor(platform: Platform) {
    this.#platform = platform
  }

  acquire(listener: Listener): AcquiredWorker {
    /** Commands sent to a formerly idle worker until its first reply. It may have died unnoticed; then a new one receives the same. */
    let sent: Command[] | undefined = this.#idle.length > 0 ? [] : undefined
    const untilReply: Listener = {
      onReply(reply) {
        sent = undefined
        worker.listener = listener
        listener.onReply(reply)
      },
      onExit: why => {
        worker.listener = DEAF
        try {
          worker = this.#make(listener)
          for (const command of sent ?? []) worker.handle.post(command, [])
          sent = undefined
        } catch {
          listener.onExit(why)
        }
      },
    }
    let worker = this.#take(untilReply) ?? this.#make(listener)
    return {
      post(command, transfer) {
        sent?.push(command)
        worker.handle.post(command, transfer)
      },
      keepAlive: waiting => worker.handle.keepAlive(waiting),
      end: () => end(worker),
      release: () => (this.#idle.length < this.#platform.cores() ? this.#keep(worker) : end(worker)),
    }
  }

  #make(listener: Listener): Reusable {
    const handle = this.#platform.spawn({
      onReply: reply => worker.listener.onReply(reply),
      onExit: why => worker.listener.onExit(why),
    })
    const worker: Reusable = { handle, listener, cancelTimer: () => undefined }
    return worker
  }

  #keep(worker: Reusable): void {
    const expire = (): void => {
      worker.cancelTimer()
      this.#idle.splice(this.#idle.indexOf(worker), 1)
      end(worker)
    }
    worker.listener = { ...DEAF, onExit: expire }
    worker.cancelTimer = this.#platform.later(IDLE_TIME, expire)
    worker.handle.post({ type: "forget" }, [])
    worker.handle.keepAlive(false)
    this.#idle.push(worker)
  }

  /** The worker that became idle last, so that the others can time out. */
  #take(listener: Listener): Reusable | undefined {
    const worker = this.#idle.pop()
    if (!worker) return undefined
    worker.cancelTimer()
    worker.listener = listener
    worker.handle.keepAlive(true)
    return worker
  }
}

function end(worker: Reusable): void {
  worker.listener = DEAF
  worker.handle.end()
}
