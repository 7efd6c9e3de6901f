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

/** An error of gRPC or of Spark, as a sentence. */
export function sparkFailed(address: string, cause: unknown): SparkError {
  const { code, details, message } = cause as { code?: number; details?: string; message?: string }
  const said = plainly((details || message || String(cause)).split("\n")[0])
  // 14: UNAVAILABLE, 4: DEADLINE_EXCEEDED
  if (code === 14 && /wrong version number/.test(said))
    return new SparkError(
      "server",
      `the server at ${address} does not speak TLS: ${said}. A token is never sent in the clear, so that TLS is on where there is one. Put a proxy with TLS before the server, or leave token and use_ssl out.`,
      { address },
      { cause },
    )
  if (code === 14 && /certificate|ALTNAME/i.test(said))
    return new SparkError(
      "server",
      `the certificate of the server at ${address} is not trusted: ${said}. Whoever answers there could be another. Name the file of its authority in NODE_EXTRA_CA_CERTS, or correct the address.`,
      { address },
      { cause },
    )
  if (code === 14 || code === 4)
    return new SparkError(
      "server",
      `no Spark Connect server answers at ${address}: ${said}. Nothing can be learned there. Start one (sbin/start-connect-server.sh), or correct the address: sc://host:15002.`,
      { address },
      { cause },
    )
  // 16: UNAUTHENTICATED, 7: PERMISSION_DENIED
  if (code === 16 || code === 7)
    return new SparkError(
      "server",
      `the Spark server at ${address} refuses the token: ${said}. Only those it knows may run queries. Pass the right one: sc://host:15002/;token=….`,
      { address },
      { cause },
    )
  const whole = details || message || ""
  // 127: the shell did not find the command
  if (/exited with status 127|node: (command )?not found|No such file or directory.*node|error=2/.test(whole))
    return new SparkError(
      "worker",
      'the workers have no node: the command was not found there. Rows are swept by Node beside Spark. Install Node ≥ 20 on the workers\' PATH, or name its place: spark(address, { node: "/opt/node/bin/node" }).',
      {},
      { cause },
    )
  const failed = /Subprocess exited with status (\d+)\. Error: (.*)/s.exec(whole)
  const refusedThere = failed && /SufficeError (\S+)/.exec(failed[2])
  if (refusedThere) return sufficeFailed(refusedThere[1], cause)
  if (failed)
    return new SparkError(
      "worker",
      `a worker failed: ${failed[2].trim().split("\n")[0]} Spark tried it again, to the same end. Mend what it says, and fit again with the same checkpoint.`,
      { status: Number(failed[1]) },
      { cause },
    )
  if (/Broken pipe|Stream closed/.test(whole))
    return new SparkError(
      "worker",
      "a worker left before it had read its rows, without a word. Spark tried it again, to the same end. Look whether its machine ends processes (memory, a limit of time), and fit again with the same checkpoint.",
      {},
      { cause },
    )
  if (/No space left on device/.test(whole))
    return new SparkError(
      "worker",
      "a disk of the cluster is full: No space left on device. Frames that do not fit into the memory of Spark are kept in spark.local.dir of the workers. Free some space there, name a larger folder, or give Spark more memory; then fit again with the same checkpoint.",
      {},
      { cause },
    )
  if (/FAILED_READ_FILE|FileNotFoundException|FILE_NOT_EXIST/.test(whole))
    return new SparkError(
      "table",
      `files of the table are gone or were replaced while it was read: ${said}. Frames that Spark lost are made again from the table, which must stay as it was. Bring the files back, or open the table anew and fit again.`,
      {},
      { cause },
    )
  if (/UNRESOLVED_COLUMN|TABLE_OR_VIEW_NOT_FOUND|PATH_NOT_FOUND/.test(whole))
    return new SparkError(
      "table",
      `Spark does not find it: ${said}. A table and its columns must be there for every sweep. Correct the name, or bring it back.`,
      {},
      { cause },
    )
  return new SparkError(
    "query",
    `Spark refuses: ${said}. The model cannot be learned without it. Mend what it says, and fit again.`,
    {},
    { cause },
  )
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
