/**
 * Calls into a worker, typed by the functions it serves: `serve({ add })` there, `connect<typeof …>(worker).add(1, 2)` here. A function may tell
 * what it is doing before it answers (`tell`), and is asked to stop through its signal.
 */

/** What a served function is handed beside its arguments. */
export interface Line {
  /** News before the answer: a step, a share done. */
  tell(news: unknown): void
  readonly signal: AbortSignal
}

// biome-ignore lint/suspicious/noExplicitAny: arguments of any function; each is typed where it is called
export type Served = Readonly<Record<string, (line: Line, ...args: any[]) => unknown>>

type Tail<F> = F extends (line: Line, ...args: infer A) => unknown ? A : never
type Answer<F> = F extends (...args: never[]) => infer R ? Awaited<R> : never

export interface CallOptions {
  readonly onNews?: (news: never) => void
  readonly signal?: AbortSignal
  /** Buffers that are handed over instead of copied. */
  readonly transfer?: readonly Transferable[]
}

export interface Connection<S extends Served> {
  call<K extends keyof S & string>(name: K, args: Tail<S[K]>, options?: CallOptions): Promise<Answer<S[K]>>
  end(): void
}

/** An error of the worker, with what it knows. */
export class WorkerError extends Error {
  override readonly name = "WorkerError"
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>
  constructor(message: string, code: string, details: Readonly<Record<string, unknown>>) {
    super(message)
    this.code = code
    this.details = details
  }
}

type Request =
  | { readonly kind: "call"; readonly id: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: "stop"; readonly id: number }
type Reply =
  | { readonly kind: "news"; readonly id: number; readonly news: unknown }
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown }
  | {
      readonly kind: "error"
      readonly id: number
      readonly message: string
      readonly code: string
      readonly details: Readonly<Record<string, unknown>>
    }

/** An answer that hands buffers over instead of copying them. */
export class Handing<T> {
  readonly answer: T
  readonly transfer: readonly Transferable[]
  constructor(answer: T, transfer: readonly Transferable[]) {
    this.answer = answer
    this.transfer = transfer
  }
}

/** Answers calls in a worker. */
export function serve(functions: Served): void {
  const running = new Map<number, AbortController>()
  const reply = (message: Reply, transfer: readonly Transferable[] = []): void =>
    (globalThis as unknown as Worker).postMessage(message, [...transfer])
  globalThis.addEventListener("message", async ({ data }: MessageEvent<Request>) => {
    const { id } = data
    if (data.kind === "stop") {
      running.get(id)?.abort()
      return
    }
    const controller = new AbortController()
    running.set(id, controller)
    try {
      const line: Line = { tell: news => reply({ kind: "news", id, news }), signal: controller.signal }
      const answer = await functions[data.name](line, ...data.args)
      if (answer instanceof Handing) reply({ kind: "answer", id, answer: answer.answer }, answer.transfer)
      else reply({ kind: "answer", id, answer })
    } catch (error) {
      reply({ kind: "error", id, ...described(error) })
    } finally {
      running.delete(id)
    }
  })
}

/** An error as data: classes and causes do not cross. */
function described(error: unknown): { message: string; code: string; details: Record<string, unknown> } {
  if (!(error instanceof Error)) return { message: String(error), code: "unknown", details: {} }
  const { message, name } = error
  const { code, details } = error as { code?: unknown; details?: unknown }
  const own = name === "AbortError" ? "stopped" : typeof code === "string" ? code : "unknown"
  try {
    return { message, code: own, details: structuredClone((details ?? {}) as Record<string, unknown>) }
  } catch {
    return { message, code: own, details: {} }
  }
}

/** Calls the functions of a worker. */
export function connect<S extends Served>(worker: Worker): Connection<S> {
  interface Waiting {
    readonly resolve: (answer: never) => void
    readonly reject: (error: Error) => void
    readonly onNews: ((news: never) => void) | undefined
  }
  const waiting = new Map<number, Waiting>()
  let last = 0
  const fail = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
    const one = waiting.get(data.id)
    if (!one) return
    if (data.kind === "news") {
      one.onNews?.(data.news as never)
      return
    }
    waiting.delete(data.id)
    if (data.kind === "answer") one.resolve(data.answer as never)
    else one.reject(new WorkerError(data.message, data.code, data.details))
  })
  worker.addEventListener("error", event =>
    fail(new WorkerError(event.message || "the worker ended", "worker", {})),
  )
  worker.addEventListener("messageerror", () =>
    fail(new WorkerError("a message of the worker could not be read", "worker", {})),
  )
  return {
    call: (name, args, { onNews, signal, transfer = [] } = {}) =>
      new Promise((resolve, reject) => {
        const id = ++last
        waiting.set(id, { resolve, reject, onNews })
        signal?.addEventListener("abort", () => worker.postMessage({ kind: "stop", id } satisfies Request))
        worker.postMessage({ kind: "call", id, name, args } satisfies Request, [...transfer])
      }),
    end() {
      worker.terminate()
      fail(new WorkerError("stopped", "stopped", {}))
    },
  }
}
