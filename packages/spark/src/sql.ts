/** The only place that writes SQL around what users give: names are quoted, and nothing of theirs stands inside USING. */

export function quoted(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``
}

export function literal(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
}

const TABS = "ROW FORMAT DELIMITED FIELDS TERMINATED BY '\\t'"

/** Rows of `from` through a command on the workers, as text between tabs. */
export function transform(
  given: readonly string[],
  command: string,
  made: readonly string[],
  from: string,
): string {
  const out = made.map(name => `${name} STRING`).join(", ")
  return `SELECT TRANSFORM (${given.join(", ")}) ${TABS} USING '${command}' AS (${out}) ${TABS} FROM (${from})`
}

/** Rows of files, numbered by file and by their place in it. */
export function numberedFiles(table: string, files: readonly (readonly [string, number])[]): string {
  const places = placesOf(files).map(([path, at]) => `${literal(path)}, ${at}L`)
  return `SELECT element_at(map(${places.join(", ")}), _metadata.file_path) + _metadata.row_index AS r, * FROM ${table}`
}

/** Rows of a cached view that is in order, numbered by partition and by their place in it. */
export function numberedPartitions(view: string, partitions: readonly (readonly [number, number])[]): string {
  const places = placesOf(partitions).map(([id, at]) => `${id}, ${at}L`)
  return `SELECT element_at(map(${places.join(", ")}), spark_partition_id()) + (monotonically_increasing_id() & 8589934591) AS r, * FROM ${view}`
}

/** Numbered rows with further columns, each an expression over the others and the number `r`; one of an old name takes its place. */
export function withColumns(
  numbered: string,
  columns: Readonly<Record<string, string>>,
  known: ReadonlySet<string>,
): string {
  const names = Object.keys(columns)
  const old = names.filter(name => known.has(name)).map(quoted)
  const others = old.length === 0 ? "*" : `* EXCEPT (${old.join(", ")})`
  const made = names.map(name => `(${columns[name]}) AS ${quoted(name)}`)
  return `SELECT ${[others, ...made].join(", ")} FROM (${numbered})`
}

/** About so many of the numbered rows, by a hash of their number, in order. */
export function sampled(
  numbered: string,
  cells: readonly string[],
  { rows, of, seed }: { readonly rows: number; readonly of: number; readonly seed: number },
): string {
  const within = of <= rows ? "true" : `pmod(xxhash64(r, ${seed}), ${of}) < ${rows}`
  return `SELECT ${["r", ...cells].join(", ")} FROM (${numbered}) WHERE ${within} ORDER BY r`
}

/** Where each begins, if they stand one after the other. */
function placesOf<Key>(sizes: readonly (readonly [Key, number])[]): [Key, number][] {
  let at = 0
  return sizes.map(([key, rows]) => {
    const place = at
    at += rows
    return [key, place]
  })
}

/** For every partition of so many a key that Spark's hash puts there. */
export function keysOfPartitions(partitions: number): string {
  return `SELECT pmod(hash(id), ${partitions}) AS partition, min(id) AS key FROM range(${64 * partitions + 256}) GROUP BY 1 ORDER BY 1`
}

/** Numbered rows in as many partitions as there are keys, in each its groups of rows, in order: group g of n belongs to partition g·P div n. */
export function shared(
  numbered: string,
  cells: readonly string[],
  keys: readonly number[],
  { group, groups }: { readonly group: number; readonly groups: number },
): string {
  const key = `element_at(array(${keys.map(key => `${key}L`).join(", ")}), CAST((r div ${group}) * ${keys.length} div ${groups} AS INT) + 1)`
  const rows = `SELECT ${[`${key} AS k`, "r", ...cells].join(", ")} FROM (${numbered})`
  return `SELECT * FROM (SELECT /*+ REPARTITION(${keys.length}, k) */ * FROM (${rows})) SORT BY r`
}

/** Rows of a sorted partition, where there are fewer partitions than Spark makes. */
const ROWS_SORTED = 1 << 16
/** As many as Spark makes of whatever is sorted, if it is not told otherwise: for 33,000 rows they took 28 s of processor time. */
const MOST_SORTED = 200

/** So many rows of a query in the order of these columns. `name`: one that the query has never had. */
export function inOrder(sql: string, keys: readonly string[], rows: number, name: string): string {
  const by = keys.map(quoted).join(", ")
  // a name of its own in the query: Spark would answer from what another session cached of files that have changed since
  const from = `FROM (${sql}) WHERE '${name}' IS NOT NULL`
  const partitions = Math.max(1, Math.ceil(rows / ROWS_SORTED))
  return partitions < MOST_SORTED
    ? `SELECT /*+ REPARTITION_BY_RANGE(${partitions}, ${by}) */ * ${from} SORT BY ${by}`
    : `SELECT * ${from} ORDER BY ${by}`
}

/** A query whose result stays on the cluster. */
export function cached(view: string, query: string): string {
  return `CACHE TABLE ${view} OPTIONS ('storageLevel' = 'MEMORY_AND_DISK') AS ${query}`
}

/** Frames, with the task on the first line of every partition. */
export function framesWithTask(view: string): string {
  return `SELECT CASE WHEN (monotonically_increasing_id() & 8589934591) = 0 THEN :task END AS task, chunk, body FROM ${view}`
}
