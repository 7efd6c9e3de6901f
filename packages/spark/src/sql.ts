/** The only place that writes SQL around what users give: names are quoted, and nothing of theirs stands inside USING. */

export function quoted(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``
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
  let at = 0
  const places = files.map(([path, rows]) => {
    const place = `'${path.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}', ${at}L`
    at += rows
    return place
  })
  return `SELECT element_at(map(${places.join(", ")}), _metadata.file_path) + _metadata.row_index AS r, * FROM ${table}`
}

/** Rows of a cached view that is in order, numbered by partition and by their place in it. */
export function numberedPartitions(view: string, partitions: readonly (readonly [number, number])[]): string {
  let at = 0
  const places = partitions.map(([id, rows]) => {
    const place = `${id}, ${at}L`
    at += rows
    return place
  })
  return `SELECT element_at(map(${places.join(", ")}), spark_partition_id()) + (monotonically_increasing_id() & 8589934591) AS r, * FROM ${view}`
}
