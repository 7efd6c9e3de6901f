/** What suffice-spark refuses, of the shape of the other packages' errors. */

/** The closed set of codes. */
export type SparkErrorCode =
  | "server" // no server, or one that refuses this client
  | "version" // a Spark that is too old
  | "worker" // no node on the workers, or a worker that failed
  | "table" // a table, column or order that is not there
  | "query" // SQL that Spark refuses

/** Everything that is wrong with a cluster or its rows: what, why, what to do. */
export class SparkError extends Error {
  override readonly name = "SparkError"
  readonly code: SparkErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: SparkErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
    this.code = code
    this.details = details
  }
}

/** What the audit of answers says. */
export function notWhole(what: string): SparkError {
  return new SparkError(
    "worker",
    `the pass over the rows is not whole: ${what}. Answers that lack rows, or count them twice, would be wrong. Ask again; if it happens again, the rows or the workers have changed.`,
    { why: what },
  )
}

/** A failure as gRPC or Spark reports it. */
interface Failure {
  readonly address: string
  /** The status of gRPC. */
  readonly status: number | undefined
  /** The first line, without the words of gRPC around it. */
  readonly line: string
  readonly whole: string
}

/** A kind of failure: the first whose test holds gives the sentence. */
interface Kind {
  readonly code: SparkErrorCode
  readonly test: (failure: Failure) => boolean
  readonly sentence: (failure: Failure) => string
  readonly details?: (failure: Failure) => Readonly<Record<string, unknown>>
}

const UNAVAILABLE = 14
const DEADLINE_EXCEEDED = 4
const UNAUTHENTICATED = 16
const PERMISSION_DENIED = 7

const withAddress = ({ address }: Failure): Readonly<Record<string, unknown>> => ({ address })

const CONNECTION: readonly Kind[] = [
  {
    code: "server",
    test: ({ status, line }) => status === UNAVAILABLE && /wrong version number/.test(line),
    sentence: ({ address, line }) =>
      `the server at ${address} does not speak TLS: ${line}. A token is never sent in the clear, so that TLS is on where there is one. Put a proxy with TLS before the server, or leave token and use_ssl out.`,
    details: withAddress,
  },
  {
    code: "server",
    test: ({ status, line }) => status === UNAVAILABLE && /certificate|ALTNAME/i.test(line),
    sentence: ({ address, line }) =>
      `the certificate of the server at ${address} is not trusted: ${line}. Whoever answers there could be another. Name the file of its authority in NODE_EXTRA_CA_CERTS, or correct the address.`,
    details: withAddress,
  },
  {
    code: "server",
    test: ({ status }) => status === UNAVAILABLE || status === DEADLINE_EXCEEDED,
    sentence: ({ address, line }) =>
      `no Spark Connect server answers at ${address}: ${line}. Nothing can be learned there. Start one (sbin/start-connect-server.sh), or correct the address: sc://host:15002.`,
    details: withAddress,
  },
  {
    code: "server",
    test: ({ status }) => status === UNAUTHENTICATED || status === PERMISSION_DENIED,
    sentence: ({ address, line }) =>
      `the Spark server at ${address} refuses the token: ${line}. Only those it knows may run queries. Pass the right one: sc://host:15002/;token=….`,
    details: withAddress,
  },
]

/** Exit status and standard error of a worker. */
const EXITED = /Subprocess exited with status (\d+)\. Error: (.*)/s

const STOPPED_WORKER: Kind = {
  code: "worker",
  test: ({ whole }) => EXITED.test(whole),
  sentence: ({ whole }) =>
    `a worker failed: ${EXITED.exec(whole)![2].trim().split("\n")[0]} Spark tried it again, to the same end. Mend what it says, and fit again with the same checkpoint.`,
  details: ({ whole }) => ({ status: Number(EXITED.exec(whole)![1]) }),
}

const WORKERS: readonly Kind[] = [
  {
    code: "worker",
    // 127: the shell did not find the command
    test: ({ whole }) =>
      /exited with status 127|node: (command )?not found|No such file or directory.*node|error=2/.test(whole),
    sentence: () =>
      'the workers have no node: the command was not found there. Rows are swept by Node beside Spark. Install Node ≥ 20 on the workers\' PATH, or name its place: spark(address, { node: "/opt/node/bin/node" }).',
  },
  STOPPED_WORKER,
  {
    code: "worker",
    test: ({ whole }) => /Broken pipe|Stream closed/.test(whole),
    sentence: () =>
      "a worker left before it had read its rows, without a word. Spark tried it again, to the same end. Look whether its machine ends processes (memory, a limit of time), and fit again with the same checkpoint.",
  },
  {
    code: "worker",
    test: ({ whole }) => /No space left on device/.test(whole),
    sentence: () =>
      "a disk of the cluster is full: No space left on device. Frames that do not fit into the memory of Spark are kept in spark.local.dir of the workers. Free some space there, name a larger folder, or give Spark more memory; then fit again with the same checkpoint.",
  },
]

const QUERIES: readonly Kind[] = [
  {
    code: "table",
    test: ({ whole }) => /FAILED_READ_FILE|FileNotFoundException|FILE_NOT_EXIST/.test(whole),
    sentence: ({ line }) =>
      `files of the table are gone or were replaced while it was read: ${line}. Frames that Spark lost are made again from the table, which must stay as it was. Bring the files back, or open the table anew and fit again.`,
  },
  {
    code: "table",
    test: ({ whole }) => /UNRESOLVED_COLUMN|TABLE_OR_VIEW_NOT_FOUND|PATH_NOT_FOUND/.test(whole),
    sentence: ({ line }) =>
      `Spark does not find it: ${line}. A table and its columns must be there for every sweep. Correct the name, or bring it back.`,
  },
  {
    code: "query",
    test: () => true,
    sentence: ({ line }) =>
      `Spark refuses: ${line}. The model cannot be learned without it. Mend what it says, and fit again.`,
  },
]

const KINDS = [...CONNECTION, ...WORKERS, ...QUERIES]

/** An error of gRPC or of Spark, as a sentence. */
export function sparkFailed(address: string, cause: unknown): SparkError {
  const { code: status, details, message } = cause as { code?: number; details?: string; message?: string }
  const line = plainly((details || message || String(cause)).split("\n")[0])
  const failure = { address, status, line, whole: details || message || "" }
  const kind = KINDS.find(({ test }) => test(failure))!
  const refusal = kind === STOPPED_WORKER && /SufficeError (\S+)/.exec(EXITED.exec(failure.whole)![2])
  if (refusal) return sufficeFailed(refusal[1], cause)
  return new SparkError(kind.code, kind.sentence(failure), kind.details?.(failure), { cause })
}

/** The first line of what gRPC says, without its own words around it. */
function plainly(said: string): string {
  return said
    .replace(/^No connection established\. Last error: (Error: )?/, "")
    .replace(/ ?Resolution note:.*$/, "")
    .trim()
    .replace(/[.:]+$/, "")
}

/** What the core refused on a worker, said as it says it: a cell, a column, an option. */
function sufficeFailed(text: string, cause: unknown): SparkError {
  const { code, message, details } = JSON.parse(Buffer.from(text, "base64").toString()) as {
    code: string
    message: string
    details?: Readonly<Record<string, unknown>>
  }
  return new SparkError("worker", message, { ...details, code }, { cause })
}
