/** A network as a drawing: causes above, effects below. */
import * as Plot from "@observablehq/plot"
import type { NetworkAnswer } from "../answers.ts"
import { percent } from "../format.ts"
import type { Section } from "./document.ts"
import { figure } from "./figure.ts"
import { html, htmlTable } from "./html.ts"
import { GAP, HEIGHT, layoutOf, type Placed } from "./layered.ts"

/** More columns than this are a list, not a drawing. */
const MOST_DRAWN = 80

export function networkSection({ nodes, arrows, isGiven = false }: NetworkAnswer): Section {
  const hasStrengths = arrows.some(({ strength }) => strength !== undefined)
  const table = htmlTable(
    "Every arrow",
    [
      { title: "from" },
      { title: "to" },
      ...(isGiven ? [] : [{ title: "direction" }]),
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
      ...(isGiven ? [] : [isReversible ? "open" : "told by the rows"]),
      ...(hasStrengths ? [percent(strength), percent(direction)] : []),
    ]),
  )
  const told = arrows.filter(({ isReversible }) => !isReversible).length
  const body = html`<p>An arrow says that a column is modelled given the other. ${
    isGiven && "These are the arrows of the model; the rows gave them their probabilities."
  } ${
    !isGiven &&
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
