/** One judge for every system: accuracy of tokens, and F1 of spans as conlleval counts them (Tjong Kim Sang & Buchholz 2000). */

export type Tags = readonly (readonly string[])[]

export function accuracy(truth: Tags, found: Tags): number {
  const all = truth.flatMap((tags, i) => tags.map((tag, t) => Number(tag === found[i][t])))
  return all.reduce((sum, right) => sum + right, 0) / all.length
}

/** "from to type" of each chunk: B begins one, and so does I after O or another type. */
function chunks(tags: readonly string[]): Set<string> {
  const found = new Set<string>()
  let [from, type] = [-1, ""]
  ;[...tags, "O"].forEach((tag, t) => {
    const [mark, own = ""] = [tag.slice(0, 1), tag.slice(2)]
    if (from >= 0 && (mark !== "I" || own !== type)) {
      found.add(`${from} ${t} ${type}`)
      from = -1
    }
    if (mark === "B" || (mark === "I" && from < 0)) [from, type] = [t, own]
  })
  return found
}

export function spanF1(truth: Tags, found: Tags): number {
  let [right, all] = [0, 0]
  truth.forEach((tags, i) => {
    const [own, guessed] = [chunks(tags), chunks(found[i])]
    all += own.size + guessed.size
    for (const chunk of guessed) if (own.has(chunk)) right++
  })
  return (2 * right) / all
}
