/** Rows of words where they lie, and reading ahead what words take in memory. */

export function number(array: usize, i: i32): usize {
  return array + ((<usize>i) << 3)
}

export function whole(array: usize, i: i32): i32 {
  return load<i32>(array + ((<usize>i) << 2))
}

/**
 * Rows come as a table, three whole numbers each: where the words of the row lie, where what they weigh, and how many there are. So rows can be
 * read where they lie.
 */
export function wordsOf(table: usize, i: i32): usize {
  return <usize>whole(table, 3 * i)
}

export function weighedOf(table: usize, i: i32): usize {
  return <usize>whole(table, 3 * i + 1)
}

export function countOf(table: usize, i: i32): i32 {
  return whole(table, 3 * i + 2)
}

/** Slots in a line of the cache. */
export const LINE: i32 = 8
const FETCHED = memory.data(8)

/** Reads something of every line of a row, so that all of them are waited for at once, and while another row is worked on. */
export function fetchRow(table: usize, i: i32): void {
  const words = wordsOf(table, i)
  const weighed = weighedOf(table, i)
  const bytes = (<usize>countOf(table, i)) << 2
  let read: i32 = 0
  for (let at: usize = 0; at < bytes; at += 64) {
    read |= load<i32>(words + at) | load<i32>(weighed + (at << 1)) | load<i32>(weighed + (at << 1), 64)
  }
  store<i32>(FETCHED, read)
}

/**
 * Reads something of every line that these words take in an array, `used` of their slots. Work on words keeps a processor so busy that it sees
 * only a few of them ahead; here it sees many, and waits for all of them at once. What was read is kept somewhere, since else nothing would be.
 */
export function fetch(array: usize, words: usize, count: i32, slots: i32, used: i32): void {
  const bytes = (<usize>used) << 3
  let read: i64 = 0
  for (let t = 0; t < count; t++) {
    const at = number(array, whole(words, t) * slots)
    for (let line: usize = 0; line < bytes; line += 64) read |= load<i64>(at + line)
  }
  store<i64>(FETCHED, read)
}
