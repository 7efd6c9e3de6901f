/** The rows of a table as a learner reads them: encoded in memory, encoded again for each sweep, on other threads, or on other machines. */
import * as platform from "#workers"
import type { Chunk } from "../contract/block.ts"
import type { Lifetime } from "../contract/door.ts"
import type { Learner } from "../contract/learner.ts"
import { CHUNK } from "../data/cut.ts"
import type { Discovery } from "../data/discover.ts"
import { encodeForLearning } from "../data/encode.ts"
import { type Data, isSource } from "../data/read.ts"
import type { Laid } from "../engine/lay.ts"
import type { Table } from "../engine/learnable.ts"
import { SufficeError, show } from "../errors.ts"
import { pickRemote, type Remote, remoteOf, roundRemote, sweepRemote } from "../frames/remote.ts"
import type { SpilledSource } from "../frames/spill.ts"
import { columnMemory } from "../kernels/twins.ts"
import { reusableWorkers } from "../threads/idle.ts"
import { plainTask, type Task } from "../threads/pool.ts"
import { SharedSweeps, workersFor } from "../threads/threads.ts"
import { encodeAll, firstOf, startingWith } from "./encoded-rows.ts"
import type { FirstPass } from "./first-pass.ts"
import { isCertain, onlyTagsHide, unlabelledIn } from "./observed.ts"
import type { FitRequest } from "./publish.ts"

/** Shared by all fits. */
const workers = /* @__PURE__ */ reusableWorkers(platform)

export interface TableRows {
  readonly task: Task
  readonly table: Table
  /** The first chunk with rows. */
  readonly first: Chunk
  /** Release the threads. */
  end(): void
}

/** `isEmpty`: no row, and nothing learned before; `packed`: the source, if it was written to frames. */
export async function tableRows(
  request: FitRequest<unknown, string>,
  data: Data,
  pass: FirstPass,
  laid: Laid,
  isEmpty: boolean,
  packed: SpilledSource | undefined,
): Promise<TableRows> {
  const { learner, signal } = request
  const { found } = pass
  const remote = remoteOf(data)
  const task = taskOf(request, data, pass, laid, isEmpty)
  const cut = { rows: found.rows, chunk: CHUNK }
  const count = remote ? 1 : workersFor(request.threads, learner, task, cut, workers)
  // one sweep by this thread is enough: rows in memory need not stay encoded
  const isOnce = task.certain && learner.sweeps === true && count <= 1 && !isSource(data)
  const { chunks, inMemory, first } = await encodedChunks(request, data, pass, isOnce)
  // runs of models with latent variables inside leaves begin with passes of online EM
  const stay = laid.parts.some(({ leaf }) => leaf.latent?.start)
  const rows = { ...cut, chunks, inMemory, stay, frames: () => packed?.frames }
  const shared =
    count > 1
      ? new SharedSweeps({ requested: request.threads, count, workers }, task, rows, first[0], signal)
      : undefined
  const table: Table = {
    rows: found.rows,
    weight: found.weight,
    certain: task.certain,
    onlyTagsHide: !remote && onlyTagsHide(laid, found.missing),
    label: request.model.target,
    unlabelled: unlabelledIn(found, request.model.target),
    inMemory,
    chunks(lifetime) {
      if (shared?.gone) throw rowsAreGone(learner)
      return chunks(lifetime)
    },
    sweep: shared && (params => shared.sweep(params)),
    ...(remote && sweptElsewhere(remote, task, found, signal)),
  }
  return { task, table, first, end: () => shared?.end() }
}

function taskOf(
  { model, learner }: FitRequest<unknown, string>,
  data: Data,
  { found: { schema, missing }, weighting }: FirstPass,
  laid: Laid,
  isEmpty: boolean,
): Task {
  return {
    model,
    laid,
    // without any row there is nothing to guess
    certain: isEmpty || isCertain(laid, missing),
    isBelieved: learner.beliefs !== undefined,
    door: isSource(data) ? { labels: schema.labels, weighting } : undefined,
  }
}

/** The chunks of the data. The first one with rows is read at once; the first pass over the chunks continues from there. */
async function encodedChunks(
  request: FitRequest<unknown, string>,
  data: Data,
  { found, weighting }: FirstPass,
  isOnce: boolean,
) {
  const inMemory = isSource(data) || isOnce ? undefined : await encodeAll(found, data, weighting, request)
  const memory = { chunk: columnMemory(), fit: undefined }
  const encode = (lifetime: Lifetime) =>
    encodeForLearning(found.schema, data, weighting, found.rows, request.signal, undefined, memory[lifetime])
  let begun = isOnce ? encode("chunk") : undefined
  const read = await firstOf(begun ?? inMemory ?? encode("fit"), begun !== undefined)
  const chunks = (lifetime: Lifetime = "fit") => {
    const rest = begun
    begun = undefined
    return inMemory ?? (rest ? startingWith(read, rest) : encode(lifetime))
  }
  return { chunks, inMemory, first: read[read.length - 1] ?? [] }
}

/** Sweeps and samples of rows that stay on other machines. */
function sweptElsewhere(
  remote: Remote,
  task: Task,
  { chunks }: Discovery,
  signal: AbortSignal | undefined,
): Pick<Table, "sweep" | "rowsAt" | "round"> {
  const round = remote.round?.bind(remote)
  return {
    ...(round && {
      round: (given, dice) => roundRemote(round, plainTask(task), chunks, given, dice, signal),
    }),
    sweep: params => sweepRemote(remote, plainTask(task), task.laid, chunks, params, signal),
    rowsAt: ranks => pickRemote(remote, plainTask(task), chunks, ranks, signal),
  }
}

function rowsAreGone({ name }: Learner): SufficeError {
  return new SufficeError(
    "threads",
    `fit: the learner ${show(name)} asks for rows after a sweep. It says that it only sweeps, so the rows have gone to other threads. Leave \`sweeps\` out of it, or ask for rows before the first sweep.`,
    { learner: name },
  )
}
