/**
 * Where the columns of a network stand in a drawing: causes above, effects below. A column stands one layer below its lowest parent; within a layer the columns are
 * ordered by the mean place of their neighbours, a few times down and up (Sugiyama, Tagawa & Toda 1981).
 */

const LAYER = 76
export const HEIGHT = 26
export const GAP = 18
const SWEEPS = 8

export interface Placed {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly width: number
}

/** The width of a text, in pixels, generously. */
export function widthOf(text: string): number {
  return 7.4 * [...text].length
}

/** Where every column stands. */
export function layoutOf(
  nodes: readonly { readonly name: string; readonly parents: readonly string[] }[],
): Placed[] {
  const depth = new Map<string, number>()
  const parentsOf = new Map(nodes.map(({ name, parents }) => [name, parents]))
  const depthOf = (name: string): number => {
    const known = depth.get(name)
    if (known !== undefined) return known
    const own = parentsOf.get(name)!.reduce((most, parent) => Math.max(most, depthOf(parent) + 1), 0)
    depth.set(name, own)
    return own
  }
  const layers: string[][] = []
  for (const { name } of nodes) {
    const d = depthOf(name)
    layers[d] ??= []
    layers[d].push(name)
  }
  const widths = new Map(nodes.map(({ name }) => [name, widthOf(name) + 16]))
  const beside = new Map(nodes.map(({ name }) => [name, [] as string[]]))
  for (const { name, parents } of nodes) {
    for (const parent of parents) {
      beside.get(name)!.push(parent)
      beside.get(parent)!.push(name)
    }
  }
  const x = new Map<string, number>()
  const total = Math.max(
    ...layers.map(layer => layer.reduce((sum, name) => sum + widths.get(name)! + GAP, GAP)),
  )
  const spread = (layer: readonly string[]): void => {
    const length = layer.reduce((sum, name) => sum + widths.get(name)! + GAP, -GAP)
    let at = (total - length) / 2
    for (const name of layer) {
      x.set(name, at + widths.get(name)! / 2)
      at += widths.get(name)! + GAP
    }
  }
  for (const layer of layers) spread(layer)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const layer of sweep % 2 === 0 ? layers : [...layers].reverse()) {
      const centre = new Map(
        layer.map(name => {
          const others = beside.get(name)!
          const mean = others.reduce((sum, other) => sum + x.get(other)!, 0) / others.length
          return [name, others.length > 0 ? mean : x.get(name)!]
        }),
      )
      layer.sort((one, other) => centre.get(one)! - centre.get(other)!)
      spread(layer)
    }
  }
  return nodes.map(({ name }) => ({
    name,
    x: x.get(name)!,
    y: GAP + HEIGHT / 2 + depth.get(name)! * LAYER,
    width: widths.get(name)!,
  }))
}
