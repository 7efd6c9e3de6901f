/** `suffice describe`: every parameter of a model, by name. */

import type { DescribedPart } from "suffice/describe"
import { isWide } from "../data.ts"
import { isLeaf, isSwitch, summaryOf } from "../described.ts"
import { clipped, count, many, percent } from "../format.ts"
import type { LooseFitted } from "../loose.ts"
import { loadModel } from "../model-file.ts"
import { chainsAnswer, chainsText } from "../sequences/states.ts"
import type { Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"
import { textTable } from "../terminal/table.ts"
import { credibleAnswer } from "./credible.ts"

export async function describeCommand(
  session: Session,
  path: string,
  { credible: probability }: { readonly credible?: number } = {},
): Promise<void> {
  const fitted = await loadModel(path)
  if (probability !== undefined) {
    await credibleAnswer(session, path, head(path, fitted), fitted, probability)
    return
  }
  const parts = fitted.parts()
  const most = isWide(fitted.model.uses.length) ? LINES : Infinity
  const chains = chainsAnswer(fitted)
  const walks = chains.length > 0 ? [chainsText(chains)] : []
  await session.print(
    [head(path, fitted), ...switches(parts, most), ...walks, leaves(parts, most)].join("\n\n"),
  )
  for (const { message } of fitted.diagnostics) session.note(`note: ${message}`)
  await session.answer({
    command: "describe",
    model: path,
    declared: fitted.model.spec,
    label: fitted.model.target ?? null,
    parameters: fitted.describe(),
    training: fitted.training ?? null,
    diagnostics: fitted.diagnostics,
  })
}

function head(path: string, { model, training }: LooseFitted): string {
  const columns = new Set(model.uses.filter(use => use.role !== "hidden").map(use => use.column))
  const learned =
    training === undefined
      ? "written by hand"
      : `learned from ${many(training.rows, "row")} by ${training.learner.name}, ${many(training.iterations, "step")}, seed ${training.seed}`
  return shown(
    `${path}: ${many(columns.size, "column")}${model.target === undefined ? "" : `, label ${model.target}`}; ${learned}.`,
  )
}

function where(part: DescribedPart): string {
  return part.above.map(({ name, level }) => `${name} = ${clipped(level, 20)}`).join(", ")
}

/** Of a wide model, for its switches and for its columns: the rest is in --json. */
const LINES = 12

function switches(parts: readonly DescribedPart[], most: number): string[] {
  const all = parts.filter(isSwitch)
  const each = Math.floor(Math.min(most / all.length, 30))
  return all.map(part => {
    const given = where(part)
    const levels = Object.entries(part.probabilities)
    const first = levels.slice(0, each).map(([level, p]) => [clipped(level, 30), percent(p)])
    const more = levels.length > first.length ? `\n  … ${count(levels.length - first.length)} more` : ""
    return `${shown(`${part.name}${given === "" ? "" : `, given ${given}`}`)}:\n\n${textTable([{ title: "level" }, { title: "share", align: "right" }], first)}${more}`
  })
}

function leaves(parts: readonly DescribedPart[], most: number): string {
  const rows = parts
    .filter(isLeaf)
    .map(part => [part.name, where(part), part.family, summaryOf(part, 6)])
    .sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0))
  const repeated = rows.map((row, i) => (i > 0 && rows[i - 1][0] === row[0] ? ["", ...row.slice(1)] : row))
  const more = rows.length > most ? `\n\n  … ${count(rows.length - most)} more: see --json` : ""
  return `Columns:\n\n${textTable([{ title: "column" }, { title: "given" }, { title: "family" }, { title: "parameters" }], repeated.slice(0, most))}${more}`
}
