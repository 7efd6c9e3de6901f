/**
 * Workers between fits. A new one sweeps at half its speed until the engine has optimised its code; so one that owes no answer is kept for
 * the next fit, without the rows, the model and the parameters of the last. Who failed, or was left in the middle of something, is ended.
 */
import type { Hand, Listener, Order, Platform } from "./orders.ts"

/** After so many idle milliseconds it is ended: time to look at a fit and ask for the next one, and not much memory for long. */
const IDLE = 30_000

/** A worker of one fit. */
export interface Hired extends Hand {
  /** It has answered everything, and nothing more is asked: another fit may have it. */
  release(): void
}

/** Where fits get their workers from. */
export interface Workers extends Pick<Platform, "cores"> {
  /** One that waits, or a new one; no two have the same at the same time. */
  hire(listener: Listener): Hired
}

interface Kept {
  readonly hand: Hand
  /** Who hears it now. */
  listener: Listener
  /** Calls off its end, while it is idle. */
  stay(): void
}

/** What is said of or by a worker that is let go. */
const UNHEARD: Listener = { answer: () => undefined, died: () => undefined }

/** As many are kept as there are cores, at most. */
export function keeping({ spawn, cores, later }: Platform): Workers {
  const idle: Kept[] = []

  function make(listener: Listener): Kept {
    const hand = spawn({
      answer: answer => kept.listener.answer(answer),
      died: why => kept.listener.died(why),
    })
    const kept: Kept = { hand, listener, stay: () => undefined }
    return kept
  }

  function end(kept: Kept): void {
    kept.listener = UNHEARD
    kept.hand.end()
  }

  function keep(kept: Kept): void {
    const leave = (): void => {
      kept.stay()
      idle.splice(idle.indexOf(kept), 1)
      end(kept)
    }
    kept.listener = { ...UNHEARD, died: leave }
    kept.stay = later(IDLE, leave)
    kept.hand.post({ order: "forget" }, [])
    kept.hand.hold(false)
    idle.push(kept)
  }

  /** The one that became idle last: the others may then come to their end. */
  function take(listener: Listener): Kept | undefined {
    const kept = idle.pop()
    if (!kept) return undefined
    kept.stay()
    kept.listener = listener
    kept.hand.hold(true)
    return kept
  }

  function hire(listener: Listener): Hired {
    /** What one that was idle has been told, until it answers: it may have died without our knowing yet, and then another is told. */
    let told: Order[] | undefined = idle.length > 0 ? [] : undefined
    const first: Listener = {
      answer(answer) {
        told = undefined
        kept.listener = listener
        listener.answer(answer)
      },
      died(why) {
        kept.listener = UNHEARD
        try {
          kept = make(listener)
          for (const order of told ?? []) kept.hand.post(order, [])
          told = undefined
        } catch {
          listener.died(why)
        }
      },
    }
    let kept = take(first) ?? make(listener)
    return {
      post(order, transfer) {
        told?.push(order)
        kept.hand.post(order, transfer)
      },
      hold: waiting => kept.hand.hold(waiting),
      end: () => end(kept),
      release: () => (idle.length < cores() ? keep(kept) : end(kept)),
    }
  }

  return { hire, cores }
}
