/** One slip of the pen, as data, and how it is planted in a source text. */

export interface Mutant {
  /** What goes wrong with it, in words. */
  readonly about: string
  /** From the root of the repository. */
  readonly file: string
  /** Occurs exactly once in the file. Text, not a line number: lines move. */
  readonly find: string
  readonly replace: string
  /** The tests that should notice, from the root of the repository. */
  readonly tests: readonly string[]
  /** Only tests whose names hold this (a pattern of vitest's): the laws are many. */
  readonly named?: string
}

/** The text with the mutant in it. */
export function planted(text: string, { file, find, replace }: Mutant): string {
  const times = text.split(find).length - 1
  if (times === 1) return text.replace(find, () => replace)
  throw new Error(
    `${file} holds the text of the mutant ${times} times, not once: ${JSON.stringify(find)}. The code has changed: let the mutant in checks/mutants/list.ts change with it.`,
  )
}
