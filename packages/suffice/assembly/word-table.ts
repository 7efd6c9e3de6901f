/** Rows of words anywhere in memory, and prefetching. */

export function number(array: usize, i: i32): usize {
  return array + ((<usize>i) << 3)
}

export function whole(array: usize, i: i32): i32 {
  return load<i32>(array + ((<usize>i) << 2))
}

/**
 * Rows are given by a table with three integers each: the address of the words, that of their scaled counts, and the number of words. So rows are
 * read in place.
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

/** Slots per cache line. */
export const LINE: i32 = 8
const FETCHED = memory.data(8)

/** Touches every cache line of a row, so that they are loaded together, while another row is processed. */
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
 * Touches every cache line that these words use in an array, `used` of their slots. The work per word fills a processor's window, so it would look only
 * a few words ahead; here it looks many ahead, and loads them together. The values read are stored, or the reads would be optimised away.
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
