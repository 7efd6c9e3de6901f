/**
 * How rows are cut. Constants, not options: threads, frames and checkpoints count in chunks, and sums depend on them. Chunk c is rows 8192·c … 8192·c + 8191 of the
 * data, whatever their weight, so that its place depends on nothing before it. Blocks fit the cache yet keep the overhead per block small. Not a power of two: the
 * scores of one row, a block apart for each slot, would map to the same cache sets.
 */
/** Rows of a block, at most. */
export const BLOCK = 480
/** Rows of a chunk. */
export const CHUNK = 8192
