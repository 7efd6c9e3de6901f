/**
 * A network as a drawing: causes above, effects below. A column stands one layer below its lowest parent; within a layer the columns are ordered by the mean place of
 * their neighbours, a few times down and up (Sugiyama, Tagawa & Toda 1981).
 */
import * as Plot from "@observablehq/plot"
import type { NetworkAnswer } from "../answers.ts"
import { percent } from "../format.ts"
import type { Section } from "./document.ts"
import { figure, widthOf } from "./figure.ts"
import { html, htmlTable } from "./html.ts"

const LAYER = 76
const HEIGHT = 26
const GAP = 18
const SWEEPS = 8
/** More columns than this are a list, not a drawing. */
const MOST_DRAWN = 80

interface Placed {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly width: number
}

export function networkSection({ nodes, arrows }: NetworkAnswer): Section {
  const hasStrengths = arrows.some(({ strength }) => strength !== undefined)
  const table = htmlTable(
    "Every arrow",
    [
      { title: "from" },
      { title: "to" },
      { title: "direction" },
      ...(hasStrengths
        ? [
            { title: "found in samples", number: true },
            { title: "this way", number: true },
          ]
        : []),
    ],
    arrows.map(({ from, to, isReversible, strength = 0, direction = 0 }) => [
      from,
      to,
      isReversible ? "open" : "told by the rows",
      ...(hasStrengths ? [percent(strength), percent(direction)] : []),
    ]),
  )
  const told = arrows.filter(({ isReversible }) => !isReversible).length
  const body = html`<p>An arrow says that a column is modelled given the other. ${
    told < arrows.length &&
    html`Of ${arrows.length} arrows the rows tell the direction of ${told}; the others, drawn in dashes, could be turned round without changing what the network says of any table.`
  } An arrow is no proof of a cause: columns that were not measured may stand behind both.</p>
${nodes.length <= MOST_DRAWN && drawn({ nodes, arrows })}
${table}`
  return { id: "network", title: "Which columns depend on which", short: "Network", body }
}

function drawn({ nodes, arrows }: NetworkAnswer) {
  const placed = layoutOf(nodes)
  const byName = new Map(placed.map(node => [node.name, node]))
  const width = Math.max(...placed.map(({ x, width }) => x + width / 2)) + GAP
  const height = Math.max(...placed.map(({ y }) => y)) + HEIGHT + GAP
  const lines = arrows.map(({ from, to, isReversible }) => {
    const above = byName.get(from)!
    const below = byName.get(to)!
    return { x1: above.x, y1: above.y + HEIGHT / 2, x2: below.x, y2: below.y - HEIGHT / 2, isReversible }
  })
  const arrow = (data: typeof lines, dashed: boolean) =>
    Plot.arrow(data, {
      x1: "x1",
      y1: "y1",
      x2: "x2",
      y2: "y2",
      stroke: "currentColor",
      strokeOpacity: 0.6,
      headLength: 8,
      ...(dashed && { strokeDasharray: "4 3" }),
    })
  return figure(
    {
      title: "The network",
      description: arrows.map(({ from, to }) => `${from} to ${to}`).join(", "),
      table: false,
    },
    {
      width: Math.max(width, 240),
      height,
      margin: 0,
      x: { domain: [0, Math.max(width, 240)], range: [0, Math.max(width, 240)], axis: null },
      y: { domain: [0, height], range: [0, height], axis: null },
      marks: [
        arrow(
          lines.filter(({ isReversible }) => !isReversible),
          false,
        ),
        arrow(
          lines.filter(({ isReversible }) => isReversible),
          true,
        ),
        Plot.rect(placed, {
          x1: ({ x, width }: Placed) => x - width / 2,
          x2: ({ x, width }: Placed) => x + width / 2,
          y1: ({ y }: Placed) => y - HEIGHT / 2,
          y2: ({ y }: Placed) => y + HEIGHT / 2,
          rx: 6,
          fill: "var(--surface, Canvas)",
          stroke: "currentColor",
        }),
        Plot.text(placed, { x: "x", y: "y", text: "name", fill: "currentColor" }),
      ],
    },
  )
}

/** Where every column stands. */
export function layoutOf(nodes: NetworkAnswer["nodes"]): Placed[] {
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
