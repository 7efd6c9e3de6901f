/** Which labels and cells the rows hold: nothing has to be guessed if every label is observed. */
import type { Discovery } from "../data/discover.ts"
import type { Laid } from "../engine/lay.ts"

/** Number of rows without the label; 0 for a label in the steps, which is missing in steps. */
export function unlabelledIn(
  { missing, schema }: Pick<Discovery, "missing" | "schema">,
  label: string | undefined,
): number {
  return label !== undefined && schema.columns.some(({ name }) => name === label) ? (missing[label] ?? 0) : 0
}

/** True if only tags of steps are missing, and every other label is observed. */
export function onlyTagsHide(laid: Laid, missing: Readonly<Record<string, number>>): boolean {
  const tags = laid.switches.filter(({ walk, hidden }) => walk && !hidden).map(({ column }) => column)
  return (
    tags.some(tag => missing[tag] > 0) &&
    isCertain(laid, { ...missing, ...Object.fromEntries(tags.map(tag => [tag, 0])) })
  )
}

/** True if every label is observed, and every cell that a leaf would otherwise guess. */
export function isCertain(laid: Laid, missing: Readonly<Record<string, number>>): boolean {
  const chosen = laid.switches.every(
    ({ levels, hidden, column }) => levels.length === 1 || (!hidden && missing[column] === 0),
  )
  const read = laid.parts.every(({ leaf: { latent }, columns }) =>
    latent?.when === "missing" ? columns.every(({ name }) => missing[name] === 0) : latent === undefined,
  )
  return chosen && read
}
